"""Ways to alter one thing of a season behind its back, and what of a proof must then differ."""

from typing import NamedTuple

BEST = "UPDATE scores_best SET {change} WHERE namespace = {n} AND player_id = '{player}'"
LEDGER = "UPDATE scores_ledger SET {change} WHERE namespace = {n} AND {row}"
UNDO = "UPDATE scores_undo SET {change} WHERE namespace = {n} AND player_id = '{player}'"
BUCKET = """
UPDATE leaderboard_bucket SET {change}
WHERE namespace = {n} AND bucket = 0 AND version = (
    SELECT max(version) FROM leaderboard_bucket WHERE namespace = {n} AND bucket = 0
)
"""
OF_VERSION = "UPDATE {table} SET {change} WHERE namespace = {n} AND version = {v}"
VERSION = "UPDATE leaderboard_version SET {change} WHERE namespace = {n} AND number = {v}"
PREFIX = """
UPDATE leaderboard_prefix SET {change} WHERE namespace = {n} AND version = {v} AND slice = 0
"""
ONE_MORE = (
    "{counts} = overlay("
    "{counts} PLACING (substring({counts} FROM {bit} FOR {bits})::integer + 1)::bit({bits}) "
    "FROM {bit})"
)
REHASHED = """
row_hash = hash_record_extended(ROW(
    epoch, kind_group, kind, accepted_at, event_id, match_id, player_id, {score}, score_version,
    revision, completed_at, achieved_at, keeps_time, void_event_id, corrects_event_id, reason,
    evidence, approved_by, display, moved_to, outcome, receipt_score, receipt_version,
    visible_in_version, change_no, old_score, new_score, old_region, new_region, old_tie_key,
    new_tie_key
), 0)
"""


BOUNDARY = """
UPDATE leaderboard_boundary SET {change}
WHERE boundary_set = (
    SELECT layout.boundary_sets[{board} + 1] FROM leaderboard_layout AS layout
    WHERE layout.id = (
        SELECT layout_id FROM leaderboard_version WHERE namespace = {n} AND number = {v}
    )
) AND bucket = {bucket}
"""


class Damage(NamedTuple):
    """A statement that alters something, and where which kinds of comparison must see it."""

    statement: str
    seen: dict[str, str]


def best(player: str, change: str) -> str:
    return BEST.replace("{change}", change).replace("{player}", player)


def ledger(row: str, change: str) -> str:
    return LEDGER.replace("{change}", change).replace("{row}", row)


def undo(player: str, change: str) -> str:
    return UNDO.replace("{change}", change).replace("{player}", player)


def bucket(change: str) -> str:
    return BUCKET.replace("{change}", change)


def of_version(table: str, change: str) -> str:
    return OF_VERSION.replace("{change}", change).replace("{table}", table)


def of_board(board: int, table: str, change: str) -> str:
    return f"{of_version(table, change)} AND board = {board}"


def boundary(board: int, bucket: int, change: str) -> str:
    chosen = BOUNDARY.replace("{board}", str(board)).replace("{bucket}", str(bucket))
    return chosen.replace("{change}", change)


def one_more(counts: str, place: int, bits: int = 32) -> str:
    filled = ONE_MORE.replace("{counts}", counts).replace("{bits}", str(bits))
    return filled.replace("{bit}", str(bits * place + 1))


BOB = {"bests": "bob"}
MOVE = "player_id = 'bob' AND kind = 'region'"
NOT_IMPROVED = "player_id = 'bob' AND outcome = 'not_improved'"
STALE = "player_id = 'ann' AND outcome = 'stale_version'"

