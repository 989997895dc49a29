"""Everything that is stored about a person, as one document for that person.

Data with which a stranger who has the file could enter the account is left out: passwords, secrets, and the text of
mail, which may contain a valid link.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Row, select
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Session, selectinload

from app.database import as_json
from app.domain.api_types import iso, number
from app.domain.disclosure.listing import Listing
from app.domain.evidence import PicturesEvidence
from app.domain.presets import PresetContent
from app.domain.roles import Ability, is_granted
from app.models import (
    Activity,
    ApiKey,
    Draft,
    DraftPhoto,
    FetchedFile,
    Job,
    LedgerLine,
    Mail,
    MlsPack,
    Organization,
    Photo,
    PhotoFrame,
    Preset,
    PublicPage,
    Purchase,
    Receipt,
    Result,
    Revision,
    ShareComment,
    ShareLink,
    ShareResponse,
    SignIn,
    StoredPicture,
    User,
    Webhook,
)
from app.services.accounts import brandings, organizations, users
from app.services.accounts.brandings import StudioLook
from app.services.photos import shares
from engine.types.edit_request import EditRequest

Document = dict[str, Any]

_USER = (User.name, User.email, User.created_at, User.confirmed_at, User.totp_since, User.mails_off)
_ORGANIZATION = (
    Organization.credits,
    Organization.low_balance,
    Organization.file_names,
    Organization.keeps_photos,
    Organization.engine_channel,
    Organization.pictures_agreed_at,
    Organization.billing_company,
    Organization.billing_address,
    Organization.tax_id,
)
_SIGN_IN = (SignIn.user_agent, SignIn.address, SignIn.created_at, SignIn.last_seen_at, SignIn.expires_at)
_KEY = (
    ApiKey.name,
    ApiKey.visible_prefix,
    ApiKey.visible_suffix,
    ApiKey.scopes,
    ApiKey.upload_origins,
    ApiKey.budget,
    ApiKey.created_at,
    ApiKey.expires_at,
    ApiKey.revoked_at,
    ApiKey.last_used_at,
    ApiKey.last_used_address,
)
_JOB = (
    Job.id,
    Job.address,
    Job.external_id,
    Job.own_metadata,
    Job.service_type,
    Job.status,
    Job.credit_cost,
    Job.credits_refunded,
    Job.created_at,
    Job.completed_at,
    Job.delivered_at,
    Job.kept_until,
    Job.expired_at,
    Job.error,
    Job.undeliverable_reason,
    Job.cancelled_at,
    Job.listing,
    Job.recipes,
    Job.evidence,
)
_PHOTO = (Photo.id, Photo.type, Photo.index, Photo.file_name, Photo.size_bytes, Photo.edit_request)
_FRAME = (PhotoFrame.file_name, PhotoFrame.size_bytes)
_RESULT = (Result.id, Result.verdict, Result.message, Result.created_at)
_PICTURE = (StoredPicture.width, StoredPicture.height)
_REVISION = (
    Revision.id,
    Revision.round,
    Revision.flaw,
    Revision.message,
    Revision.without,
    Revision.outcome,
    Revision.answer,
    Revision.credits_refunded,
    Revision.created_at,
    Revision.decided_at,
)
_DRAFT = (Draft.id, Draft.content, Draft.created_at, Draft.updated_at)
_DRAFT_PHOTO = (
    DraftPhoto.id,
    DraftPhoto.type,
    DraftPhoto.file_name,
    DraftPhoto.size_bytes,
    DraftPhoto.edit_request,
    DraftPhoto.uploaded_at,
    DraftPhoto.group_id,
)
_FETCHED_FILE = (FetchedFile.url, FetchedFile.created_at)
_LINE = (LedgerLine.created_at, LedgerLine.kind, LedgerLine.amount, LedgerLine.balance_after, LedgerLine.reason)
_PUBLIC_PAGE = (
    PublicPage.token,
    PublicPage.job_id,
    PublicPage.address,
    PublicPage.created_at,
    PublicPage.expires_at,
    PublicPage.revoked_at,
)
_MLS_PACK = (MlsPack.id, MlsPack.job_id, MlsPack.mls, MlsPack.labeled, MlsPack.created_at, MlsPack.size_bytes)
_PRESET = (Preset.id, Preset.name, Preset.content, Preset.is_default, Preset.created_at, Preset.updated_at)
_SHARE_LINK = (
    ShareLink.id,
    ShareLink.job_id,
    ShareLink.title,
    ShareLink.may_download,
    ShareLink.created_at,
    ShareLink.expires_at,
    ShareLink.revoked_at,
    ShareLink.last_seen_at,
)
_SHARE_RESPONSE = (
    ShareResponse.verdict,
    ShareResponse.name,
    ShareResponse.email,
    ShareResponse.message,
    ShareResponse.said_at,
)
_SHARE_COMMENT = (ShareComment.number, ShareComment.favorite, ShareComment.text, ShareComment.said_at)
_WEBHOOK = (Webhook.id, Webhook.url, Webhook.events, Webhook.active, Webhook.created_at)
_PURCHASE = (
    Purchase.id,
    Purchase.credits,
    Purchase.price_cents,
    Purchase.currency,
    Purchase.provider,
    Purchase.state,
    Purchase.refunded_cents,
    Purchase.dispute,
    Purchase.credits_taken,
    Purchase.credits_owed,
    Purchase.created_at,
    Purchase.paid_at,
    Purchase.ended_at,
)
_RECEIPT = (
    Receipt.number,
    Receipt.buyer_name,
    Receipt.buyer_email,
    Receipt.buyer_company,
    Receipt.buyer_address,
    Receipt.buyer_tax_id,
    Receipt.seller,
    Receipt.issued_at,
)
_MAIL = (Mail.to, Mail.subject, Mail.created_at, Mail.sent_at)

_ACTIVITY = (Activity.event, Activity.about, Activity.created_at)

Columns = Sequence[InstrumentedAttribute[Any]]


def collect(session: Session, user_id: str, account_id: str, now: datetime) -> Document:
    """Everything that is stored about the user, ready for JSON. For an owner this includes the organization for
    which they act, and its sandbox. Raises NotFound.
    """
    user, member = users.get(session, user_id), organizations.get_member(session, account_id, user_id)
    is_owner = is_granted(member.role, Ability.MANAGE)
    sandbox_id = session.scalar(select(Organization.id).where(Organization.sandbox_of == account_id))
    whose = _as_document(member.organization, _ORGANIZATION) if is_owner else {}
    return {
        "madeAt": iso(now),
        "account": {"id": account_id, **_as_document(user, _USER), "role": member.role, **whose},
        "signIns": [
            _as_document(each, _SIGN_IN) for each in _read_rows(session, SignIn, SignIn.user_id == user_id)
        ],
        **(_collect_organization(session, account_id) if is_owner else {}),
        **({"testMode": _collect_organization(session, sandbox_id)} if is_owner and sandbox_id else {}),
        "mails": [_as_document(each, _MAIL) for each in _read_rows(session, Mail, Mail.user_id == user_id)],
        "done": [
            _as_document(each, _ACTIVITY)
            for each in _read_rows(
                session, Activity, Activity.account_id.in_([account_id, sandbox_id]), Activity.user_id == user_id
            )
        ],
    }


def _collect_organization(session: Session, account_id: str) -> Document:
    hooks = _read_rows(session, Webhook, Webhook.account_id == account_id, Webhook.deleted_at.is_(None))
    return {
        "apiKeys": [
            _as_document(each, _KEY) for each in _read_rows(session, ApiKey, ApiKey.account_id == account_id)
        ],
        "orders": [_order(each) for each in _orders(session, account_id)],
        "drafts": [_draft(each) for each in _drafts(session, account_id)],
        "filesToFetch": [_as_document(each, _FETCHED_FILE) for each in _files_to_fetch(session, account_id)],
        "credits": [
            _as_document(each, _LINE)
            for each in _read_rows(session, LedgerLine, LedgerLine.account_id == account_id)
        ],
        "purchases": [_purchase(*each) for each in _purchases(session, account_id)],
        "publicPages": [
            _as_document(each, _PUBLIC_PAGE)
            for each in _read_rows(session, PublicPage, PublicPage.account_id == account_id)
        ],
        "mlsPacks": [
            _as_document(each, _MLS_PACK) for each in _read_rows(session, MlsPack, MlsPack.account_id == account_id)
        ],
        "presets": [
            _as_document(each, _PRESET) for each in _read_rows(session, Preset, Preset.account_id == account_id)
        ],
        "branding": _branding(brandings.find(session, account_id)),
        "shareLinks": [_share_link(each) for each in shares.get_all(session, account_id)],
        "webhooks": [_as_document(each, _WEBHOOK) for each in hooks],
    }


def _read_rows(session: Session, kind: type[Any], *conditions: ColumnElement[bool]) -> Sequence[Any]:
    return session.scalars(select(kind).where(*conditions).order_by(kind.created_at, kind.id)).all()


def _orders(session: Session, account_id: str) -> Sequence[Job]:
    with_photos = selectinload(Job.photos)
    mine = select(Job).where(Job.account_id == account_id).order_by(Job.created_at, Job.id)
    results = with_photos.selectinload(Photo.result).selectinload(Result.revisions)
    parts = results, with_photos.selectinload(Photo.frames)
    return session.scalars(mine.options(*parts)).all()


def _drafts(session: Session, account_id: str) -> Sequence[Draft]:
    mine = select(Draft).where(Draft.account_id == account_id, Draft.job_id.is_(None)).order_by(Draft.created_at)
    return session.scalars(mine.options(selectinload(Draft.photos))).all()


def _files_to_fetch(session: Session, account_id: str) -> Sequence[FetchedFile]:
    """The files that are still to be fetched from their URLs; the URLs of all other files are deleted already."""
    mine = select(FetchedFile).where(FetchedFile.account_id == account_id, FetchedFile.url.is_not(None))
    return session.scalars(mine.order_by(FetchedFile.created_at, FetchedFile.key)).all()


def _purchases(session: Session, account_id: str) -> Sequence[Row[Purchase, Receipt | None]]:
    query = select(Purchase, Receipt).outerjoin(Receipt, Receipt.purchase_id == Purchase.id)
    mine = query.where(Purchase.account_id == account_id).order_by(Purchase.created_at, Purchase.id)
    return session.execute(mine).all()


def _purchase(purchase: Purchase, receipt: Receipt | None) -> Document:
    return {**_as_document(purchase, _PURCHASE), "receipt": _as_document(receipt, _RECEIPT) if receipt else None}


def _order(job: Job) -> Document:
    return {**_as_document(job, _JOB), "photos": [_photo(each) for each in job.photos]}


def _photo(photo: Photo) -> Document:
    frames = [_as_document(each, _FRAME) for each in photo.frames]
    result = _result(photo.result) if photo.result else None
    return {**_as_document(photo, _PHOTO), "frames": frames, "result": result}


def _result(result: Result) -> Document:
    rounds = [_as_document(each, _REVISION) for each in result.rounds]
    return {**_as_document(result, _RESULT), **_as_document(result.picture, _PICTURE), "sentBack": rounds}


def _branding(look: StudioLook) -> Document | None:
    """The branding without the logo itself, which the owner uploaded and can see on the page of the branding."""
    if look == StudioLook():
        return None
    known = {"studioName": look.studio_name, "phone": look.phone, "color": look.color}
    return {**known, "logoSha256": look.logo_digest}


def _share_link(link: ShareLink) -> Document:
    answer = _as_document(link.response, _SHARE_RESPONSE) if link.response else None
    comments = [_as_document(each, _SHARE_COMMENT) for each in link.comments]
    return {**_as_document(link, _SHARE_LINK), "answer": answer, "comments": comments}


def _draft(draft: Draft) -> Document:
    return {**_as_document(draft, _DRAFT), "photos": [_as_document(each, _DRAFT_PHOTO) for each in draft.photos]}


def _as_document(row: DeclarativeBase, columns: Columns) -> Document:
    return {_camel_case(column.key): _as_json_value(getattr(row, column.key)) for column in columns}


def _camel_case(key: str) -> str:
    head, *rest = key.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _as_json_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, EditRequest):
        return None if value == EditRequest() else as_json(value)
    if isinstance(value, Listing | PicturesEvidence | PresetContent):
        return as_json(value)
    return number(value) if isinstance(value, Decimal) else value
