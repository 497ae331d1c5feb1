"""The options for rules that seasons have, made alone or by a series."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime
from typing import Any

from config.http.times import read_time


def add_rule_options(parser: ArgumentParser) -> None:
    """Take the rules of a season, but for its times."""
    parser.add_argument("--grace", type=int, default=60, metavar="SECONDS")
    parser.add_argument("--late-policy", default="reject", choices=["reject", "review", "next"])
    parser.add_argument("--score-min", type=int, default=0)
    parser.add_argument("--score-max", type=int, default=1_000_000)
    parser.add_argument("--tie-rule", default="shared", choices=["shared", "earliest"])
    parser.add_argument("--order", default="desc", choices=["desc", "asc"])
    parser.add_argument("--keep", default="best", choices=["best", "latest"])
    parser.add_argument("--region", action="append", default=[], metavar="CODE")


def rules_given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the rules that the options ask for."""
    names = ("late_policy", "score_min", "score_max", "tie_rule", "order", "keep")
    return {
        **{name: options[name] for name in names},
        "grace_seconds": options["grace"],
        "regions": tuple(options["region"]),
    }


def instant(text: str) -> datetime:
    """Return the time that a text with an offset names."""
    try:
        return read_time(text)
    except ValueError as fault:
        raise ArgumentTypeError(f"{text!r}: {fault}") from fault
