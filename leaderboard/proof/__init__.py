"""
Proof that a version follows from the ledger, and from nothing else.

It shares no statement and no function with publication: an import contract holds that. What a
version must be is recomputed in set-based SQL at its watermark, the ledger rows with an epoch
up to its number, and compared with everything that is stored.
"""

from leaderboard.proof.findings import Check, Difference, Proof, equal
from leaderboard.proof.sample import prove_sample
from leaderboard.proof.subject import Answer, RankAt, Subject, subject_of
from leaderboard.proof.whole import prove

__all__ = [
    "Answer",
    "Check",
    "Difference",
    "Proof",
    "RankAt",
    "Subject",
    "equal",
    "prove",
    "prove_sample",
    "subject_of",
]
