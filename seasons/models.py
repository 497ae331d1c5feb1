"""Series and their windows, seasons, the open epoch of each, and the seals of those before."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class Season(models.Model):
    """A competition with a start, a cutoff, a score range and rules."""

    slug = models.TextField(unique=True)
    name = models.TextField()
    starts_at = models.DateTimeField()
    cutoff_at = models.DateTimeField(help_text="Exclusive: a result completed then is late.")
    grace_seconds = models.IntegerField()
    late_policy = models.TextField()
    score_min = models.IntegerField()
    score_max = models.IntegerField()
    tie_rule = models.TextField()
    order = models.TextField()
    keep = models.TextField()
    regions = ArrayField(models.TextField(), default=list)
    namespace = models.IntegerField(
        unique=True, help_text="The set of partitions in use; a rebuild makes a new one."
    )
    ledger_namespace = models.IntegerField(
        unique=True, help_text="The partition of the ledger, which is the same for ever."
    )
    created_at = models.DateTimeField(db_default=Now())
    final_version = models.BigIntegerField(null=True, editable=False)
    has_display = models.BooleanField(
        db_default=False, editable=False, help_text="Results have brought data to be shown."
    )
    bests_damaged_at = models.DateTimeField(
        null=True, editable=False, help_text="Since then writes are refused."
    )
    retired_at = models.DateTimeField(
        null=True, editable=False, help_text="Since then its partitions are gone, or going."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="season_starts_before_cutoff", condition=Q(starts_at__lt=F("cutoff_at"))
            ),
            models.CheckConstraint(
                name="season_score_range",
                condition=Q(score_min__gte=0, score_min__lt=F("score_max")),
            ),
            models.CheckConstraint(name="season_grace", condition=Q(grace_seconds__gte=0)),
        ]
        permissions = [("run_season", "Can open, close, finish, publish and verify seasons")]

    def __str__(self) -> str:
        return self.slug


class Series(models.Model):
    """Seasons that make themselves: the rules that each of them gets, and how long it is kept."""

    slug = models.TextField(unique=True)
    name = models.TextField()
    time_zone = models.TextField(help_text="By whose clocks windows begin and end.")
    starts_at = models.DateTimeField(
        null=True, help_text="No window begins before; null: the first are whole ones."
    )
    ended_at = models.DateTimeField(
        null=True, editable=False, help_text="Since then no window begins any more."
    )
    kept_days = models.IntegerField(
        null=True, help_text="How long a final season is kept after its cutoff; null: for ever."
    )
    grace_seconds = models.IntegerField()
    late_policy = models.TextField()
    score_min = models.IntegerField()
    score_max = models.IntegerField()
    tie_rule = models.TextField()
    order = models.TextField()
    keep = models.TextField()
    regions = ArrayField(models.TextField(), default=list)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "series"
        constraints = [
            models.CheckConstraint(
                name="series_score_range",
                condition=Q(score_min__gte=0, score_min__lt=F("score_max")),
            ),
            models.CheckConstraint(name="series_grace", condition=Q(grace_seconds__gte=0)),
            models.CheckConstraint(name="series_kept_days", condition=Q(kept_days__gte=0)),
        ]

    def __str__(self) -> str:
        return self.slug


class WindowRule(models.Model):
    """When windows of a series begin and end: every day, week or month, always, or by cron."""

    series = models.ForeignKey(Series, models.PROTECT, related_name="window_rules")
    suffix = models.TextField(help_text="What its seasons' ids have after that of the series.")
    kind = models.TextField(help_text="daily, weekly, monthly, all_time or cron")
    cron = models.TextField(blank=True)
    duration_seconds = models.BigIntegerField(
        null=True, help_text="Of a window by cron; null: until the next one begins."
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                name="window_rule_once_per_suffix", fields=["series", "suffix"]
            ),
            models.CheckConstraint(
                name="window_rule_kind",
                condition=Q(kind__in=["daily", "weekly", "monthly", "all_time"], cron="")
                | Q(kind="cron") & ~Q(cron=""),
            ),
        ]

    def __str__(self) -> str:
        return self.suffix


class Window(models.Model):
    """From when to when a season of a series lasts by rule, whoever opened or closed it."""

    rule = models.ForeignKey(WindowRule, models.PROTECT, related_name="windows")
    season = models.OneToOneField(Season, models.PROTECT, related_name="window")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(help_text="Exclusive.")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="window_once_per_start", fields=["rule", "starts_at"]),
            models.CheckConstraint(
                name="window_starts_before_its_end", condition=Q(starts_at__lt=F("ends_at"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d %H:%M} to {self.ends_at:%Y-%m-%d %H:%M}"


class Transition(models.Model):
    """A season's change of state, as it was recorded under the exclusive fence."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="transitions")
    status = models.TextField(help_text="The state that began: open, closing or final.")
    due_at = models.DateTimeField(help_text="When it began by the season's rules.")
    recorded_at = models.DateTimeField(db_default=Now())
    actor = models.TextField(help_text="Who brought it about: a person, or the clock.")
    reason = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="transition_once_per_status", fields=["season", "status"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season_id} {self.status}"


class Epoch(models.Model):
    """The open epoch of a season: every write is stamped with it."""

    season_id = models.BigIntegerField(primary_key=True)
    sealed_epoch = models.BigIntegerField(null=True, help_text="The one that ended last.")
    open_epoch = models.BigIntegerField()

    class Meta:
        managed = False
        db_table = "seasons_epoch"

    def __str__(self) -> str:
        return str(self.open_epoch)


class Seal(models.Model):
    """The end of an epoch: everything accepted before `sealed_at` is in it or before it."""

    season_id = models.BigIntegerField(primary_key=True)
    epoch = models.BigIntegerField(help_text="The epoch that ended.")
    version = models.BigIntegerField(help_text="The number of a version that ends with it.")
    sealed_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "seasons_seal"

    def __str__(self) -> str:
        return str(self.epoch)