DAMAGE = {
    "a bucket row: how many players it has": Damage(
        bucket("members = members + 1"), {"buckets": "bucket 0"}
    ),
    "a bucket row: how many stand above a score that somebody has": Damage(
        bucket(one_more("above", 10, bits=16)), {"buckets": "bucket 0"}
    ),
    "a bucket row: cut short": Damage(
        bucket("above = substring(above FROM 1 FOR 640)"), {"buckets": "bucket 0"}
    ),
    "a bucket row deleted": Damage(
        "DELETE FROM leaderboard_bucket WHERE namespace = {n} AND bucket = 0",
        {"buckets": "bucket 0", "prefixes": "bucket 0"},
    ),
    "how many more stand above a score": Damage(
        PREFIX.replace("{change}", one_more("gained", 1, bits=16)), {"buckets": "bucket 0"}
    ),
    "which score gained a player": Damage(
        PREFIX.replace("{change}", "places[2] = places[2] + 1"), {"buckets": "bucket 0"}
    ),
    "what buckets gained deleted": Damage(
        PREFIX.replace("{change}", "places = NULL, gained = NULL"),
        {"buckets": "bucket 0", "ranks": "bob"},
    ),
    "a prefix": Damage(
        PREFIX.replace("{change}", one_more("above", 1)),
        {"prefixes": "bucket 1"},
    ),
    "the age beside a prefix": Damage(
        PREFIX.replace("{change}", one_more("age", 0)),
        {"prefixes": "bucket 0"},
    ),
    "the prefixes deleted": Damage(
        "DELETE FROM leaderboard_prefix WHERE namespace = {n} AND version = {v} AND slice = 0",
        {"prefixes": "bucket 3", "ranks": "bob"},
    ),
    "a best's score": Damage(best("bob", "score = 21"), {**BOB, "counts": "bucket 0"}),
    "a best's stamp, earlier": Damage(best("bob", "epoch = epoch - 1"), BOB),
    "a best's stamp, later than the version": Damage(
        best("bob", "epoch = 1000000"), {**BOB, "counts": "bucket 0"}
    ),
    "a best's version": Damage(best("bob", "score_version = 9"), BOB),
    "a best's revision": Damage(best("bob", "revision = 1"), BOB),
    "a best's number of changes": Damage(best("bob", "change_no = change_no + 1"), BOB),
    "a best's tie key": Damage(best("bob", "tie_key = 7"), BOB),
    "a best hidden": Damage(
        best("bob", "hidden_score = score, score = NULL, removed = true"),
        {**BOB, "counts": "bucket 0"},
    ),
    "a hidden best's score": Damage(
        best("ivy", "hidden_score = hidden_score + 1"), {"bests": "ivy"}
    ),
    "a removed player brought back": Damage(
        best("ivy", "score = hidden_score, hidden_score = NULL, removed = false"),
        {"bests": "ivy", "counts": "bucket 0"},
    ),
    "a best deleted": Damage(
        "DELETE FROM scores_best WHERE namespace = {n} AND player_id = 'bob'",
        {**BOB, "counts": "bucket 0", "ranks": "bob"},
    ),
    "a best that no event made": Damage(
        "INSERT INTO scores_best (namespace, player_id, score, score_version, epoch, change_no)"
        " VALUES ({n}, 'zoe', 11, 1, 2, 1)",
        {"bests": "zoe", "counts": "bucket 0"},
    ),
    "a best with an undo row beside it": Damage(
        "INSERT INTO scores_undo (namespace, player_id, score, tie_key, from_epoch, to_epoch)"
        " VALUES ({n}, 'bob', 20, 0, 1, 1000000)",
        {"duplicates": "bob", "counts": "bucket 0", "undo": "bob"},
    ),
    "an undo row's score": Damage(undo("ann", "score = score + 1"), {"undo": "ann"}),
    "an undo row's begin": Damage(undo("ann", "from_epoch = from_epoch - 1"), {"undo": "ann"}),
    "an undo row's end": Damage(undo("dan", "to_epoch = to_epoch + 1"), {"undo": "dan"}),
    "undo rows deleted": Damage(
        "DELETE FROM scores_undo WHERE namespace = {n} AND player_id = 'dan'", {"undo": "dan"}
    ),
    "an undo row too many": Damage(
        "INSERT INTO scores_undo (namespace, player_id, score, tie_key, from_epoch, to_epoch)"
        " VALUES ({n}, 'eve', 9, 0, 2, 3)",
        {"undo": "eve"},
    ),
    "the score of a ledger row that made a best": Damage(
        ledger("player_id = 'bob' AND outcome = 'improved'", "score = 21"),
        {"ledger rows": "bob", **BOB, "counts": "bucket 0", "chain": "bob", "ranks": "bob"},
    ),
    "the score of a ledger row that changed no best": Damage(
        ledger(NOT_IMPROVED, "score = score + 1"), {"ledger rows": "bob"}
    ),
    "the score of a stale ledger row": Damage(
        ledger(STALE, "score = score + 1"), {"ledger rows": "ann"}
    ),
    "the score of a ledger row that changed no best, with the hash to match": Damage(
        ledger(NOT_IMPROVED, "score = score + 1, " + REHASHED.replace("{score}", "score + 1")),
        {"ledger of versions": "epochs 3 to 3"},
    ),
    "the receipt in a ledger row, with the hash to match": Damage(
        ledger(
            NOT_IMPROVED,
            "receipt_score = 19, "
            + REHASHED.replace("{score}", "score").replace("receipt_score, r", "19, r"),
        ),
        {"ledger of versions": "epochs 3 to 3", "chain": "bob"},
    ),
    "the new score of a ledger row": Damage(
        ledger("player_id = 'bob' AND change_no = 1", "new_score = 19"),
        {"ledger rows": "bob", "chain": "bob"},
    ),
    "the number of a change": Damage(
        ledger("player_id = 'bob' AND change_no = 2", "change_no = 3"),
        {"ledger rows": "bob", "chain": "bob"},
    ),
    "the void of a removal": Damage(
        ledger("player_id = 'hal' AND kind = 'void'", "void_event_id = 'other'"),
        {"ledger rows": "hal", "bests": "hal", "counts": "bucket 0", "chain": "hal"},
    ),
    "the hash of a ledger row": Damage(
        ledger(STALE, "row_hash = row_hash + 1"),
        {"ledger rows": "ann", "ledger of versions": "epochs 4 to 4"},
    ),
    "a ledger row deleted that a later one follows": Damage(
        "DELETE FROM scores_ledger WHERE namespace = {n} AND player_id = 'bob' AND change_no = 1",
        {"ledger of versions": "epochs 2 to 2", "chain": "bob"},
    ),
    "the last ledger row of a player deleted": Damage(
        "DELETE FROM scores_ledger WHERE namespace = {n} AND player_id = 'bob' AND change_no = 2",
        {"ledger of versions": "epochs 3 to 3", **BOB},
    ),
    "the only ledger row of a player deleted": Damage(
        "DELETE FROM scores_ledger WHERE namespace = {n} AND player_id = 'eve'",
        {"ledger of versions": "epochs 2 to 2", "bests": "eve", "counts": "bucket 0"},
    ),
    "a stale ledger row deleted": Damage(
        "DELETE FROM scores_ledger WHERE namespace = {n} AND " + STALE,
        {"ledger of versions": "epochs 4 to 4"},
    ),
    "a top row's player": Damage(
        of_version("leaderboard_top", "player_ids[1] = 'zoe'"), {"top": "place 1"}
    ),
    "a top row's score": Damage(
        of_version("leaderboard_top", "scores[2] = scores[2] + 1"), {"top": "place 2"}
    ),
    "a top row's rank": Damage(of_version("leaderboard_top", "ranks[2] = 3"), {"top": "place 2"}),
    "a top row cut short": Damage(
        of_version(
            "leaderboard_top",
            "player_ids = player_ids[:2], scores = scores[:2], ranks = ranks[:2],"
            " tie_keys = tie_keys[:2]",
        ),
        {"top": "place 3"},
    ),
    "how many players a version has": Damage(
        VERSION.replace("{change}", "members[1] = members[1] + 1"), {"members": "version"}
    ),
    "the sum of a version's scores": Damage(
        VERSION.replace("{change}", "score_sums[1] = score_sums[1] + 1"), {"score sum": "version"}
    ),
    "the first epoch of a version": Damage(
        VERSION.replace("{change}", "first_epoch = first_epoch - 1"),
        {"first epoch": "version 7"},
    ),
    "the ledger rows that a version counted": Damage(
        VERSION.replace("{change}", "ledger_rows = ledger_rows + 1"),
        {"ledger of versions": "version 7"},
    ),
}

