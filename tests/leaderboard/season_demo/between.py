"""A server that stands before another one, passes everything on, and may spoil replies."""

import contextlib
import http.client
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.leaderboard.simulation.serving import Quiet

Json = dict[str, Any]
Spoil = Callable[[str, Json], None]
NOT_PASSED = {"host", "connection", "content-length", "transfer-encoding", "date", "server"}


class Between(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536
    upstream: int
    spoil: Spoil

    def do_GET(self) -> None:
        self.pass_on(None)

    def do_POST(self) -> None:
        self.pass_on(self.rfile.read(int(self.headers["Content-Length"])))

    def pass_on(self, content: bytes | None) -> None:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.upstream)) as there:
            there.request(self.command, self.path, content, passed(self.headers))
            reply = there.getresponse()
            found = self.spoiled(reply.status, reply.read())
            self.send_response(reply.status)
            for name, value in passed(reply.headers).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(found)))
            self.end_headers()
            self.wfile.write(found)

    def spoiled(self, status: int, content: bytes) -> bytes:
        if status != 200:
            return content
        body = json.loads(content)
        self.spoil(self.path, body)
        return json.dumps(body, separators=(",", ":")).encode()

    def log_message(self, *_: Any) -> None:
        """Write no log."""


def passed(headers: Any) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in NOT_PASSED}


@contextlib.contextmanager
def between(port: int, spoil: Spoil) -> Iterator[str]:
    """Stand before the server on a port, and give the address."""
    members = {"upstream": port, "spoil": staticmethod(spoil)}
    server = Quiet(("127.0.0.1", 0), type("Handler", (Between,), members))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
