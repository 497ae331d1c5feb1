"""One thread of the match service: sends its requests at a rate and checks every receipt."""

from threading import Event
from time import monotonic

from leaderboard.management.simulation.answers import (
    Outlook,
    after_contact,
    check_receipts,
    receipts_of,
    written_by,
)
from leaderboard.management.simulation.book import Book
from leaderboard.management.simulation.delivery import Answer, Delivery
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.receipts import Json, expect
from leaderboard.management.simulation.tally import Tally
from leaderboard.management.simulation.traffic import Request, Traffic

LONGEST_DEBT = 5.0
FATAL = {401, 403}
SEASON_OVER = {"season_final", "season_not_open"}


class NothingMoreToWrite(Exception):
    """The server takes no more events, for the reason given."""


class Writer:
    """Writes about its own share of the players, one request at a time."""

    def __init__(
        self, number: int, traffic: Traffic, delivery: Delivery, book: Book, tally: Tally
    ) -> None:
        """Write this traffic, as the writer of this number in the book."""
        self._number, self._traffic, self._delivery = number, traffic, delivery
        self._book, self._tally = book, tally

    def run(self, stop: Event, rate: float, address: str, findings: Findings) -> None:
        """
        Write `rate` events a second until told to stop.

        Raises NothingMoreToWrite when the season or the token has come to its end.
        """
        due = monotonic()
        while not stop.is_set():
            request = self._traffic.next_request(behind=due < monotonic())
            stop.wait(max(0.0, due - monotonic()))
            due = max(due, monotonic() - LONGEST_DEBT) + len(request.items) / rate
            self.write(request, f"{address}/{request.route}", findings)
        self._delivery.close()

    def write(self, request: Request, path: str, findings: Findings) -> None:
        """Send one request, check its receipts and note what it did."""
        players = self._traffic.players
        after, expected = expect(request.items, players)
        newest = self._book.begin_write(self._number, monotonic())
        outlook = Outlook(players, expected, newest)
        answers = self._delivery.deliver(path, request.body(), twice=request.twice)
        if answers is None:
            findings.add("write_unanswered", f"{request.items[0].body} and others of its request")
            raise NothingMoreToWrite("The server no longer answers.")
        receipts = self._receipts(request, answers, findings)
        if receipts is None:
            self._book.end_write(self._number, monotonic(), ())
            return
        retried = any(answer.retried for answer in answers)
        findings.extend(check_receipts(request, outlook, receipts, retried=retried))
        after = after_contact(after, request, outlook, receipts[0])
        written = written_by(request, outlook, after, receipts[0])
        self._book.end_write(self._number, monotonic(), written)
        self._traffic.settle(request, after, receipts[0])
        self._note(request, answers, receipts[0])

    def _receipts(
        self, request: Request, answers: list[Answer], findings: Findings
    ) -> list[list[Json]] | None:
        """Return the receipts of each answer, None if the request was refused."""
        receipts = []
        for answer in answers:
            found = receipts_of(request, answer)
            if found is None:
                self._refused(request, answer, findings)
                return None
            receipts.append(found)
        return receipts

    def _refused(self, request: Request, answer: Answer, findings: Findings) -> None:
        reply = answer.reply
        if reply.status in FATAL or reply.body.get("code") in SEASON_OVER:
            self._book.end_write(self._number, monotonic(), ())
            raise NothingMoreToWrite(f"Events are refused: {reply.in_words()}")
        sent = str(request.body())[:300]
        findings.add("status", f"{request.route} of {sent} was answered {reply.in_words()}")

    def _note(self, request: Request, answers: list[Answer], receipts: list[Json]) -> None:
        kind = "batch" if request.batch else request.route.removeprefix("scores:")
        for answer in answers:
            self._tally.took(f"write: {kind}", answer.reply.seconds)
        self._tally.count("write requests", len(answers))
        self._tally.count("sent twice at once", int(request.twice))
        self._tally.add_outcomes([_outcome(receipt) for receipt in receipts])


def _outcome(receipt: Json) -> str:
    outcome = str(receipt.get("outcome", "conflict"))
    return f"{outcome}, replayed" if receipt.get("replayed") else outcome
