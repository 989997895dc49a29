"""Models of the API's answers; their JSON names are the documented interface."""

from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema

from app.api.v1.disclosure_answers import (
    DisclosureAnswer,
    JobDisclosureAnswer,
    ListingAnswer,
)
from app.api.v1.document_schemas import KNOWN_VALUES
from app.domain import api_types
from app.domain.api_types import WireAnswer, number
from app.domain.catalog import MediaAlteration
from app.domain.content_credentials import CredentialKind
from app.domain.events import EventName
from app.domain.fields import (
    Address,
    Caption,
    EngineVersion,
    FileName,
    FilePath,
    FileUrl,
    ImageId,
    Index,
    JobId,
    OwnId,
    OwnMetadata,
    PersonName,
    PhotoId,
    SessionId,
)
from app.domain.lifecycle import Status, UndeliverableCode
from app.domain.webhooks import SAMPLE_URL
from app.services.photos.cancellations import CancelOutcome
from app.services.photos.downloads import Variant
from app.web.errors import STATUS
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.report import Reason

UPLOAD_MESSAGE = "PUT each file to its uploadUrl, then create the order with this uploadSessionId."
ORDER_MESSAGE = "Order created; ask for the job's status every 30 seconds."
CreditsNumber = Annotated[Decimal, PlainSerializer(number), WithJsonSchema({"type": "number"})]
OrAbsent = BeforeValidator(lambda value: value or None)
"""Validator of a field that is left out of the answer when its value is empty."""
Moment = api_types.Moment
WebhookId = Annotated[str, Field(examples=["whk_6Lq0VbYt3NcRj9Xo2KdWmA"])]


class UploadTarget(WireAnswer):
    """The URL to which one file is PUT."""

    upload_url: FileUrl = Field(
        description="PUT the photo's raw bytes here; no key is needed.",
        examples=["https://brightlist.example/uploads/WyJ1c…"],
    )
    file_path: FilePath = Field(description="Names the photo in the order.")
    index: Index = Field(description="Its place among those of its type, from 0.")
    type: PhotoType
    photo: int | None = Field(
        default=None, description="With framesPerPhoto: its photo, by the place among photos of its type, from 0."
    )
    frame: int | None = Field(default=None, description="Its place among the photo's files, from 0.")
    group: str | None = Field(
        default=None, description="What the files of one photo have in common, for the order."
    )
    file: int | None = Field(
        default=None, description="Its place among `files` of the request: we fetch it. A PUT here takes its place."
    )


class UploadSessionAnswer(WireAnswer):
    """Upload URLs for one order."""

    upload_session_id: SessionId = Field(description="Names the session in the order; it becomes one order.")
    interior_urls: list[UploadTarget] = Field(
        description="One for each file of an interior photo asked for.", examples=[[]]
    )
    exterior_urls: list[UploadTarget] = Field(description="One for each file of an exterior photo asked for.")
    expires_in: int = Field(description="Seconds for which the URLs hold.", examples=[3600])
    message: str = Field(description="What to do next, for people.", examples=[UPLOAD_MESSAGE])


class FrameAnswer(WireAnswer):
    """One of the files that a photo is made of."""

    file_path: str = Field(description="As given with the upload URL.")
    file_name: str = Field(description="Your own name of it, or one of ours.")
    frame: int = Field(description="Its place among the photo's files, from 0.")


class Asset(WireAnswer):
    """One photo of a job."""

    id: PhotoId = Field(description="Names the photo.")
    file_name: FileName = Field(description="Your own name of it, or one of ours.")
    type: PhotoType
    index: Index = Field(description="Its place among those of its type, from 0.")
    disclosures: list[DisclosureAnswer] = Field(
        description="What must be disclosed about it, if everything is done as ordered."
    )
    frames: Annotated[list[FrameAnswer] | None, OrAbsent] = Field(
        default=None, description="The files that it is made of; absent where it is one."
    )


class OrderResult(WireAnswer):
    """The job that an order became."""

    success: bool = Field(description="Always true: a refused order has another status.")
    job_id: JobId = Field(description="Ask for the job by it.")
    status: Status = Field(description="Where the job stood at that moment.")
    credit_cost: CreditsNumber = Field(description="What was charged, in credits.", examples=[3])
    photos_uploaded: int = Field(description="How many photos came with the order.", examples=[2])
    assets: list[Asset] = Field(description="Those photos.")
    message: str = Field(description="What to do next, for people.", examples=[ORDER_MESSAGE])
    listing: ListingAnswer
    credits_refunded: CreditsNumber | None = Field(
        default=None, description="Refunded since, in credits; absent while nothing has."
    )
    external_id: OwnId = None
    metadata: OwnMetadata = None


