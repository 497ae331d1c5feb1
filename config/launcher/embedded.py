"""The database and the broker: our own ones in a data folder, or those that are named to us."""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from config.launcher import postgres, valkey
from config.launcher.account import account_for
from config.launcher.binaries import find_postgres, find_valkey
from config.launcher.data_folder import DataFolder
from config.launcher.errors import CannotRun
from config.launcher.postgres_settings import Settings
from config.launcher.supervisor import DiedAtStart, Supervisor

PORTS = "ports.json"
LARGEST_LOG = 16 * 1024 * 1024


@dataclass(frozen=True)
class Services:
    """Where the database and the broker are."""

    database_url: str
    broker_url: str

    def environment(self) -> dict[str, str]:
        """Return the variables that name them."""
        return {"DATABASE_URL": self.database_url, "BROKER_URL": self.broker_url}


@dataclass(frozen=True)
class Embedding:
    """What is needed to start services of our own."""

    folder: DataFolder
    settings: Settings
    environment: Mapping[str, str]

    @property
    def durable(self) -> bool:
        """Tell whether the data is to outlive a crash."""
        return self.settings["fsync"] == "on"


def start_services(supervisor: Supervisor, embedding: Embedding) -> Services:
    """Start what DATABASE_URL and BROKER_URL do not name, and write down where both are."""
    given = embedding.environment
    database_url, broker_url = given.get("DATABASE_URL"), given.get("BROKER_URL")
    if database_url:
        postgres.check_given(database_url)
    if broker_url:
        valkey.check_given(broker_url)
    services = Services(
        database_url or _start_postgres(supervisor, embedding),
        broker_url or _start_valkey(supervisor, embedding),
    )
    places = {name.lower(): url for name, url in services.environment().items()}
    embedding.folder.write_json("services.json", places)
    return services


def _start_postgres(supervisor: Supervisor, embedding: Embedding) -> str:
    folder = embedding.folder
    cluster = _cluster(embedding)
    _begin_new_log(cluster.log)
    postgres.initialise(cluster)
    try:
        supervisor.start(postgres.process(cluster))
    except DiedAtStart as death:
        raise CannotRun(
            f"PostgreSQL cannot use its data folder {cluster.data} ({death.last_words}): "
            f"see {cluster.log}; restore the folder, or choose another DATA_DIR."
        ) from None
    postgres.ensure_database(cluster)
    _remember_port(folder, "postgres", cluster.port)
    return cluster.url()


def _cluster(embedding: Embedding) -> postgres.Cluster:
    folder = embedding.folder
    major = postgres.major_of(folder.postgres)
    binaries = find_postgres(embedding.environment, major)
    return postgres.Cluster(
        data=folder.postgres,
        log=folder.postgres_log,
        binaries=binaries,
        account=account_for(binaries.folder / "postgres", folder.postgres),
        port=_port(folder, "postgres"),
        password=folder.secret("postgres.password"),
        settings=embedding.settings,
    )


def _start_valkey(supervisor: Supervisor, embedding: Embedding) -> str:
    folder = embedding.folder
    broker = valkey.Broker(
        program=find_valkey(embedding.environment),
        folder=folder,
        port=_port(folder, "valkey"),
        password=folder.secret("valkey.password"),
        durable=embedding.durable,
    )
    _begin_new_log(folder.valkey_log)
    try:
        supervisor.start(valkey.process(broker))
    except DiedAtStart:
        valkey.forget(broker)
        supervisor.start(valkey.process(broker))
    _remember_port(folder, "valkey", broker.port)
    return broker.url


def _port(folder: DataFolder, service: str) -> int:
    """Return the port of the last run if nobody has taken it since, else a free one."""
    for port in (folder.numbers(PORTS).get(service, 0), 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise CannotRun("No port of 127.0.0.1 is free for the database and the broker.")


def _remember_port(folder: DataFolder, service: str, port: int) -> None:
    folder.write_json(PORTS, {**folder.numbers(PORTS), service: port})


def _begin_new_log(log: Path) -> None:
    if log.exists() and log.stat().st_size > LARGEST_LOG:
        os.replace(log, log.with_name(f"{log.name}.1"))
