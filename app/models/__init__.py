"""All models; each is one table of the database."""

from app.models.api_key import ApiKey, KeyMonth
from app.models.branding import Branding
from app.models.draft import Draft, DraftPhoto
from app.models.engine_release import StoredRelease
from app.models.event import Event, EventCount, Heartbeat
from app.models.fetched_file import FetchedFile
from app.models.idempotency_record import IdempotencyRecord
from app.models.job_metadata import JobMetadata
from app.models.kept_form import KeptForm
from app.models.ledger import LedgerLine, LedgerMonth, WelcomeGift
from app.models.mail import Mail
from app.models.mls_pack import MlsPack
from app.models.order import IncomingFile, Job, Photo, Result, UploadSession
from app.models.organization import AccountTurn, AccountUse, Organization
from app.models.outlook import StoredOutlook
from app.models.photo_facts import PhotoFacts
from app.models.photo_frame import PhotoFrame
from app.models.picture import StoredPicture
from app.models.preset import Preset
from app.models.preview import Preview
from app.models.public_page import PublicPage, PublicPicture
from app.models.purchase import PaymentEvent, Purchase, Receipt
from app.models.revision import Revision
from app.models.share_link import ShareComment, ShareLink, ShareResponse
from app.models.sign_in import KnownBrowser, MailedLink, RecoveryCode, SignIn
from app.models.staff_act import StaffAct
from app.models.team import Activity, Invitation
from app.models.user import Membership, User
from app.models.webhook import Attempt, CallbackSecret, Delivery, Signer, Webhook

__all__ = [
    "AccountTurn",
    "AccountUse",
    "Activity",
    "ApiKey",
    "Attempt",
    "Branding",
    "CallbackSecret",
    "Delivery",
    "Draft",
    "DraftPhoto",
    "Event",
    "EventCount",
    "FetchedFile",
    "Heartbeat",
    "IdempotencyRecord",
    "IncomingFile",
    "Invitation",
    "Job",
    "JobMetadata",
    "KeptForm",
    "KeyMonth",
    "KnownBrowser",
    "LedgerLine",
    "LedgerMonth",
    "Mail",
    "MailedLink",
    "Membership",
    "MlsPack",
    "Organization",
    "PaymentEvent",
    "Photo",
    "PhotoFacts",
    "PhotoFrame",
    "Preset",
    "Preview",
    "PublicPage",
    "PublicPicture",
    "Purchase",
    "Receipt",
    "RecoveryCode",
    "Result",
    "Revision",
    "ShareComment",
    "ShareLink",
    "ShareResponse",
    "SignIn",
    "Signer",
    "StaffAct",
    "StoredOutlook",
    "StoredPicture",
    "StoredRelease",
    "UploadSession",
    "User",
    "Webhook",
    "WelcomeGift",
]
