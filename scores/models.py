"""
The ledger of everything accepted, the bests it folds to, and who may write.

Ledger, bests, undo and tallies are made in SQL: they are partitioned by namespace, and
their keys begin with it. So are profiles and friends, whose key goes byte by byte. Django's
models of them declare the columns for reading.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from seasons.models import Season


class Ledger(models.Model):
    """One immutable row for each event: a result or a correction, as accepted."""

    id = models.BigIntegerField(primary_key=True)
    namespace = models.IntegerField()
    epoch = models.BigIntegerField()
    kind_group = models.SmallIntegerField(help_text="0: the match service's ids; 1: our own.")
    kind = models.TextField()
    event_id = models.TextField()
    match_id = models.TextField(null=True)
    player_id = models.TextField()
    score = models.IntegerField(null=True, help_text="As sent; null for a removal or a void.")
    score_version = models.BigIntegerField()
    revision = models.IntegerField()
    completed_at = models.DateTimeField(null=True)
    achieved_at = models.DateTimeField(null=True)
    keeps_time = models.BooleanField(help_text="A correction that leaves the time as it is.")
    void_event_id = models.TextField(null=True)
    corrects_event_id = models.TextField(null=True)
    reason = models.TextField(null=True)
    evidence = models.TextField(null=True)
    approved_by = models.TextField(null=True)
    display = models.TextField(null=True, help_text="JSON that entries show; null: none.")
    moved_to = models.TextField(null=True, help_text="The season where a late result counts.")
    accepted_at = models.DateTimeField()
    outcome = models.TextField()
    receipt_score = models.IntegerField(null=True)
    receipt_version = models.BigIntegerField(null=True)
    visible_in_version = models.BigIntegerField(null=True)
    change_no = models.BigIntegerField(null=True)
    old_score = models.IntegerField(null=True, help_text="Shown before; null: not on a board.")
    new_score = models.IntegerField(null=True)
    old_region = models.SmallIntegerField(null=True)
    new_region = models.SmallIntegerField(null=True)
    old_tie_key = models.BigIntegerField(null=True)
    new_tie_key = models.BigIntegerField(null=True)
    row_hash = models.BigIntegerField(help_text="Of the row's content, as it was written.")

    class Meta:
        managed = False
        db_table = "scores_ledger"

    def __str__(self) -> str:
        return self.event_id


class Best(models.Model):
    """The one row of a player in a season: the score shown, its version, its region."""

    player_id = models.TextField(primary_key=True)
    namespace = models.IntegerField()
    score = models.IntegerField(null=True, help_text="As shown; null: not on a board.")
    hidden_score = models.IntegerField(null=True, help_text="Folds on while removed.")
    removed = models.BooleanField()
    tie_key = models.BigIntegerField()
    hidden_tie_key = models.BigIntegerField(null=True)
    region = models.SmallIntegerField(null=True)
    score_version = models.BigIntegerField()
    revision = models.IntegerField()
    epoch = models.BigIntegerField(help_text="When what is shown changed last.")
    change_no = models.BigIntegerField()
    previous_score = models.IntegerField(null=True)
    previous_hidden_score = models.IntegerField(null=True)
    previous_tie_key = models.BigIntegerField(null=True)
    previous_region = models.SmallIntegerField(null=True)
    previous_epoch = models.BigIntegerField(null=True)

    class Meta:
        managed = False
        db_table = "scores_best"

    def __str__(self) -> str:
        return self.player_id


class Undo(models.Model):
    """What a best showed before a later epoch changed it."""

    player_id = models.TextField(primary_key=True)
    namespace = models.IntegerField()
    from_epoch = models.BigIntegerField()
    to_epoch = models.BigIntegerField(help_text="Exclusive.")
    score = models.IntegerField()
    tie_key = models.BigIntegerField()
    region = models.SmallIntegerField(null=True)

    class Meta:
        managed = False
        db_table = "scores_undo"

    def __str__(self) -> str:
        return f"{self.player_id} until {self.to_epoch}"


class Tally(models.Model):
    """What one batch did, counted from its upserts: the second witness beside the ledger."""

    id = models.BigIntegerField(primary_key=True)
    namespace = models.IntegerField()
    epoch = models.BigIntegerField()
    events = models.IntegerField()
    changes = models.IntegerField()
    entered = models.IntegerField()
    left_board = models.IntegerField()
    score_delta = models.BigIntegerField()
    hash = models.DecimalField(max_digits=40, decimal_places=0)

    class Meta:
        managed = False
        db_table = "scores_tally"

    def __str__(self) -> str:
        return f"{self.changes} changes in epoch {self.epoch}"


class Profile(models.Model):
    """
    What the trusted services say of a player, whatever the season.

    Of version 0 a row is empty: writers of results make it to have something to lock.
    """

    player_id = models.TextField(primary_key=True)
    region = models.TextField(null=True, help_text="A code; null: on global boards only.")
    profile_version = models.BigIntegerField()
    updated_at = models.DateTimeField(null=True)

    class Meta:
        managed = False
        db_table = "scores_profile"

    def __str__(self) -> str:
        return self.player_id


class Friends(models.Model):
    """The friends of a player, as the trusted services gave them: no board is kept for them."""

    player_id = models.TextField(primary_key=True)
    friends_version = models.BigIntegerField()
    friend_ids = ArrayField(models.TextField(), help_text="Each once, the player left out.")
    updated_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "scores_friends"

    def __str__(self) -> str:
        return self.player_id


class CorrectionRequest(models.Model):
    """A correction that one person asked for and another one decides on."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="correction_requests")
    player_id = models.TextField()
    kind = models.TextField(
        choices=[("set", "New score"), ("remove", "Removal"), ("void", "Void")]
    )
    corrected_score = models.IntegerField(null=True, blank=True)
    void_event_id = models.TextField(null=True, blank=True)
    corrects_event_id = models.TextField(null=True, blank=True)
    reason = models.TextField()
    evidence = models.TextField(blank=True)
    requested_by = models.ForeignKey("auth.User", models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now())
    status = models.TextField(default="requested", help_text="requested, approved or rejected")
    decided_by = models.ForeignKey("auth.User", models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.TextField(blank=True)
    event_id = models.TextField(null=True, help_text="Of the ledger row that it became.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="correction_request_status",
                condition=models.Q(status__in=["requested", "approved", "rejected"]),
            ),
            models.CheckConstraint(
                name="correction_request_decided_by_somebody",
                condition=models.Q(status="requested", decided_by=None, decided_at=None)
                | models.Q(decided_by__isnull=False, decided_at__isnull=False)
                & ~models.Q(status="requested"),
            ),
            models.CheckConstraint(
                name="correction_request_approved_is_in_ledger",
                condition=models.Q(status="approved", event_id__isnull=False)
                | ~models.Q(status="approved") & models.Q(event_id=None),
            ),
        ]
        indexes = [
            models.Index(
                name="request_waiting_in_order",
                fields=["requested_at", "id"],
                condition=models.Q(status="requested"),
            ),
            models.Index(name="request_in_player_order", fields=["season", "player_id"]),
        ]
        permissions = [
            ("decide_correctionrequest", "Can approve and reject correction requests"),
            ("decide_held", "Can let held results in and refuse them"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.player_id}"


class ServiceToken(models.Model):
    """What a trusted service shows to write: only a hash of it is kept."""

    name = models.TextField(unique=True)
    token_hash = models.TextField(unique=True, editable=False)
    scopes = ArrayField(models.TextField())
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)

    def __str__(self) -> str:
        return self.name
