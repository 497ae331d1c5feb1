"""From the end of the grace time to a version that is frozen for ever."""

from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config import db
from config.celery import app
from config.errors import SeasonNotFound, Unavailable, WrongState
from leaderboard import tasks
from leaderboard.models import Candidate, Results, Stop, Version
from leaderboard.operations import finalize_season
from leaderboard.queries import Published, published
from leaderboard.queries.live_seasons import seasons_to_finalize
from leaderboard.steps.candidates import choose_candidate
from scores.operations import release_held
from seasons.models import Season, Transition
from seasons.operations import close_season
from tests.api import get
from tests.factories import apply, correct, event, make_season, publish, unused_slug

REASON = {"actor": "eve", "reason": "it is over"}


@pytest.fixture
def slug(shared: str) -> str:
    """Give the test a season without grace time in which two players have results."""
    slug = make_season(unused_slug(), grace_seconds=0, late_policy="review").slug
    apply(slug, event("ann", 10), event("bob", 20), event("bob", 5, 2))
    return slug


def close(slug: str) -> None:
    close_season(slug, **REASON)


def of(slug: str) -> Season:
    return Season.objects.get(slug=slug)


def statuses(slug: str) -> list[str]:
    rows = Transition.objects.filter(season__slug=slug).order_by("id")
    return list(rows.values_list("status", flat=True))


def test_a_season_becomes_final_with_all_that_was_in_time(slug: str) -> None:
    close(slug)
    done = finalize_season(slug, **REASON)
    assert done.outcome == "final"
    season = published(slug)
    assert (season.status, season.final_version, season.current) == (
        "final", done.version, done.version,
    )  # fmt: skip
    assert season.members == [2]
    assert Version.objects.get(season_id=season.season_id, number=season.current).kind == "final"


def test_the_transition_says_who_and_why(slug: str) -> None:
    close(slug)
    finalize_season(slug, **REASON)
    assert statuses(slug) == ["closing", "open", "final"] or statuses(slug) == [
        "open", "closing", "final",
    ]  # fmt: skip
    final = Transition.objects.get(season__slug=slug, status="final")
    assert (final.actor, final.reason) == ("eve", "it is over")


def test_the_candidate_keeps_the_watermark_and_its_proof(slug: str) -> None:
    close(slug)
    done = finalize_season(slug, **REASON)
    (candidate,) = Candidate.objects.filter(season__slug=slug)
    assert (candidate.version, candidate.discarded_at) == (done.version, None)
    assert candidate.became_final_at is not None
    assert candidate.verification is not None
    assert candidate.verification.agrees is True
    assert candidate.verification.version == done.version
    assert candidate.ledger_id is not None
    assert candidate.through >= candidate.version


def test_results_can_be_had_at_once(slug: str) -> None:
    close(slug)
    done = finalize_season(slug, **REASON)
    assert Results.objects.get(season__slug=slug).version == done.version
    assert Results.objects.get(season__slug=slug).entries == 2


def test_a_season_without_a_result_becomes_final_too(shared: str) -> None:
    slug = make_season(unused_slug(), grace_seconds=0).slug
    close(slug)
    assert finalize_season(slug, **REASON) == ("final", 1, "")
    assert Results.objects.get(season__slug=slug).entries == 0


def test_only_a_closing_season_whose_grace_time_is_over(slug: str) -> None:
    with pytest.raises(WrongState, match="open, not closing"):
        finalize_season(slug, **REASON)
    Season.objects.filter(slug=slug).update(grace_seconds=3600)
    close(slug)
    with pytest.raises(WrongState, match="grace time is not over"):
        finalize_season(slug, **REASON)
    assert of(slug).id not in seasons_to_finalize()
    Season.objects.filter(slug=slug).update(grace_seconds=0)
    assert of(slug).id in seasons_to_finalize()
    assert finalize_season(slug, **REASON).outcome == "final"
    with pytest.raises(WrongState, match="final, not closing"):
        finalize_season(slug, **REASON)
    assert of(slug).id not in seasons_to_finalize()
    with pytest.raises(SeasonNotFound):
        finalize_season("nowhere", **REASON)


def test_a_stopped_season_waits(slug: str) -> None:
    close(slug)
    Stop.objects.create(
        season_id=of(slug).id, failed_check="a check", detail="", stopped_at=datetime.now(UTC)
    )
    with pytest.raises(Unavailable, match="stopped"):
        finalize_season(slug, **REASON)


