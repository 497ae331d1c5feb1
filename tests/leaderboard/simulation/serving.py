"""Answers of a function over HTTP, and the reference server running with its publisher."""

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.leaderboard.simulation.reference import Answer, Json, Reference
from tests.leaderboard.simulation.windows import World

Handle = Callable[[str, str, Any, Json | None], Answer]
TAGGED = ("season_id", "as_of", "age_seconds")


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of connections that clients drop."""


@contextlib.contextmanager
def serving(handle: Handle) -> Iterator[str]:
    """Serve a function on a free port, and give the address."""
    handler = type("Handler", (Handler,), {"answer": staticmethod(handle)})
    server = Quiet(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def publishing(reference: Reference | World, every: float = 0.05) -> Iterator[None]:
    """Publish again and again."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(every):
            reference.publish()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536
    answer: Handle

    def do_GET(self) -> None:
        self.reply(None)

    def do_POST(self) -> None:
        self.reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def do_PUT(self) -> None:
        self.do_POST()

    def reply(self, body: Json | None) -> None:
        status, found = self.answer(self.command, self.path, self.headers, body)
        if status == 0:
            self.close_connection = True
            return
        tag = tag_of(self.path, found)
        if status == 200 and self.headers.get("If-None-Match") == tag:
            status, found = 304, {}
        content = b"" if status == 304 else json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", tag)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Write no log."""


def tag_of(path: str, body: Json) -> str:
    content = {name: value for name, value in body.items() if name not in TAGGED}
    return f'W/"{hashlib.sha256(repr((path, content)).encode()).hexdigest()[:16]}"'
