"""The friends of a player, as the trusted services gave them."""

from datetime import datetime
from typing import NamedTuple

from config import db
from scores.rules import FriendList

STORED_FRIENDS = db.statement(__file__, "stored_friends")


class StoredFriends(NamedTuple):
    """A friend list as it is stored, and since when."""

    player_id: str
    friend_ids: list[str]
    friends_version: int
    updated_at: datetime

    def says(self, given: FriendList) -> bool:
        """Return whether a list is this one: the order of its friends says nothing."""
        same_friends = set(self.friend_ids) == set(given.friend_ids)
        return same_friends and self.friends_version == given.friends_version


def stored_friends(player_id: str, *, using: str = "default") -> StoredFriends | None:
    """Return the friend list of a player, None if there is none."""
    return db.fetch_one(StoredFriends, STORED_FRIENDS, using=using, player_id=player_id)
