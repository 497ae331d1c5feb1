"""What can be asked of the launcher on the command line."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from config.launcher.console import complain
from config.launcher.data_folder import open_data_folder
from config.launcher.errors import CannotRun
from config.launcher.execute import execute
from config.launcher.postgres_settings import available_memory, durable, ephemeral, free_room
from config.launcher.program import laurel
from config.launcher.run import Address, run
from config.launcher.temporary import temporary_folder

HIGHEST_PORT = 65_535


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments say; what cannot be done is told in one sentence."""
    options = _parser().parse_args(arguments)
    try:
        return _run() if options.action == "run" else _execute(options)
    except CannotRun as reason:
        complain(str(reason))
    except OSError as problem:
        complain(f"The launcher cannot go on: {problem}.")
    return 1


def _run() -> int:
    folder = open_data_folder(_data_dir())
    address = Address(os.environ.get("HOST") or "127.0.0.1", _port())
    run(folder, address, laurel(folder, address))
    return 0


def _execute(options: argparse.Namespace) -> int:
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise CannotRun("Which command? Write: python -m config.launcher exec -- COMMAND ...")
    if options.ephemeral:
        with temporary_folder() as folder:
            return execute(command, folder, ephemeral())
    folder = open_data_folder(_data_dir())
    return execute(command, folder, durable(available_memory(), free_room(folder.path)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m config.launcher", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("run", help="run the whole server in the foreground")
    command = actions.add_parser("exec", help="run a command with a database and a broker")
    command.add_argument(
        "--ephemeral", action="store_true", help="in a folder that is thrown away afterwards"
    )
    command.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND")
    return parser


def _data_dir() -> Path:
    return Path(os.environ.get("DATA_DIR") or ".data")


def _port() -> int:
    text = os.environ.get("PORT") or "8000"
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= HIGHEST_PORT):
        raise CannotRun(f"PORT is {text!r}; it has to be a number from 1 to {HIGHEST_PORT}.")
    return int(text)
