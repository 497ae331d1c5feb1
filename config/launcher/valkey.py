"""The broker: a Valkey (or Redis) server of our own."""

import os
import shutil
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from config.launcher.data_folder import DataFolder
from config.launcher.errors import CannotRun
from config.launcher.leftovers import mark
from config.launcher.process import Process

CONFIGURATION = "valkey.conf"


@dataclass(frozen=True)
class Broker:
    """Where its server is and how it is reached."""

    program: Path
    folder: DataFolder
    port: int
    password: str
    durable: bool

    @property
    def url(self) -> str:
        """Return the address that BROKER_URL would name."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"


def process(broker: Broker) -> Process:
    """Return how its server is run."""
    broker.folder.valkey.mkdir(exist_ok=True, mode=0o700)
    # The password stands in a private file, for a command line can be read by everybody.
    broker.folder.write(CONFIGURATION, _configuration(broker))
    return Process(
        name="valkey",
        command=(str(broker.program), str(broker.folder.path / CONFIGURATION)),
        environment={**os.environ, **mark(broker.folder.path)},
        folder=broker.folder.path,
        log=broker.folder.valkey_log,
        ready=lambda _pid: answers(broker.url),
        seconds_to_stop=15.0,
    )


def forget(broker: Broker) -> None:
    """Throw away what the broker kept: nothing true lives in it."""
    shutil.rmtree(broker.folder.valkey, ignore_errors=True)


def answers(url: str) -> bool:
    """Tell whether a server at this address answers and has loaded its data."""
    parts = urlsplit(url)
    login = f"AUTH {parts.password}\r\n" if parts.password else ""
    with suppress(OSError):
        address = (parts.hostname or "127.0.0.1", parts.port or 6379)
        with socket.create_connection(address, timeout=2) as connection:
            connection.sendall(f"{login}PING\r\nQUIT\r\n".encode())
            return "+PONG" in _everything(connection)
    return False


def check_given(url: str) -> None:
    """Refuse a BROKER_URL where nobody listens."""
    parts = urlsplit(url)
    if parts.scheme not in {"redis", "rediss"}:
        raise CannotRun("BROKER_URL has to look like redis://host:port/0.")
    address = (parts.hostname or "127.0.0.1", parts.port or 6379)
    try:
        socket.create_connection(address, timeout=5).close()
    except OSError as problem:
        raise CannotRun(
            f"The broker of BROKER_URL cannot be reached at {address[0]}:{address[1]}: {problem}."
        ) from None


def _configuration(broker: Broker) -> str:
    lines = (
        "bind 127.0.0.1",
        f"port {broker.port}",
        f"dir {_quoted(broker.folder.valkey)}",
        f"requirepass {broker.password}",
        f"appendonly {'yes' if broker.durable else 'no'}",
        'save ""',
        "daemonize no",
    )
    return "\n".join(lines)


def _quoted(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _everything(connection: socket.socket) -> str:
    parts = []
    while part := connection.recv(4096):
        parts.append(part)
    return b"".join(parts).decode("utf-8", "replace")
