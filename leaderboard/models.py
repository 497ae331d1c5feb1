"""
Published versions and what a rank is counted from.

Buckets are partitioned by namespace; they and the prefixes are written by the publisher
only, and read by statements in `sql/`.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models


class Layout(models.Model):
    """The bucket boundaries of a season: ranges of equal width over its scores."""

    season_id = models.BigIntegerField()
    lower_score = models.IntegerField()
    bucket_width = models.IntegerField()
    buckets = models.IntegerField()

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
