"""A launcher's program made of small fake processes, run as a module: FOLDER PORT NAMES."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from config.launcher.console import complain
from config.launcher.data_folder import open_data_folder
from config.launcher.errors import CannotRun
from config.launcher.process import Process
from config.launcher.program import answers_ready
from config.launcher.run import Address, Program, run

# Answers /readyz with the number of rows that its database keeps, one more at each start.
WEB = """
import http.server, os, psycopg, signal, sys
signal.signal(signal.SIGTERM, lambda *_: (print("web leaves", flush=True), os._exit(0)))
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
    connection.execute("INSERT INTO starts DEFAULT VALUES")
    (rows,) = connection.execute("SELECT count(*) FROM starts").fetchone()
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{rows} {os.getpid()}".encode())
    def log_message(self, *arguments): pass
if os.fork() == 0:
    signal.pause()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
PREPARE = """
import os, psycopg
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS starts (id int GENERATED ALWAYS AS IDENTITY)")
"""
WORKER = """
import os, signal, sys
def leave(*_):
    print("worker leaves", flush=True)
    os._exit(0)
signal.signal(signal.SIGTERM, leave)
while True: signal.pause()
"""
DYING = "import sys; sys.exit('I cannot find my hat')"
FAKES = {"worker": WORKER, "web": WEB, "dying": DYING, "prepare": PREPARE}


def program(names: list[str], port: int) -> Callable[[Mapping[str, str]], Program]:
    """Return what makes the program of these fakes."""

    def made(environment: Mapping[str, str]) -> Program:
        def fake(name: str) -> Process:
            command = (sys.executable, "-c", FAKES[name], str(port))
            return Process(name, command, environment)

        return Program(
            preparations=(fake("prepare"),),
            processes=tuple(fake(name) for name in names),
            is_ready=lambda: answers_ready("127.0.0.1", port),
            ready_text="READY",
        )

    return made


def main(path: str, port: int, names: list[str]) -> int:
    """Do what `make run` does, with fakes."""
    try:
        run(open_data_folder(Path(path)), Address("127.0.0.1", port), program(names, port))
    except CannotRun as reason:
        complain(str(reason))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])))