class ProgressAnswer(WireAnswer):
    """The progress of a job."""

    total: int = Field(description="How many pictures will come out.", examples=[2])
    completed: int = Field(description="How many are finished.", examples=[1])
    percentage: int = Field(description="A whole number, 0 to 100.", examples=[50])


class UndeliverableAnswer(WireAnswer):
    """Why the job has no usable result."""

    code: UndeliverableCode | None = Field(
        default=None, description="`cancelled` where you cancelled it; absent where no result was usable."
    )
    reason: str = Field(description="For people.", examples=["No photo could be used."])
    credits_refunded: CreditsNumber = Field(description="In credits: all that was charged.")


class JobStatusAnswer(WireAnswer):
    """The status of a job."""

    job_id: JobId
    status: Status = Field(description="Where the job stands now.", examples=[Status.PROCESSING])
    progress: ProgressAnswer
    created_at: Moment = Field(description="When the order was placed.")
    error: str | None = Field(default=None, description="Why it failed; only then.")
    undeliverable: UndeliverableAnswer | None = Field(
        default=None, description="Why nothing usable came out; only then."
    )
    disclosures: Annotated[list[JobDisclosureAnswer] | None, OrAbsent] = Field(
        default=None,
        description="What must be disclosed about its photos where it is advertised; absent where nothing must.",
    )
    credits_refunded: CreditsNumber | None = Field(
        default=None, description="Refunded, in credits; absent while nothing has."
    )
    cancelled_at: Moment | None = Field(
        default=None, description="When you cancelled it or photos of it; absent where you did not."
    )
    external_id: OwnId = None
    metadata: OwnMetadata = None


class CancelAnswer(WireAnswer):
    """The outcome of the cancellation of a job."""

    job_id: JobId
    outcome: CancelOutcome = Field(
        description="`cancelled`: no photo had been begun, all is refunded; `cancelling`: some photos had been "
        "begun and go on, the others are refunded; `already_done`: nothing was left to cancel.",
        examples=[CancelOutcome.CANCELLED],
    )
    status: Status = Field(description="Where the job stands now.", examples=[Status.UNDELIVERABLE])
    credits_refunded: CreditsNumber = Field(description="All that was refunded of the job so far.", examples=[2.5])
    cancelled_at: Moment | None = Field(
        default=None, description="Absent where nothing was cancelled.", examples=["2026-11-20T14:03:29.002Z"]
    )


class VariantAnswer(WireAnswer):
    """One file of a picture."""

    variant: Variant = Field(examples=[Variant.ALTERED])
    url: FileUrl = Field(description="The file, for a time; Range and HEAD work.")
    content_credentials: CredentialKind | None = Field(
        default=None,
        description="The C2PA content credentials that we wrote into it; not for original and base.",
        examples=[CredentialKind.CERTIFICATE],
    )


class ImageAnswer(WireAnswer):
    """One approved picture."""

    id: ImageId = Field(description="Names the picture.")
    photo_id: PhotoId = Field(description="The photo it was made from, as in the order's `assets`.")
    index: Index = Field(description="The photo's place among those of its type, from 0.")
    file_name: FileName = Field(
        description="The name that the download has: unique in the job, at most 200 bytes of UTF-8."
    )
    type: str = Field(
        json_schema_extra={KNOWN_VALUES: [f"generated_{each}" for each in PhotoType]},
        description="What was enhanced.",
        examples=["generated_exterior"],
    )
    url: FileUrl = Field(description="The picture, for a time; Range and HEAD work.")
    original_url: FileUrl = Field(
        description="The photo it was made from, for a time; of several frames the one exposed best."
    )
    frame_urls: list[str] | None = Field(
        default=None,
        description="All frames it was made from, for a time, in the order of its recipe's `frameSha256s`; absent "
        "for a photo of one file.",
    )
    width: int = Field(description="In pixels.", examples=[6000])
    height: int = Field(description="In pixels.", examples=[4000])
    bytes: int = Field(description="The size of the file.", examples=[9214377])
    enhancements: list[Enhancement] = Field(description="What was really done, in this order.")
    caption: Caption | None = Field(
        default=None, description="What the listing says of it; absent where it need say nothing."
    )
    media_alteration: list[MediaAlteration] = Field(
        description="The same as RESO's Data Dictionary has it.", examples=[[MediaAlteration.ENHANCED]]
    )
    disclosures: list[DisclosureAnswer] = Field(description="What each rule requires to disclose, or bars.")
    variants: list[VariantAnswer] = Field(
        description="Every file of it. `base` has only the steps that need no disclosure: the original "
        "where there are none, the altered file where there are no others, else made some seconds after the "
        "approval."
    )
    engine_version: EngineVersion | None = Field(
        default=None,
        description="The engine that made it: with the same one the same recipe gives the same bytes. Absent for "
        "old results, made before this was recorded.",
    )
    content_credentials: CredentialKind = Field(
        description="The C2PA content credentials in the file: none, of the demo, which nobody trusts, or by the "
        "certificate of the operator of this service.",
        examples=[CredentialKind.CERTIFICATE],
    )