def damage(superuser: Any, slug: str) -> None:
    superuser.execute(
        "UPDATE scores_best SET score_version = 77 WHERE namespace = %s AND player_id = 'ann'",
        [of(slug).namespace],
    )


def test_what_the_ledger_contradicts_stays_closing_until_it_is_mended(
    slug: str, superuser: Any
) -> None:
    close(slug)
    damage(superuser, slug)
    done = finalize_season(slug, **REASON)
    assert done.outcome == "disagrees"
    assert published(slug).status == "closing"
    assert of(slug).id not in seasons_to_finalize()
    problems = {row["problem"] for row in get("/readyz").json()["degraded"]}
    assert "reconciliation_failed" in problems
    with pytest.raises(CommandError, match="disagrees"):
        call_command("finalize_season", slug)
    superuser.execute(
        "UPDATE scores_best SET score_version = 1 WHERE namespace = %s AND player_id = 'ann'",
        [of(slug).namespace],
    )
    said = StringIO()
    call_command("finalize_season", slug, stdout=said)
    assert said.getvalue() == f"Season {slug} is final: version {of(slug).final_version}.\n"


def test_a_correction_before_the_freeze_discards_the_candidate(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    close(slug)
    met: list[int | None] = []

    def corrects_once(slug: str, *, using: str) -> Published:
        season = published(slug, using=using)
        met.append(season.number)
        if len(met) == 1:
            correct(slug, "bob", 9, corrected_score=1)
        return season

    monkeypatch.setattr("leaderboard.operations.take_checksum.published", corrects_once)
    done = finalize_season(slug, **REASON)
    first, second = Candidate.objects.filter(season__slug=slug).order_by("id")
    assert (first.version, second.version) == (met[0], done.version)
    assert first.discarded_at is not None
    assert "accepted after it" in first.discarded_because
    assert second.version > first.version
    top = get(f"/v1/seasons/{slug}/leaderboard/top?version=final").json()["entries"]
    assert [(row["player_id"], row["score"]) for row in top] == [("ann", 10), ("bob", 1)]


def test_one_that_was_published_over_is_discarded(slug: str) -> None:
    close(slug)
    publish(slug)
    with db.transact:
        old = choose_candidate(of(slug))
    correct(slug, "bob", 9)
    publish(slug)
    done = finalize_season(slug, **REASON)
    old.refresh_from_db()
    assert old.discarded_at is not None
    assert done.version != old.version


def test_what_is_late_after_the_watermark_changes_nothing(slug: str) -> None:
    close(slug)
    late = event("ann", 99, 3, event_id="late", completed_at=datetime.now(UTC))
    assert apply(slug, late)[0].outcome == "late_held"
    done = finalize_season(slug, **REASON)
    before = get(f"/v1/seasons/{slug}/leaderboard/top?version=final").content
    release_held(slug, "late", actor="eve", reason="he was first")
    number = publish(slug).version
    assert number is not None
    assert number > (done.version or 0)
    assert get(f"/v1/seasons/{slug}/leaderboard/top?version=final").content == before
    newest = get(f"/v1/seasons/{slug}/leaderboard/top").json()
    assert (newest["leaderboard_version"], newest["corrects"]) == (number, done.version)
    assert newest["entries"][0]["score"] == 99


def test_the_worker_makes_it_final_by_itself(slug: str) -> None:
    app.conf.task_always_eager = True
    Season.objects.filter(slug=slug).update(cutoff_at=datetime.now(UTC))
    tasks.advance_seasons()
    tasks.finalize_seasons()
    app.conf.task_always_eager = False
    assert statuses(slug) == ["open", "closing", "final"]
    final = Transition.objects.get(season__slug=slug, status="final")
    assert (final.actor, final.reason) == ("clock", "The grace time was over.")


def test_a_correction_after_final_makes_a_corrected_version_beside_it(slug: str) -> None:
    close(slug)
    final = finalize_season(slug, **REASON).version
    before = get(f"/v1/seasons/{slug}/leaderboard/top?version=final").content
    correct(slug, "bob", 9)
    app.conf.task_always_eager = True
    tasks.publish_seasons()
    app.conf.task_always_eager = False
    detail = get(f"/v1/seasons/{slug}").json()
    assert detail["final_version"] == final
    assert detail["corrected_versions"] == [detail["current_version"]]
    assert get(f"/v1/seasons/{slug}/leaderboard/top?version=final").content == before
