"""Scores in the admin: the ledger, held results, correction requests, and service tokens."""

from scores.admin.ledger import LedgerAdmin
from scores.admin.requests import CorrectionRequestAdmin
from scores.admin.tokens import ServiceTokenAdmin

__all__ = ["CorrectionRequestAdmin", "LedgerAdmin", "ServiceTokenAdmin"]
