"""Store who a player's friends are."""

from config import db
from config.errors import FriendsConflict
from scores.queries.stored_friends import StoredFriends, stored_friends
from scores.rules import FriendList
from scores.steps import until_it_holds
from scores.steps.players import write_players

SET_FRIENDS = db.statement(__file__, "set_friends")


def set_friends(given: FriendList) -> StoredFriends:
    """
    Store a player's friend list in one transaction and return what is stored.

    The same list again is stored already. Raises FriendsConflict if an equal or newer version
    with other friends is there, and Unavailable.
    """
    return until_it_holds(lambda: _set(given))


def _set(given: FriendList) -> StoredFriends:
    with write_players():
        written = db.fetch_one(StoredFriends, SET_FRIENDS, **given._asdict())
        stored = written or stored_friends(given.player_id)
    assert stored is not None
    if not stored.says(given):
        raise FriendsConflict
    return stored
