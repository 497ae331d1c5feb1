"""
Published versions and what a rank is counted from.

Buckets are partitioned by namespace; they and the prefixes are written by the publisher
only, and read by statements in `sql/`.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from seasons.models import Season


class Layout(models.Model):
    """
    The bucket boundaries of a season's boards: every version names its layout.

    A counted board has ranges of equal width over the scores; an ordered one has a set of
    boundaries, which are rows of `leaderboard_boundary`.
    """

    season_id = models.BigIntegerField()
    lower_score = models.IntegerField()
    bucket_width = models.IntegerField()
    buckets = models.IntegerField()
    boundary_sets = ArrayField(
        models.BigIntegerField(), help_text="One number a board; 0: counted."
    )

    class Meta:
        indexes = [models.Index(name="layout_in_season_order", fields=["season_id", "id"])]

    def __str__(self) -> str:
        return f"{self.buckets} buckets of {self.bucket_width} from {self.lower_score}"


class Version(models.Model):
    """A published state of a season's boards."""

    season_id = models.BigIntegerField()
    number = models.BigIntegerField()
    kind = models.TextField(default="regular", help_text="regular, final or corrected")
    namespace = models.IntegerField()
    layout_id = models.BigIntegerField()
    first_epoch = models.BigIntegerField(help_text="The first epoch that the one before lacks.")
    sealed_at = models.DateTimeField(help_text="Everything accepted before is included.")
    published_at = models.DateTimeField()
    replaced_at = models.DateTimeField(null=True)
    members = ArrayField(models.IntegerField(), help_text="One number a board.")
    score_sums = ArrayField(models.BigIntegerField(), help_text="One number a board.")
    ledger_rows = models.BigIntegerField(help_text="Of the season, up to this version.")
    ledger_hash = models.DecimalField(max_digits=40, decimal_places=0)

    class Meta:
        managed = False
        db_table = "leaderboard_version"

    def __str__(self) -> str:
        return str(self.number)


class Current(models.Model):
    """Which version of a season is served when none is named."""

    season_id = models.BigIntegerField(primary_key=True)
    number = models.BigIntegerField()
    through = models.BigIntegerField(help_text="The epochs looked at so far, changed or not.")
    as_of = models.DateTimeField()
    sampled_bucket = models.IntegerField(help_text="Where the next sample of buckets begins.")
    ledger_rows = models.BigIntegerField(help_text="Of the season, through these epochs.")
    ledger_hash = models.DecimalField(max_digits=40, decimal_places=0)

    class Meta:
        managed = False
        db_table = "leaderboard_current"

    def __str__(self) -> str:
        return str(self.number)


class Lease(models.Model):
    """Somebody still reads a version: purge leaves it until the lease ends."""

    season_id = models.BigIntegerField()
    version = models.BigIntegerField()
    holder = models.TextField()
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.holder}: version {self.version}"


class Stop(models.Model):
    """A check failed: the season's publication stands still until an operator has looked."""

    season_id = models.BigIntegerField(primary_key=True)
    failed_check = models.TextField()
    detail = models.TextField()
    stopped_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.failed_check


class Verification(models.Model):
    """A recomputation of a version from the ledger, and what it found."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="verifications")
    version = models.BigIntegerField()
    namespace = models.IntegerField(help_text="The set of partitions that was looked at.")
    scope = models.TextField(help_text="whole or sample")
    started_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)
    agrees = models.BooleanField(null=True, help_text="Null until it has been finished.")
    report = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(name="verification_in_season_order", fields=["season", "id"]),
            models.Index(
                name="verification_that_differs",
                fields=["season"],
                condition=models.Q(agrees=False),
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version}"


class Candidate(models.Model):
    """A version that may become final, and the ledger that it was made from."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="candidates")
    version = models.BigIntegerField()
    through = models.BigIntegerField(help_text="The input high watermark: the last epoch.")
    ledger_id = models.BigIntegerField(null=True, help_text="The last row up to that epoch.")
    made_at = models.DateTimeField(db_default=Now())
    verification = models.ForeignKey(Verification, models.PROTECT, null=True)
    discarded_at = models.DateTimeField(null=True)
    discarded_because = models.TextField(blank=True)
    became_final_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"version {self.version}"


class Results(models.Model):
    """The checksum over all lines of a final or corrected version."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="results")
    version = models.BigIntegerField()
    entries = models.BigIntegerField()
    sha256 = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="results_once_per_version", fields=["season", "version"]),
        ]

    def __str__(self) -> str:
        return f"version {self.version}: {self.entries} entries"


class Settlement(models.Model):
    """A reward run, and the version that it paid by."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="settlements")
    settlement_id = models.TextField()
    version = models.BigIntegerField()
    checksum = models.TextField()
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="settlement_once_per_season", fields=["season", "settlement_id"]
            ),
        ]

    def __str__(self) -> str:
        return self.settlement_id


class Rebuild(models.Model):
    """The making of a new namespace for a season, phase by phase."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="rebuilds")
    source = models.TextField(help_text="ledger or bests")
    namespace = models.IntegerField(null=True, help_text="The one that is being made.")
    replaces = models.IntegerField(help_text="The one in use when it began.")
    phase = models.TextField(default="begun")
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    through = models.BigIntegerField(null=True, help_text="The last epoch that is folded in.")
    base = models.BigIntegerField(null=True, help_text="The oldest version that its undo serves.")
    holder = models.TextField(blank=True, help_text="Which run is at work; none: nobody.")
    held_until = models.DateTimeField(null=True, help_text="Moved on each second by that run.")
    started_at = models.DateTimeField(db_default=Now())
    moved_at = models.DateTimeField(db_default=Now())
    swapped_at = models.DateTimeField(null=True)
    dropped_at = models.DateTimeField(null=True, help_text="When the one replaced was dropped.")
    failure = models.TextField(blank=True)
    report = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="rebuild_once_at_a_time",
                fields=["season"],
                condition=~models.Q(phase__in=["swapped", "abandoned"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} to {self.namespace}: {self.phase}"


class Retirement(models.Model):
    """The end of a season: what it was, and which of its tables were dropped."""

    season = models.OneToOneField(Season, models.PROTECT, related_name="retirement")
    reason = models.TextField()
    final_version = models.BigIntegerField(null=True, help_text="None if it never began.")
    players = models.BigIntegerField(help_text="On its global board at the last.")
    ledger_rows = models.BigIntegerField(help_text="That any version included.")
    sha256 = models.TextField(blank=True, help_text="The checksum of its final results.")
    namespaces = ArrayField(models.IntegerField(), default=list, help_text="Those dropped.")
    begun_at = models.DateTimeField(db_default=Now())
    held_until = models.DateTimeField(null=True, help_text="Some worker is at it till then.")
    dropped_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                name="retirement_unfinished_in_order",
                fields=["begun_at"],
                condition=models.Q(dropped_at=None),
            ),
        ]

    def __str__(self) -> str:
        return self.reason


class Job(models.Model):
    """What the admin asks the worker's role to do, since it needs DDL or takes long."""

    kind = models.TextField()
    arguments = models.JSONField(default=dict)
    requested_by = models.ForeignKey("auth.User", models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    succeeded = models.BooleanField(null=True)
    outcome = models.TextField(blank=True)

    class Meta:
        indexes = [
            models.Index(
                name="job_unfinished_in_order",
                fields=["requested_at"],
                condition=models.Q(finished_at=None),
            ),
        ]

    def __str__(self) -> str:
        return self.kind
