"""The tables."""

from app.models.account import Account, ApiKey
from app.models.event import Event, Heartbeat
from app.models.ledger import LedgerLine
from app.models.order import Job, Photo, Result, UploadSession

__all__ = ["Account", "ApiKey", "Event", "Heartbeat", "Job", "LedgerLine", "Photo", "Result", "UploadSession"]
