"""Jobs that wait or run."""

from leaderboard.models import Job


def unfinished_jobs(*, limit: int) -> list[Job]:
    """Return the oldest jobs that are not done, with who asked for them."""
    waiting = Job.objects.filter(finished_at=None).select_related("requested_by")
    return list(waiting.order_by("requested_at")[:limit])
