"""The tables."""

from app.models.account import Account, ApiKey
from app.models.event import Event, Heartbeat
from app.models.kept_answer import KeptAnswer
from app.models.ledger import LedgerLine
from app.models.mail import Mail
from app.models.order import Job, Photo, Result, UploadSession
from app.models.webhook import Attempt, Delivery, Webhook

__all__ = [
    "Account",
    "ApiKey",
    "Attempt",
    "Delivery",
    "Event",
    "Heartbeat",
    "Job",
    "KeptAnswer",
    "LedgerLine",
    "Mail",
    "Photo",
    "Result",
    "UploadSession",
    "Webhook",
]