# Of a season with times and regions: EU is board 1, NA is board 2. Each bucket has fifteen or
# sixteen scores, and the lowest is bucket 0.
DAMAGE_IN_REGIONS = {
    "a best's region": Damage(
        best("bob", "region = 1"), {**BOB, "counts": "NA: bucket 1", "ranks": "NA: bob"}
    ),
    "a best without its region": Damage(
        best("bob", "region = NULL"), {**BOB, "counts": "NA: bucket 1"}
    ),
    "a best with a region": Damage(
        best("fay", "region = 1"), {"bests": "fay", "counts": "EU: bucket 0"}
    ),
    "a removed player's region": Damage(best("ivy", "region = 1"), {"bests": "ivy"}),
    "a best's tie key": Damage(
        best("bob", "tie_key = tie_key + 1"), {**BOB, "counts": "NA: bucket 1"}
    ),
    "a removed player's tie key": Damage(best("ivy", "tie_key = 1"), {"bests": "ivy"}),
    "a hidden tie key": Damage(
        best("ivy", "hidden_tie_key = hidden_tie_key - 1"), {"bests": "ivy"}
    ),
    "the tie key of a score whose time was cleared": Damage(
        best("ann", "tie_key = 4"), {"bests": "ann", "counts": "EU: bucket 0"}
    ),
    "an undo row's region": Damage(undo("bob", "region = 2"), {"undo": "bob"}),
    "an undo row without its region": Damage(undo("cid", "region = NULL"), {"undo": "cid"}),
    "an undo row's tie key": Damage(undo("bob", "tie_key = tie_key + 1"), {"undo": "bob"}),
    "the region that a ledger row says a player moved to": Damage(
        ledger(MOVE, "new_region = 1"), {"ledger rows": "bob", "chain": "bob"}
    ),
    "the region that a ledger row says a player moved from": Damage(
        ledger(MOVE, "old_region = 2"), {"ledger rows": "bob", "chain": "bob"}
    ),
    "the region of the last ledger row of a player": Damage(
        ledger("player_id = 'eve' AND kind = 'region'", "new_region = 2"),
        {"ledger rows": "eve", "bests": "eve", "counts": "EU: bucket 0", "members": "NA: version"},
    ),
    "the tie key of a ledger row": Damage(
        ledger("player_id = 'bob' AND change_no = 1", "new_tie_key = new_tie_key + 1"),
        {"ledger rows": "bob", "chain": "bob"},
    ),
    "the tie keys of a move": Damage(
        ledger(MOVE, "old_tie_key = 1, new_tie_key = 1"), {"ledger rows": "bob", "chain": "bob"}
    ),
    "the score of a move": Damage(
        ledger(MOVE, "new_score = 21"), {"ledger rows": "bob", "chain": "bob"}
    ),
    "the time of a ledger row that made a best": Damage(
        ledger(
            "player_id = 'bob' AND score_version = 9",
            "completed_at = completed_at + interval '1 microsecond'",
        ),
        {"ledger rows": "bob", **BOB, "chain": "bob", "counts": "bucket 1"},
    ),
    "the time that a correction cleared": Damage(
        ledger("player_id = 'ann' AND kind = 'correction'", "keeps_time = true"),
        {"ledger rows": "ann", "bests": "ann", "chain": "ann"},
    ),
    "a move deleted": Damage(
        "DELETE FROM scores_ledger WHERE namespace = {n} AND " + MOVE,
        {"ledger of versions": "epochs 8 to 8", "chain": "bob"},
    ),
    "a prefix of the global board": Damage(
        of_board(0, "leaderboard_prefix", one_more("above", 0)), {"prefixes": "bucket 0"}
    ),
    "a prefix of a region": Damage(
        of_board(2, "leaderboard_prefix", one_more("above", 1)), {"prefixes": "NA: bucket 1"}
    ),
    "the prefixes of a region deleted": Damage(
        "DELETE FROM leaderboard_prefix WHERE namespace = {n} AND version = {v} AND board = 1",
        {"prefixes": "EU: bucket 60", "ranks": "EU: ann"},
    ),
    "an age beside a prefix that has none": Damage(
        of_board(1, "leaderboard_prefix", "age = above"), {"prefixes": "EU: bucket 50"}
    ),
    "a top row's player in a region": Damage(
        of_board(2, "leaderboard_top", "player_ids[1] = 'zoe'"), {"top": "NA: place 1"}
    ),
    "a top row's rank in a region": Damage(
        of_board(2, "leaderboard_top", "ranks[2] = 1"), {"top": "NA: place 2"}
    ),
    "a top row's tie key": Damage(
        of_board(0, "leaderboard_top", "tie_keys[2] = tie_keys[2] + 1"), {"top": "place 2"}
    ),
    "the top of a region deleted": Damage(
        "DELETE FROM leaderboard_top WHERE namespace = {n} AND version = {v} AND board = 1",
        {"top": "EU: place 1"},
    ),
    "how many players a region has": Damage(
        VERSION.replace("{change}", "members[2] = members[2] + 1"), {"members": "EU: version"}
    ),
    "the sum of a region's scores": Damage(
        VERSION.replace("{change}", "score_sums[3] = 0"), {"score sum": "NA: version"}
    ),
    "a boundary that players then are on the other side of": Damage(
        boundary(0, 0, "score = 11"), {"prefixes": "bucket 0"}
    ),
    "a boundary of a region": Damage(boundary(2, 0, "score = 1"), {"prefixes": "NA: bucket 0"}),
    "a boundary below that of the bucket below": Damage(
        boundary(2, 5, "score = 20"), {"boundaries": "NA: bucket 5"}
    ),
    "a boundary deleted": Damage(
        boundary(1, 60, "").replace("UPDATE", "DELETE FROM").replace("SET", ""),
        {"boundaries": "EU: bucket 61"},
    ),
    "a boundary that stands above all": Damage(
        boundary(1, 63, "tie_key = 0, score = 0"), {"boundaries": "EU: bucket 63"}
    ),
}