class RejectedPhotoAnswer(WireAnswer):
    """One photo without a usable result."""

    photo_id: PhotoId = Field(description="As in the order's `assets`.")
    type: PhotoType
    index: Index = Field(description="Its place among those of its type, from 0.")
    file_name: FileName = Field(description="Your own name of it, or one of ours.")
    image_id: ImageId = Field(description="The result, to send it back as `no_result`.")
    code: Reason | None = Field(default=None, description="Why, for programs.", examples=[Reason.BLANK])
    reason: str = Field(description="Why, for people.", examples=["The picture is blank."])


class DownloadAnswer(WireAnswer):
    """Every approved picture of a job."""

    job_id: JobId
    address: Address = Field(description="Of the property, as ordered.")
    image_count: int = Field(description="How many pictures there are.", examples=[1])
    listing: ListingAnswer
    images: list[ImageAnswer] = Field(description="The approved ones.")
    rejected: list[RejectedPhotoAnswer] = Field(
        description="The photos without a usable result; they were refunded.", examples=[[]]
    )
    external_id: OwnId = None
    metadata: OwnMetadata = None


class Profile(WireAnswer):
    """The owner of the account."""

    name: PersonName
    email: str = Field(examples=["jo@example.com"])


class BudgetAnswer(WireAnswer):
    """What an API key may spend in a calendar month, in UTC."""

    credits: CreditsNumber = Field(description="So many in each month.", examples=[50])
    spent: CreditsNumber = Field(description="Of this month's, without what was refunded.", examples=[12.5])
    left: CreditsNumber = Field(description="How many it may still spend this month.", examples=[37.5])
    resets_at: Moment = Field(description="When the next month begins, with nothing spent.")


class CreditAccount(WireAnswer):
    """An account's balance, and the budget of the key that asks."""

    credits: CreditsNumber = Field(description="The balance; halves occur.", examples=[97.5])
    profile: Profile = Field(description="Whose it is.")
    budget: BudgetAnswer | None = Field(default=None, description="Of this key; absent where it has none.")


class WebhookAnswer(WireAnswer):
    """A registered receiver; `secret` is only in the answers to its registration and to a rotation."""

    id: WebhookId = Field(description="Names the webhook.")
    url: str = Field(description="Where deliveries are sent.", examples=[SAMPLE_URL])
    events: list[EventName] = Field(description="The events that it receives.", examples=[[EventName.JOB_APPROVED]])
    active: bool = Field(description="False once it is switched off: deliveries are held.")
    off_reason: str | None = Field(default=None, description="Why it is off, for people.")
    secret: str | None = Field(default=None, description="Signs the deliveries; keep it, no other answer has it.")
    new_secret_from: Moment | None = Field(
        default=None, description="While a new secret is pending: when it alone signs."
    )
    created_at: Moment


class WebhookList(WireAnswer):
    """All receivers of the account."""

    webhooks: list[WebhookAnswer] = Field(description="The oldest first.")


class WebhookDeleted(WireAnswer):
    """The answer to the deletion of a receiver."""

    success: bool
    id: WebhookId = Field(description="The deleted webhook.")


class ErrorAnswer(WireAnswer):
    """The body of every refusal."""

    error: str = Field(description="A short phrase, for people.")
    code: str = Field(
        json_schema_extra={KNOWN_VALUES: [*sorted({kind.code for kind in STATUS if kind.for_programs})]},
        description="Stable: decide by it.",
    )
    message: str = Field(description="What to do about it, for people.")
    doc_url: str = Field(description="The page of the documentation about the code.")
    request_id: str = Field(description="Give it to us when you ask for help.")
    details: dict[str, str | float] | None = Field(
        default=None,
        description="By the path of each field in your request, its fault; with 402 the amounts.",
    )
    status: str | None = Field(default=None, description="Where the job stands, when that is why.")
    job_id: str | None = Field(
        default=None, description="The order that the upload session became, when that is why."
    )
