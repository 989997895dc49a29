"""Models of requests and answers. Generated from the OpenAPI document by generate_calls.py: do not edit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from brightlist.wire import Model


class AttemptOutcome(StrEnum):
    """The outcome of one attempt. Values may be added: treat one that you do not know as such."""

    STARTED = "started"
    SUCCEEDED = "succeeded"
    REJECTED = "rejected"
    TIMEOUT = "timeout"
    ADDRESS_NOT_ALLOWED = "address_not_allowed"
    NOT_CONNECTED = "not_connected"
    TLS_FAILED = "tls_failed"
    BROKEN_ANSWER = "broken_answer"
    CUT_OFF = "cut_off"


class Brightness(StrEnum):
    """How light a room becomes."""

    DARKER = "darker"
    AS_IS = "as_is"
    BRIGHTER = "brighter"


class CancelOutcome(StrEnum):
    """The outcome of a request to cancel a job: the whole job was cancelled; some photos were cancelled
    while work on the others continues; or nothing was left to cancel. Values may be added: treat one
    that you do not know as such.
    """

    CANCELLED = "cancelled"
    CANCELLING = "cancelling"
    ALREADY_DONE = "already_done"


class CauseCode(StrEnum):
    """What a ledger line is for, more exactly than its kind. Values may be added: treat one that you do
    not know as such.
    """

    PURCHASE = "purchase"
    PURCHASE_REVERSED = "purchase_reversed"
    ADJUSTMENT = "adjustment"
    WELCOME = "welcome"
    TEST_CREDITS = "test_credits"
    ORDER = "order"
    JOB_REFUND = "job_refund"
    PROPERTY_REFUND = "property_refund"
    PHOTO_REFUND = "photo_refund"
    STEP_REFUND = "step_refund"
    CHANGE_REFUND = "change_refund"


class ChangeType(StrEnum):
    """The part of a room or house that a change of a renovation replaces."""

    FLOOR = "floor"
    WALLS = "walls"
    CABINETS = "cabinets"
    COUNTERTOPS = "countertops"
    FIXTURES = "fixtures"
    LIGHTING = "lighting"
    BACKSPLASH = "backsplash"
    APPLIANCES = "appliances"
    EXTERIOR = "exterior"
    OTHER = "other"


class ClockMoment(StrEnum):
    """A moment in the life of an order. REVIEW_END: a slow review is over. DEADLINE: the job has taken
    too long. NEXT_ATTEMPTS: deliveries that wait for another attempt are due. RETENTION_END: photos
    and results are no longer kept.
    """

    REVIEW_END = "review_end"
    DEADLINE = "deadline"
    NEXT_ATTEMPTS = "next_attempts"
    RETENTION_END = "retention_end"


class CredentialKind(StrEnum):
    """Whether files carry content credentials, and by whose certificate: the demo's own, which nobody
    trusts, or the operator's. Values may be added: treat one that you do not know as such.
    """

    NONE = "none"
    DEMO = "demo"
    CERTIFICATE = "certificate"


class DecidedBy(StrEnum):
    """Who approved or rejected a picture: a reviewer, or the automatic checks alone. Values may be
    added: treat one that you do not know as such.
    """

    REVIEWER = "reviewer"
    AUTOMATIC = "automatic"


class DeliveryState(StrEnum):
    """The state of a delivery. HELD: the webhook is switched off; the delivery is sent once somebody
    releases it. Values may be added: treat one that you do not know as such.
    """

    WAITING = "waiting"
    SENDING = "sending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    HELD = "held"


class Demand(StrEnum):
    """Whether a rule requires, allows or forbids something. Values may be added: treat one that you do
    not know as such.
    """

    REQUIRED = "required"
    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class Disclosure(StrEnum):
    """The disclosures of pictures that do not show the property as it is; the rules have the words.
    Values may be added: treat one that you do not know as such.
    """

    VIRTUALLY_STAGED = "virtually_staged"
    VIRTUALLY_RENOVATED = "virtually_renovated"
    DIGITALLY_ALTERED = "digitally_altered"


class DuskKind(StrEnum):
    """How far the dusk has come."""

    EARLY = "early"
    DEEP = "deep"


class EngineChannel(StrEnum):
    """Which release of the engine makes an account's pictures. Values may be added: treat one that you
    do not know as such.
    """

    LATEST = "latest"
    STABLE = "stable"


class Enhancement(StrEnum):
    """The identifiers of the interface."""

    GRASS_ENHANCEMENT = "grass_enhancement"
    SKY_ENHANCEMENT = "sky_enhancement"
    GOLDEN_HOUR = "golden_hour"
    TWILIGHT_CONVERSION = "twilight_conversion"
    HDR_ENHANCEMENT = "hdr_enhancement"
    FLAMBIENT_ENHANCEMENT = "flambient_enhancement"
    DECLUTTER = "declutter"
    FURNITURE_REMOVAL = "furniture_removal"
    VIRTUAL_STAGING = "virtual_staging"
    VIRTUAL_RENOVATION = "virtual_renovation"


class EventName(StrEnum):
    """The events that webhooks receive, and the test event, which a customer sends by hand."""

    JOB_CREATED = "job.created"
    JOB_PROCESSING = "job.processing"
    JOB_COMPLETED = "job.completed"
    JOB_APPROVED = "job.approved"
    JOB_DELIVERED = "job.delivered"
    JOB_UNDELIVERABLE = "job.undeliverable"
    JOB_FAILED = "job.failed"
    JOB_CANCELLED = "job.cancelled"
    PHOTO_COMPLETED = "photo.completed"
    PHOTO_REVISED = "photo.revised"
    VARIANT_READY = "variant.ready"
    PACK_READY = "pack.ready"
    CREDITS_LOW = "credits.low"
    WEBHOOK_TEST = "webhook.test"


class FetchFault(StrEnum):
    """Why a file could not be fetched. Values may be added: treat one that you do not know as such."""

    ADDRESS_NOT_ALLOWED = "address_not_allowed"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    SOURCE_FAILED = "source_failed"
    ENCODED = "encoded"
    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA = "unsupported_media"
    QUOTA_EXCEEDED = "quota_exceeded"
    INTERRUPTED = "interrupted"
    ACCOUNT_SUSPENDED = "account_suspended"


class FetchStatus(StrEnum):
    """The status of a file that is fetched. Values may be added: treat one that you do not know as such."""

    FETCHING = "fetching"
    STORED = "stored"
    FAILED = "failed"


class Flaw(StrEnum):
    """What is wrong. The values are stored; LABELS has the words for customers."""

    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    SKY_ON_WALL = "sky_on_wall"
    OLD_SKY_LEFT = "old_sky_left"
    WIRE_CUT = "wire_cut"
    TWIG_ERASED = "twig_erased"
    LAWN_ON_GROUND = "lawn_on_ground"
    LAWN_ON_BUSH = "lawn_on_bush"
    LIT_WRONG = "lit_wrong"
    PANE_DARK = "pane_dark"
    DAY_SHADOWS = "day_shadows"
    DARKENED_WRONG = "darkened_wrong"
    LEFT_OVER = "left_over"
    SMEARED = "smeared"
    MELTED = "melted"
    PAINTED_WRONG = "painted_wrong"
    FURNITURE_SCALE = "furniture_scale"
    FURNITURE_PLACE = "furniture_place"
    FLOATING = "floating"
    CAST = "cast"
    NOISE = "noise"
    BLOB = "blob"
    HALO = "halo"
    NOTHING_DONE = "nothing_done"
    STEP_DECLINED = "step_declined"
    NO_RESULT = "no_result"
    OTHER = "other"


class GroupProblemCode(StrEnum):
    """The reasons why files that seem to belong together are not in one group, and what a group lacks.
    Values may be added: treat one that you do not know as such.
    """

    MISSING_EXPOSURE = "missing_exposure"
    EQUAL_EXPOSURES = "equal_exposures"
    CAMERA_MOVED = "camera_moved"
    OTHER_VIEW = "other_view"
    SIZES_DIFFER = "sizes_differ"
    UNREADABLE = "unreadable"


class GroupsStatus(StrEnum):
    """Whether all files were analyzed. Values may be added: treat one that you do not know as such."""

    PENDING = "pending"
    READY = "ready"


class HintPart(StrEnum):
    """The part of hints that helps a step. Values may be added: treat one that you do not know as such."""

    ROOM = "room"
    THINGS = "things"
    PLACEMENTS = "placements"
    SURFACES_FLOOR = "surfaces.floor"
    SURFACES_WALL = "surfaces.wall"
    SURFACES_CABINET = "surfaces.cabinet"
    SURFACES_WORKTOP = "surfaces.worktop"
    SURFACES_BACKSPLASH = "surfaces.backsplash"
    SURFACES_SKY = "surfaces.sky"
    SURFACES_LAWN = "surfaces.lawn"
    SURFACES_PANE = "surfaces.pane"
    PRIVATE = "private"


class LawnLook(StrEnum):
    """How green a lawn becomes."""

    SUBTLE = "subtle"
    NATURAL = "natural"
    LUSH = "lush"


class LedgerKind(StrEnum):
    """What a ledger line records. Values may be added: treat one that you do not know as such."""

    PURCHASE = "purchase"
    ORDER = "order"
    REFUND = "refund"
    ADJUSTMENT = "adjustment"
    REVERSAL = "reversal"


class Maker(StrEnum):
    """The maker of a step's picture: the worker itself, or a generative server that it asked. Values may
    be added: treat one that you do not know as such.
    """

    WORKER = "worker"
    GENERATIVE_SERVER = "generative_server"


class MediaAlteration(StrEnum):
    """The values of `MediaAlteration` in RESO's Data Dictionary, as listing services exchange them.
    Values may be added: treat one that you do not know as such.
    """

    NONE = "None"
    DECLUTTEREDITEMREMOVED = "DeclutteredItemRemoved"
    TWILIGHTCONVERSION = "TwilightConversion"
    VIRTUALENHANCEMENTS = "VirtualEnhancements"
    VIRTUALRENOVATION = "VirtualRenovation"
    VIRTUALSTAGINGITEMADDITION = "VirtualStagingItemAddition"


class OriginalPlace(StrEnum):
    """Where the original of an altered picture is shown. Values may be added: treat one that you do not
    know as such.
    """

    NOT_ASKED = "not_asked"
    IN_SET = "in_set"
    BEFORE_OR_AFTER = "before_or_after"
    AFTER = "after"


class PackStatus(StrEnum):
    """The state of a pack. Values may be added: treat one that you do not know as such."""

    MAKING = "making"
    READY = "ready"
    FAILED = "failed"


class PackWarningCode(StrEnum):
    """How the pack differs from the order, or what the customer still has to do. Values may be added:
    treat one that you do not know as such.
    """

    BARRED_STEPS_LEFT_OUT = "barred_steps_left_out"
    BARRED_SO_ORIGINAL = "barred_so_original"
    NO_EXTERIOR = "no_exterior"
    ORIGINAL_IS_FIRST = "original_is_first"
    OVER_COUNT = "over_count"
    ORIGINALS_NOT_PUBLISHED = "originals_not_published"
    LABEL_FORBIDDEN = "label_forbidden"
    ORIGINAL_LOST = "original_lost"


class PersonalDetail(StrEnum):
    """Kinds of personal details that a photo's file may have besides the picture. Values may be added:
    treat one that you do not know as such.
    """

    PLACE = "place"
    NAMES = "names"
    SERIAL_NUMBERS = "serial_numbers"
    CAPTIONS = "captions"


class PhotoOutcome(StrEnum):
    """The state of a photo. CANCELLED: the customer cancelled it. STOPPED: its job ended before it was
    decided. Values may be added: treat one that you do not know as such.
    """

    WAITING = "waiting"
    WORKING = "working"
    PROCESSED = "processed"
    APPROVED = "approved"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    STOPPED = "stopped"


class PhotoType(StrEnum):
    """The content of a photo: a house or a room; also the group to which an enhancement belongs."""

    EXTERIOR = "exterior"
    INTERIOR = "interior"


class PrimaryPhoto(StrEnum):
    """What the first picture of a listing must be. Values may be added: treat one that you do not know
    as such.
    """

    ANY = "any"
    EXTERIOR = "exterior"
    UNALTERED_EXTERIOR = "unaltered_exterior"


class Privacy(StrEnum):
    """Whether faces and number plates can be recognized."""

    AS_SHOT = "as_shot"
    BLURRED = "blurred"


class Prospect(StrEnum):
    """The expected outcome of a step: it most likely works, works only with a hint, or does not work.
    Values may be added: treat one that you do not know as such.
    """

    LIKELY = "likely"
    NEEDS_HINT = "needs_hint"
    NOT_POSSIBLE = "not_possible"


class Reason(StrEnum):
    """The reasons why a picture is rejected or a step declines: stable names that programs may rely on.
    Values may be added: treat one that you do not know as such.
    """

    NO_IMAGERY = "no_imagery"
    UNDECODABLE = "undecodable"
    TOO_MANY_PIXELS = "too_many_pixels"
    FRAMES_UNFIT = "frames_unfit"
    OTHER_PHOTO = "other_photo"
    MASK_UNUSABLE = "mask_unusable"
    ALL_STEPS_DECLINED = "all_steps_declined"
    PROCESSING_FAILED = "processing_failed"
    SIZE_CHANGED = "size_changed"
    NOT_CHANGED = "not_changed"
    BLANK = "blank"
    CLIPPED = "clipped"
    STRUCTURE_CHANGED = "structure_changed"
    SOFTENED = "softened"
    NOISY = "noisy"
    COLOR_CAST = "color_cast"
    OUTSIDE_CHANGED = "outside_changed"
    BANDED = "banded"
    HALO = "halo"
    REVIEWER = "reviewer"
    CANCELLED = "cancelled"
    NO_SKY = "no_sky"
    NO_LAWN = "no_lawn"
    NOT_EXTERIOR = "not_exterior"
    NOT_INTERIOR = "not_interior"
    ALREADY_DARK = "already_dark"
    LOW_SUN = "low_sun"
    NO_COLOR = "no_color"
    NOT_FLAT = "not_flat"
    TURNED = "turned"
    FOG = "fog"
    NOT_AVAILABLE = "not_available"
    SERVER_UNAVAILABLE = "server_unavailable"
    SERVER_REFUSED = "server_refused"
    ANSWER_UNUSABLE = "answer_unusable"
    SPEND_LIMIT = "spend_limit"
    REFERENCE_UNUSABLE = "reference_unusable"
    DRIFTED = "drifted"
    OPENING_ADDED = "opening_added"
    OPENING_MOVED = "opening_moved"
    VIEW_CHANGED = "view_changed"
    FLOATING = "floating"
    WRONG_SCALE = "wrong_scale"
    MELTED = "melted"
    LEFT_OVER = "left_over"
    CUT_OFF = "cut_off"
    TOO_MUCH_CHANGED = "too_much_changed"
    TOO_SMALL = "too_small"
    NOT_ENGLISH = "not_english"
    NOT_UNDERSTOOD = "not_understood"
    CONTRADICTORY = "contradictory"
    HIDES_DEFECTS = "hides_defects"
    STRUCTURAL_CHANGE = "structural_change"
    ROOM_UNCLEAR = "room_unclear"
    NO_FREE_PLACE = "no_free_place"
    ALREADY_FURNISHED = "already_furnished"
    SURFACE_NOT_FOUND = "surface_not_found"
    SURFACE_UNCLEAR = "surface_unclear"
    NOTHING_TO_REMOVE = "nothing_to_remove"
    TOO_MUCH_HIDDEN = "too_much_hidden"
    OPENING_HIDDEN = "opening_hidden"
    SKY_UNCLEAR = "sky_unclear"
    LAWN_UNCLEAR = "lawn_unclear"
    NOTHING_LIT = "nothing_lit"


class RegionsStatus(StrEnum):
    """Whether the photo was looked at. Values may be added: treat one that you do not know as such."""

    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"


class RevisionOutcome(StrEnum):
    """How a round ended: with another picture, with the unchanged picture, with a refund, without any
    change, or withdrawn by the person who began it. Values may be added: treat one that you do not
    know as such.
    """

    REVISED = "revised"
    KEPT = "kept"
    REFUNDED = "refunded"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class RevisionReason(StrEnum):
    """Why a reviewer has to decide about a round, or why it ended as it did. Values may be added: treat
    one that you do not know as such.
    """

    NO_REMEDY = "no_remedy"
    SAME_PICTURE = "same_picture"
    CHECKS_UNSURE = "checks_unsure"
    CHECKS_FAILED = "checks_failed"
    STEP_DECLINED = "step_declined"
    MORE_DONE = "more_done"
    BY_REVIEWER = "by_reviewer"
    DOWNLOADED = "downloaded"
    PROCESSING_FAILED = "processing_failed"
    UNUSABLE = "unusable"
    FILES_GONE = "files_gone"
    UNANSWERED = "unanswered"
    RETENTION_ENDED = "retention_ended"


class RevisionStatus(StrEnum):
    """The status of a round. Values may be added: treat one that you do not know as such."""

    MAKING = "making"
    IN_REVIEW = "in_review"
    DONE = "done"


class RoomType(StrEnum):
    """Rooms that can be staged."""

    LIVING_ROOM = "living_room"
    DINING_ROOM = "dining_room"
    KITCHEN = "kitchen"
    BEDROOM = "bedroom"
    BATHROOM = "bathroom"
    OFFICE = "office"
    BASEMENT = "basement"
    OUTDOOR_SPACE = "outdoor_space"
    OTHER = "other"


class RuleCertainty(StrEnum):
    """How we know a rule: we read its own text, others report it, or we infer it from a general text.
    Values may be added: treat one that you do not know as such.
    """

    TEXT_READ = "text_read"
    REPORTED = "reported"
    INFERRED = "inferred"


class RuleKind(StrEnum):
    """Who made a rule: the law of a place, or a listing service (MLS). Values may be added: treat one
    that you do not know as such.
    """

    JURISDICTION = "jurisdiction"
    MLS = "mls"


class RuleStage(StrEnum):
    """The stage of a rule: a bill that is not law, enacted but not in force yet, or in force. Values may
    be added: treat one that you do not know as such.
    """

    BILL = "bill"
    ENACTED = "enacted"
    IN_FORCE = "in_force"


class ServiceType(StrEnum):
    """What an order covers."""

    EXTERIOR = "exterior"
    INTERIOR = "interior"
    BOTH = "both"


class ShareVerdict(StrEnum):
    """What a client thinks of all pictures together. Values may be added: treat one that you do not know
    as such.
    """

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"


class SkyKind(StrEnum):
    """The sky that replaces an overcast one."""

    CLEAR = "clear"
    LIGHT_CLOUDS = "light_clouds"
    WARM = "warm"


class Status(StrEnum):
    """The status of a job. Values may be added: treat one that you do not know as such."""

    PENDING = "pending"
    PROCESSING = "processing"
    QC_REVIEW = "qc_review"
    APPROVED = "approved"
    DELIVERED = "delivered"
    UNDELIVERABLE = "undeliverable"
    FAILED = "failed"


class StepState(StrEnum):
    """The outcome of an ordered step of a photo. PARTLY_DONE: some changes of a renovation were
    declined. DECLINED: it could not be done. LEFT_OUT: the picture was made again without it.
    REJECTED: the photo's whole result was rejected; FAILED: its processing failed. STOPPED: the job
    ended before. Values may be added: treat one that you do not know as such.
    """

    WAITING = "waiting"
    DONE = "done"
    PARTLY_DONE = "partly_done"
    DECLINED = "declined"
    LEFT_OUT = "left_out"
    REJECTED = "rejected"
    FAILED = "failed"
    CANCELLED = "cancelled"
    STOPPED = "stopped"


class Style(StrEnum):
    """Furnishing styles for virtual staging."""

    MODERN = "modern"
    CONTEMPORARY = "contemporary"
    MINIMALIST = "minimalist"
    FARMHOUSE = "farmhouse"
    SCANDINAVIAN = "scandinavian"
    COASTAL = "coastal"
    MID_CENTURY_MODERN = "mid_century_modern"
    TRADITIONAL = "traditional"


class Treatment(StrEnum):
    """How a rule treats an enhancement; each value is stricter than the one before it. Values may be
    added: treat one that you do not know as such.
    """

    EXEMPT = "exempt"
    REQUIRED = "required"
    BARRED = "barred"


class UndeliverableCode(StrEnum):
    """Why a job is undeliverable, if the reason is not the lack of usable results: its owner cancelled
    it before any photo was begun. Values may be added: treat one that you do not know as such.
    """

    CANCELLED = "cancelled"


class Unit(StrEnum):
    """The unit of a figure's value: a share is 0-1, a level is one of 255, yes is 1 and no is 0. Values
    may be added: treat one that you do not know as such.
    """

    SHARE = "share"
    LEVELS = "levels"
    CIELAB = "cielab"
    CIEDE2000 = "ciede2000"
    METERS = "meters"
    COUNT = "count"
    YES_NO = "yes_no"
    DEGREES = "degrees"


class Variant(StrEnum):
    """The file of a photo that a URL is for. Values may be added: treat one that you do not know as
    such.
    """

    ORIGINAL = "original"
    ALTERED = "altered"
    LABELED = "labeled"
    BASE = "base"


class VariantObstacle(StrEnum):
    """Why a variant with these steps is not made, or was tried and could not be made. Values may be
    added: treat one that you do not know as such.
    """

    NOTHING_KEPT = "nothing_kept"
    NOTHING_LEFT_OUT = "nothing_left_out"
    ENGINE_CHANGED = "engine_changed"
    MADE_BY_SERVER = "made_by_server"
    FILES_GONE = "files_gone"
    TOO_MANY = "too_many"
    UNUSABLE = "unusable"
    PROCESSING_FAILED = "processing_failed"


class VariantState(StrEnum):
    """The state of a variant, as its owner sees it. Values may be added: treat one that you do not know
    as such.
    """

    MAKING = "making"
    READY = "ready"
    ORIGINAL = "original"
    FAILED = "failed"


class Verdict(StrEnum):
    """The verdict of the quality review on a result; `undecided` waits for a reviewer. Values may be
    added: treat one that you do not know as such.
    """

    UNDECIDED = "undecided"
    APPROVED = "approved"
    REJECTED = "rejected"


class Verticals(StrEnum):
    """Whether a picture is turned so that walls stand upright."""

    AS_SHOT = "as_shot"
    STRAIGHT = "straight"


class WebhookState(StrEnum):
    """The state of a webhook, in one word. OFF: switched off. FAILING: FAILING_FROM deliveries or more
    were given up since the last success. TROUBLED: it blocked a sender recently. SHAKY: at least one
    delivery, but fewer than FAILING_FROM, was given up since the last success. UNTRIED: no success
    yet. WELL: none of these. Values may be added: treat one that you do not know as such.
    """

    OFF = "off"
    FAILING = "failing"
    TROUBLED = "troubled"
    SHAKY = "shaky"
    UNTRIED = "untried"
    WELL = "well"


@dataclass(frozen=True, kw_only=True)
class AcceptedAnswer(Model):
    """A barred enhancement that was ordered knowingly."""

    rule: str
    version: int
    enhancement: Enhancement | str
    accepted_at: datetime


@dataclass(frozen=True, kw_only=True)
class AppearanceAnswer(Model):
    """What the photos of the order share: white points as factors of red, green and blue, the median
    luma (0-1), the side of the sun (-1 left, 1 right). A value is absent where no photo shows it.
    """

    cast_outdoors: list[float] | None = None
    cast_indoors: list[float] | None = None
    brightness_indoors: float | None = None
    sun_side: float | None = None


@dataclass(frozen=True, kw_only=True)
class Asset(Model):
    """One photo of a job."""

    id: str
    file_name: str
    type: PhotoType | str
    index: int
    disclosures: list[DisclosureAnswer]
    frames: list[FrameAnswer] | None = None


@dataclass(frozen=True, kw_only=True)
class AttemptAnswer(Model):
    """One attempt at a delivery."""

    number: int
    redelivery: bool
    outcome: AttemptOutcome | str
    message: str
    started_at: datetime
    ended_at: datetime | None = None
    response_status: int | None = None
    response_headers: dict[str, str]
    response_body: str


@dataclass(frozen=True, kw_only=True)
class BalanceData(Model):
    """The account whose balance is low."""

    profile_id: str
    credits: float
    threshold: float
    timestamp: datetime


@dataclass(frozen=True, kw_only=True)
class BeforeAnswer(Model):
    """The picture that was sent back."""

    url: str | None = None
    width: int
    height: int
    bytes: int
    enhancements: list[Enhancement | str]
    sha256: str | None = None
    content_credentials: CredentialKind | str | None = None
    engine_version: str | None = None


@dataclass(frozen=True, kw_only=True)
class BudgetAnswer(Model):
    """What an API key may spend in a calendar month, in UTC."""

    credits: float
    spent: float
    left: float
    resets_at: datetime


@dataclass(frozen=True, kw_only=True)
class CallbackAnswer(Model):
    """A URL that orders named as their callback, as long as one of these orders is kept."""

    id: str
    url: str
    active: bool
    off_reason: str | None = None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class CallbackList(Model):
    """Callback URLs of the account's orders."""

    livemode: bool
    next_cursor: str | None
    callbacks: list[CallbackAnswer]


@dataclass(frozen=True, kw_only=True)
class CallbackSecretAnswer(Model):
    """The secret that signs the deliveries to all callback URLs of the account."""

    livemode: bool
    secret: str | None = None
    created_at: datetime
    new_secret_from: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class CameraAnswer(Model):
    """The camera of a room's photo; angles are in degrees."""

    focal: float
    center: list[float]
    yaw: float
    pitch: float
    roll: float
    height: float
    ceiling: float | None = None
    scale_source: str
    certainty: float


@dataclass(frozen=True, kw_only=True)
class CancelAnswer(Model):
    """The outcome of the cancellation of a job."""

    livemode: bool
    job_id: str
    outcome: CancelOutcome | str
    status: Status | str
    credits_refunded: float
    cancelled_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class CatalogAnswer(Model):
    """Everything that can be ordered."""

    livemode: bool
    enhancements: list[EnhancementAnswer]
    exterior_price: ExteriorPriceAnswer
    service_types: list[ServiceType | str]
    suggested: list[list[Enhancement | str]]
    exclusive: list[Enhancement | str]
    styles: list[Style | str]
    room_types: list[RoomType | str]
    change_types: list[ChangeType | str]
    limits: LimitsAnswer
    engine: EngineAnswer


@dataclass(frozen=True, kw_only=True)
class ChangeAnswer(Model):
    """The outcome of one change of a renovation."""

    index: int
    type: ChangeType | str
    applied: bool
    reason: Reason | str | None = None
    message: str | None = None


@dataclass(frozen=True, kw_only=True)
class ChangeForecastAnswer(Model):
    """The forecast for one change of a renovation."""

    index: int
    type: ChangeType | str
    prospect: Prospect | str
    hint: HintPart | str | None = None
    reason: Reason | str | None = None
    message: str | None = None


@dataclass(frozen=True, kw_only=True)
class ClientTokenAnswer(Model):
    """A token for one upload session."""

    livemode: bool
    token: str
    upload_session_id: str
    expires_at: datetime
    max_files: int
    origins: list[str]


@dataclass(frozen=True, kw_only=True)
class ClientTokenRequest(Model):
    """How long a token is valid, and for how many files."""

    expires_in: int | None = None
    max_files: int | None = None
    upload_session_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class ClientUploadRequest(Model):
    """How many files a page is about to upload."""

    interior_count: int | None = None
    exterior_count: int | None = None


@dataclass(frozen=True, kw_only=True)
class ClockAnswer(Model):
    """The state of the job after its clock was moved."""

    livemode: bool
    job_id: str
    status: Status | str
    expired_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ClockRequest(Model):
    """The moment to which the clock of a job is moved."""

    to: ClockMoment | str


@dataclass(frozen=True, kw_only=True)
class CreditAccount(Model):
    """An account's balance, and the budget of the key that asks."""

    livemode: bool
    credits: float
    profile: Profile
    budget: BudgetAnswer | None = None


@dataclass(frozen=True, kw_only=True)
class DeliveryAnswer(Model):
    """The delivery of one event to one receiver."""

    livemode: bool | None = None
    id: str
    webhook_id: str
    event: EventName | str
    job_id: str | None = None
    status: DeliveryState | str
    attempts_made: int
    response_status: int | None = None
    created_at: datetime
    last_attempt_at: datetime | None = None
    next_attempt_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class DeliveryCount(Model):
    """The count of deliveries that will be sent."""

    livemode: bool
    count: int


@dataclass(frozen=True, kw_only=True)
class DeliveryDetailsAnswer(Model):
    """One delivery with its payload and every attempt."""

    livemode: bool
    id: str
    webhook_id: str
    event: EventName | str
    job_id: str | None = None
    status: DeliveryState | str
    attempts_made: int
    response_status: int | None = None
    created_at: datetime
    last_attempt_at: datetime | None = None
    next_attempt_at: datetime | None = None
    payload: dict[str, Any]
    attempts: list[AttemptAnswer]


@dataclass(frozen=True, kw_only=True)
class DeliveryList(Model):
    """Deliveries to one receiver."""

    livemode: bool
    next_cursor: str | None
    deliveries: list[DeliveryAnswer]


@dataclass(frozen=True, kw_only=True)
class DisclosureAnswer(Model):
    """One alteration of a picture that a rule requires to be disclosed, or bars."""

    disclosure: Disclosure | str
    treatment: Treatment | str
    words: str
    rule: str
    source: str | None = None


@dataclass(frozen=True, kw_only=True)
class DownloadAnswer(Model):
    """Every approved picture of a job."""

    livemode: bool
    job_id: str
    address: str
    image_count: int
    listing: ListingAnswer
    images: list[ImageAnswer]
    rejected: list[RejectedPhotoAnswer]
    external_id: str | None = None
    metadata: dict[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class EditEvidenceAnswer(Model):
    """One enhancement that was ordered."""

    enhancement: Enhancement | str
    applied: bool
    style: Style | str | None = None
    room_type: RoomType | str | None = None
    changes: list[str]
    options: OptionsAnswer | None = None
    furniture: list[FurnitureAnswer] | None = None


@dataclass(frozen=True, kw_only=True)
class EffectRuleAnswer(Model):
    """How a rule treats one enhancement."""

    treatment: Treatment | str
    words: str | None = None
    certainty: RuleCertainty | str


@dataclass(frozen=True, kw_only=True)
class EngineAnswer(Model):
    """The engine that makes the account's pictures."""

    channel: EngineChannel | str
    version: str
    next: NextEngineAnswer | None = None


@dataclass(frozen=True, kw_only=True)
class EnhancementAnswer(Model):
    """An enhancement as it is sold."""

    id: Enhancement | str
    group: PhotoType | str
    label: str
    description: str
    credits_per_photo: float
    extra_credits_per_property: float
    options: list[OptionAnswer]
    warning: str | None = None


@dataclass(frozen=True, kw_only=True)
class EventAnswer(Model):
    """An event as it is sent to webhooks, with its id."""

    id: str
    event: EventName | str
    timestamp: datetime
    livemode: bool
    data: EventData | BalanceData


@dataclass(frozen=True, kw_only=True)
class EventData(Model):
    """The job of an event, in its state right after the event."""

    job_id: str
    status: Status | str
    profile_id: str
    address: str
    credit_cost: float
    photo_count: PhotoCount
    timestamp: datetime
    engine_version: str
    external_id: str | None = None
    metadata: dict[str, str] | None = None
    photos_cancelled: int | None = None
    credits_refunded: float | None = None
    image_id: str | None = None
    photo_id: str | None = None
    photo_type: PhotoType | str | None = None
    photo_index: int | None = None
    has_picture: bool | None = None
    enhancements: list[Enhancement | str] | None = None
    pack_id: str | None = None
    mls: str | None = None
    revision_id: str | None = None
    round: int | None = None
    outcome: RevisionOutcome | str | None = None


@dataclass(frozen=True, kw_only=True)
class EventListAnswer(Model):
    """Events of the account."""

    livemode: bool
    next_cursor: str | None
    events: list[EventAnswer]


@dataclass(frozen=True, kw_only=True)
class EvidenceAnswer(Model):
    """The evidence of one order. It is not legal advice."""

    livemode: bool
    job_id: str
    ordered_by: str
    ordered_at: datetime
    address: str
    status: Status | str
    settled_at: datetime | None = None
    expired_at: datetime | None = None
    rules: list[HeldRuleAnswer]
    accepted_barred: list[AcceptedAnswer]
    complete: bool
    pictures: list[PictureEvidenceAnswer]
    public_pages: list[PublicPageEvidenceAnswer]
    note: str


@dataclass(frozen=True, kw_only=True)
class EvidenceFigure(Model):
    """One measured value."""

    code: str
    label: str
    value: float
    minimum: float | None = None
    maximum: float | None = None
    passed: bool


@dataclass(frozen=True, kw_only=True)
class ExteriorPriceAnswer(Model):
    """The price of exterior enhancements: once for all exterior photos of an order."""

    one: float
    two_or_more: float


@dataclass(frozen=True, kw_only=True)
class FetchedFileAnswer(Model):
    """A file that is fetched."""

    file_path: str
    status: FetchStatus | str
    code: FetchFault | str | None = None
    message: str | None = None
    http_status: int | None = None


@dataclass(frozen=True, kw_only=True)
class FetchesAnswer(Model):
    """The files of an upload session that are fetched."""

    livemode: bool
    upload_session_id: str
    files: list[FetchedFileAnswer]


@dataclass(frozen=True, kw_only=True)
class FigureAnswer(Model):
    """One measured value, with its limits if it has any."""

    code: str
    label: str
    unit: Unit | str | None = None
    edit: str | None = None
    value: float
    minimum: float | None = None
    maximum: float | None = None
    passed: bool
    fault: Reason | str | None = None


@dataclass(frozen=True, kw_only=True)
class FileRef(Model):
    """A file uploaded before. An entry of the upload session may be sent back whole."""

    file_path: str
    file_name: str | None = None
    group: str | None = None
    upload_url: Any = None
    index: Any = None
    type: Any = None
    photo: Any = None
    frame: Any = None
    file: Any = None


@dataclass(frozen=True, kw_only=True)
class FrameAnswer(Model):
    """One of the files that a photo is made of."""

    file_path: str
    file_name: str
    frame: int


@dataclass(frozen=True, kw_only=True)
class FurnitureAnswer(Model):
    """Pieces of furniture of one kind and size, with what stands on a piece."""

    piece: str
    label: str
    count: int
    width: float
    depth: float
    height: float


@dataclass(frozen=True, kw_only=True)
class GroupProblemAnswer(Model):
    """Why files were not put into one group, or which frame a group lacks."""

    code: GroupProblemCode | str
    message: str
    file_paths: list[str]


@dataclass(frozen=True, kw_only=True)
class GroupedFileAnswer(Model):
    """One file as the order names it."""

    file_path: str
    file_name: str | None = None
    group: str | None = None


@dataclass(frozen=True, kw_only=True)
class GroupsAnswer(Model):
    """The files of an upload session as photos."""

    livemode: bool
    status: GroupsStatus | str
    pending_count: int | None = None
    interior_files: list[GroupedFileAnswer] | None = None
    exterior_files: list[GroupedFileAnswer] | None = None
    problems: list[GroupProblemAnswer] | None = None


@dataclass(frozen=True, kw_only=True)
class GroupsRequest(Model):
    """Which files of an upload session to group; without any, all that were uploaded."""

    interior_files: list[FileRef] | None = None
    exterior_files: list[FileRef] | None = None


@dataclass(frozen=True, kw_only=True)
class HeldRuleAnswer(Model):
    """A rule on altered pictures that applies to the order."""

    id: str
    kind: RuleKind | str
    name: str
    version: int | None = None
    version_now: int
    checked: str
    in_force: str | None = None
    source: str | None = None


@dataclass(frozen=True, kw_only=True)
class ImageAnswer(Model):
    """One approved picture."""

    id: str
    photo_id: str
    index: int
    file_name: str
    type: str
    url: str
    original_url: str
    frame_urls: list[str] | None = None
    width: int
    height: int
    bytes: int
    enhancements: list[Enhancement | str]
    caption: str | None = None
    media_alteration: list[MediaAlteration | str]
    disclosures: list[DisclosureAnswer]
    variants: list[VariantAnswer]
    engine_version: str | None = None
    content_credentials: CredentialKind | str


@dataclass(frozen=True, kw_only=True)
class JobAnswer(Model):
    """One job with everything that is known about it."""

    livemode: bool
    job_id: str
    status: Status | str
    progress: ProgressAnswer
    address: str
    service_type: ServiceType | str
    photo_count: PhotoCount
    credit_cost: float
    credits_refunded: float
    created_at: datetime
    cancelled_at: datetime | None = None
    expired_at: datetime | None = None
    error: str | None = None
    undeliverable: UndeliverableAnswer | None = None
    external_id: str | None = None
    metadata: dict[str, str] | None = None
    listing: ListingAnswer
    disclosures: list[JobDisclosureAnswer]
    estimated_ready_at: datetime | None = None
    queue_position: int | None = None
    lines: list[QuoteLineAnswer] | None = None
    refunds: list[RefundAnswer]
    photos: list[JobPhotoAnswer]
    links: JobLinksAnswer


@dataclass(frozen=True, kw_only=True)
class JobDisclosureAnswer(Model):
    """One alteration of some photos of a job that a rule requires to be disclosed, or bars."""

    disclosure: Disclosure | str
    treatment: Treatment | str
    words: str
    rule: str
    photos: list[PhotoPlaceAnswer]


@dataclass(frozen=True, kw_only=True)
class JobLinksAnswer(Model):
    """Addresses with more about a job. All except `page` need a key."""

    status: str
    downloads: str
    quality: str
    recipes: str
    evidence: str
    shares: str
    packs: str
    page: str


@dataclass(frozen=True, kw_only=True)
class JobListAnswer(Model):
    """Jobs of the account."""

    livemode: bool
    next_cursor: str | None
    jobs: list[ListedJobAnswer]


@dataclass(frozen=True, kw_only=True)
class JobPhotoAnswer(Model):
    """One photo of a job."""

    photo_id: str
    type: PhotoType | str
    index: int
    file_name: str
    state: PhotoOutcome | str
    image_id: str | None = None
    reason: Reason | str | None = None
    message: str | None = None
    credit_cost: float
    credits_refunded: float
    steps: list[JobStepAnswer]


@dataclass(frozen=True, kw_only=True)
class JobStatusAnswer(Model):
    """The status of a job."""

    livemode: bool
    job_id: str
    status: Status | str
    progress: ProgressAnswer
    created_at: datetime
    error: str | None = None
    undeliverable: UndeliverableAnswer | None = None
    disclosures: list[JobDisclosureAnswer] | None = None
    credits_refunded: float | None = None
    cancelled_at: datetime | None = None
    external_id: str | None = None
    metadata: dict[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class JobStepAnswer(Model):
    """The outcome of one ordered enhancement of a photo."""

    enhancement: Enhancement | str
    state: StepState | str
    reason: Reason | str | None = None
    message: str | None = None
    credit_cost: float | None = None
    credits_refunded: float


@dataclass(frozen=True, kw_only=True)
class LabelRuleAnswer(Model):
    """Where an altered picture is labeled, and the words of the label."""

    picture: Demand | str
    caption: Demand | str
    words: dict[str, str]
    remarks: str | None = None
    original_link: Demand | str


@dataclass(frozen=True, kw_only=True)
class LabelsAnswer(Model):
    """What each pixel shows."""

    names: list[str]
    image: str


@dataclass(frozen=True, kw_only=True)
class LayoutAnswer(Model):
    """One way to furnish the room."""

    pieces: list[PlannedPieceAnswer]


@dataclass(frozen=True, kw_only=True)
class LedgerAnswer(Model):
    """Lines of the ledger."""

    livemode: bool
    next_cursor: str | None
    ledger: list[LedgerLineAnswer]


@dataclass(frozen=True, kw_only=True)
class LedgerLineAnswer(Model):
    """One movement of credits. A line never changes."""

    id: str
    amount: float
    balance_after: float
    kind: LedgerKind | str
    cause: CauseCode | str
    reason: str
    job_id: str | None = None
    photo_id: str | None = None
    enhancement: Enhancement | str | None = None
    purchase_id: str | None = None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class LimitsAnswer(Model):
    """Limits: the most that is allowed, where a field does not say otherwise."""

    photos_per_type: int
    frames_per_photo: int
    bytes_per_file: int
    min_change_description: int
    presets: int
    webhooks: int
    upload_url_seconds: int
    download_url_seconds: int
    retention_seconds: int
    reads_per_minute: int
    writes_per_minute: int


@dataclass(frozen=True, kw_only=True)
class ListedJobAnswer(Model):
    """One job in a list."""

    job_id: str
    status: Status | str
    progress: ProgressAnswer
    address: str
    service_type: ServiceType | str
    photo_count: PhotoCount
    credit_cost: float
    credits_refunded: float
    created_at: datetime
    cancelled_at: datetime | None = None
    expired_at: datetime | None = None
    error: str | None = None
    undeliverable: UndeliverableAnswer | None = None
    external_id: str | None = None
    metadata: dict[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class ListingAnswer(Model):
    """Where a property is advertised, which decides the rules that apply."""

    jurisdiction: str
    mls: str | None = None


@dataclass(frozen=True, kw_only=True)
class ListingRequest(Model):
    """Where the property is advertised: whose rules on altered pictures hold. GET /rules has the ids."""

    jurisdiction: str | None = None
    mls: str | None = None
    accepts_barred: bool | None = None


@dataclass(frozen=True, kw_only=True)
class MlsPackAnswer(Model):
    """A pack of a job's pictures for a listing service."""

    livemode: bool | None = None
    id: str
    mls: str
    rule_version: int
    labeled: bool
    status: PackStatus | str
    created_at: datetime
    picture_count: int | None = None
    bytes: int | None = None
    outdated: bool
    warnings: list[PackWarningAnswer]
    error: str | None = None
    url: str | None = None


@dataclass(frozen=True, kw_only=True)
class MlsPackList(Model):
    """All packs of a job."""

    livemode: bool
    packs: list[MlsPackAnswer]


@dataclass(frozen=True, kw_only=True)
class MlsPackRequest(Model):
    """The listing service that the pack is for."""

    mls: str
    labeled: bool | None = None


@dataclass(frozen=True, kw_only=True)
class NextEngineAnswer(Model):
    """The engine that is announced as the next one."""

    version: str
    starts_at: datetime


@dataclass(frozen=True, kw_only=True)
class OptionAnswer(Model):
    """An option of enhancements."""

    name: str
    label: str
    default: str
    values: list[OptionValueAnswer]


@dataclass(frozen=True, kw_only=True)
class OptionValueAnswer(Model):
    """A value of an option."""

    value: str
    label: str
    description: str


@dataclass(frozen=True, kw_only=True)
class OptionsAnswer(Model):
    """The options that were chosen; absent ones keep the usual look."""

    sky: SkyKind | str | None = None
    dusk: DuskKind | str | None = None
    lawn: LawnLook | str | None = None
    brightness: Brightness | str | None = None
    verticals: Verticals | str | None = None
    privacy: Privacy | str | None = None


@dataclass(frozen=True, kw_only=True)
class OptionsRequest(Model):
    """The options of effects. An option that is left out has the value for all photos, or else its
    default.
    """

    sky: SkyKind | str | None = None
    dusk: DuskKind | str | None = None
    lawn: LawnLook | str | None = None
    brightness: Brightness | str | None = None
    verticals: Verticals | str | None = None
    privacy: Privacy | str | None = None


@dataclass(frozen=True, kw_only=True)
class OrderResult(Model):
    """The job that an order became."""

    livemode: bool
    success: bool
    job_id: str
    status: Status | str
    credit_cost: float
    photos_uploaded: int
    assets: list[Asset]
    message: str
    listing: ListingAnswer
    credits_refunded: float | None = None
    external_id: str | None = None
    metadata: dict[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class PackWarningAnswer(Model):
    """A way in which the pack differs from the order, or something that is left to do."""

    code: PackWarningCode | str
    message: str
    photos: list[int]
    enhancements: list[Enhancement | str]


@dataclass(frozen=True, kw_only=True)
class PhotoConfig(Model):
    """Own enhancements or options for one photo, in place of the global ones."""

    photo_type: PhotoType | str
    enhancements: list[Enhancement | str] | None = None
    photo_index: int | None = None
    options: OptionsRequest | None = None
    hints: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class PhotoCount(Model):
    """How many photos a job has."""

    interior: int
    exterior: int


@dataclass(frozen=True, kw_only=True)
class PhotoForecastAnswer(Model):
    """What each step would do to one photo."""

    status: RegionsStatus | str
    message: str | None = None
    steps: list[StepForecastAnswer] | None = None


@dataclass(frozen=True, kw_only=True)
class PhotoPlaceAnswer(Model):
    """The place of a photo in an order."""

    type: PhotoType | str
    index: int


@dataclass(frozen=True, kw_only=True)
class PhotoQualityAnswer(Model):
    """The result of the checks of the picture made of one photo."""

    id: str
    file_name: str
    type: PhotoType | str
    index: int
    verdict: Verdict | str
    image_id: str | None = None
    reason: Reason | str | None = None
    message: str | None = None
    hint: HintPart | str | None = None
    steps: list[StepAnswer]
    figures: list[FigureAnswer]
    hinted: bool


@dataclass(frozen=True, kw_only=True)
class PictureEvidenceAnswer(Model):
    """The evidence about one photo."""

    number: int
    type: PhotoType | str
    file_name: str
    image_id: str | None = None
    edits: list[EditEvidenceAnswer]
    caption: str | None = None
    label: str | None = None
    verdict: Verdict | str
    reason: Reason | str | None = None
    decided_by: DecidedBy | str | None = None
    decided_at: datetime | None = None
    original_sha256: str | None = None
    frame_sha256s: list[str] | None = None
    altered_sha256: str | None = None
    engine_version: str | None = None
    figures: list[EvidenceFigure]
    revisions: list[RevisionEvidenceAnswer]


@dataclass(frozen=True, kw_only=True)
class PictureLimitsAnswer(Model):
    """The limits of a listing service; an absent limit is not stated, or we do not know it."""

    max_bytes: int | None = None
    max_count: int | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, kw_only=True)
class PlaceOrder(Model):
    """An order for uploaded photos. Public imagery replaces exterior photos where there are none."""

    service_type: ServiceType | str
    exterior_enhancements: list[Enhancement | str] | None = None
    interior_enhancements: list[Enhancement | str] | None = None
    photo_configs: list[PhotoConfig] | None = None
    renovations: dict[str, list[RenovationEntry]] | None = None
    virtual_staging: dict[str, StagingWish] | None = None
    listing: ListingRequest | None = None
    options: OptionsRequest | None = None
    preset_id: str | None = None
    external_id: str | None = None
    metadata: dict[str, str] | None = None
    interior_files: list[FileRef] | None = None
    exterior_files: list[FileRef] | None = None
    address: str
    upload_session_id: str
    callback_url: str | None = None


@dataclass(frozen=True, kw_only=True)
class PlanAnswer(Model):
    """A room from above, in meters: x to the right and y away from the camera, along the room's main
    directions.
    """

    camera: list[float]
    floor: list[list[list[float]]]
    clear: list[list[list[float]]]
    walls: list[list[list[float]]]
    to_picture: list[list[float]]
    layouts: list[LayoutAnswer]


@dataclass(frozen=True, kw_only=True)
class PlannedPieceAnswer(Model):
    """A piece of furniture in a floor plan; lengths in meters."""

    piece: str
    main: bool
    x: float
    y: float
    turn: float
    width: float
    depth: float
    height: float
    raised: float
    flat: bool
    at: list[float] | None = None
    faces: list[float] | None = None


@dataclass(frozen=True, kw_only=True)
class PossibleAnswer(Model):
    """The price of the part of an order that can be done, as far as forecasts are known."""

    credit_cost: float
    lines: list[QuoteLineAnswer]


@dataclass(frozen=True, kw_only=True)
class PresetAnswer(Model):
    """Choices that are kept under a name."""

    livemode: bool | None = None
    id: str
    name: str
    exterior_enhancements: list[Enhancement | str]
    interior_enhancements: list[Enhancement | str]
    options: OptionsAnswer | None = None
    staging_style: Style | str | None = None
    is_default: bool
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class PresetDeleted(Model):
    """The answer to the deletion of a preset."""

    livemode: bool
    success: bool
    id: str


@dataclass(frozen=True, kw_only=True)
class PresetList(Model):
    """All presets of the account."""

    livemode: bool
    presets: list[PresetAnswer]


@dataclass(frozen=True, kw_only=True)
class PresetRequest(Model):
    """Choices to be kept under a name. The preset says nothing about fields that are left out."""

    name: str
    exterior_enhancements: list[Enhancement | str] | None = None
    interior_enhancements: list[Enhancement | str] | None = None
    options: OptionsRequest | None = None
    staging_style: Style | str | None = None
    is_default: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Profile(Model):
    """The owner of the account."""

    name: str
    email: str


@dataclass(frozen=True, kw_only=True)
class ProgressAnswer(Model):
    """The progress of a job."""

    total: int
    completed: int
    percentage: int


@dataclass(frozen=True, kw_only=True)
class PublicPageAnswer(Model):
    """Where the originals are published."""

    livemode: bool
    url: str
    qr_url: str
    shows_address: bool
    expires_at: datetime
    pictures: list[PublicPictureAnswer]


@dataclass(frozen=True, kw_only=True)
class PublicPageDeleted(Model):
    """The answer to the deletion of a page."""

    livemode: bool
    success: bool


@dataclass(frozen=True, kw_only=True)
class PublicPageEvidenceAnswer(Model):
    """One public page of the originals."""

    url: str
    published_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    shows_address: bool
    pictures: list[int]
    lost_originals: list[int]


@dataclass(frozen=True, kw_only=True)
class PublicPageRequest(Model):
    """What is published, and for how long."""

    shows_address: bool | None = None
    months: int | None = None


@dataclass(frozen=True, kw_only=True)
class PublicPictureAnswer(Model):
    """One altered picture on a public page."""

    image_id: str
    url: str
    withheld: list[PersonalDetail | str] | None = None


@dataclass(frozen=True, kw_only=True)
class QualityAnswer(Model):
    """The quality report of a job."""

    livemode: bool
    job_id: str
    status: Status | str
    photos: list[PhotoQualityAnswer]


@dataclass(frozen=True, kw_only=True)
class QuoteAnswer(Model):
    """What an order would cost."""

    livemode: bool
    credit_cost: float
    lines: list[QuoteLineAnswer]
    warnings: list[str]
    listing: ListingAnswer
    photos: list[QuotedPhotoAnswer]
    possible: PossibleAnswer | None = None


@dataclass(frozen=True, kw_only=True)
class QuoteLineAnswer(Model):
    """One line of a price."""

    label: str
    enhancement: Enhancement | str | None = None
    quantity: int
    unit_credits: float
    credits: float


@dataclass(frozen=True, kw_only=True)
class QuoteRequest(Model):
    """An order to be priced; counts stand in for photos that are not uploaded."""

    service_type: ServiceType | str
    exterior_enhancements: list[Enhancement | str] | None = None
    interior_enhancements: list[Enhancement | str] | None = None
    photo_configs: list[PhotoConfig] | None = None
    renovations: dict[str, list[RenovationEntry]] | None = None
    virtual_staging: dict[str, StagingWish] | None = None
    listing: ListingRequest | None = None
    options: OptionsRequest | None = None
    preset_id: str | None = None
    external_id: str | None = None
    metadata: dict[str, str] | None = None
    interior_files: list[FileRef] | None = None
    exterior_files: list[FileRef] | None = None
    address: str | None = None
    upload_session_id: str | None = None
    interior_count: int | None = None
    exterior_count: int | None = None


@dataclass(frozen=True, kw_only=True)
class QuotedPhotoAnswer(Model):
    """One photo of a quote."""

    type: PhotoType | str
    index: int
    disclosures: list[DisclosureAnswer]
    forecast: PhotoForecastAnswer | None = None


@dataclass(frozen=True, kw_only=True)
class RecipeAnswer(Model):
    """What one picture was made from."""

    image_id: str
    type: PhotoType | str
    index: int
    engine_version: str | None = None
    seed: str
    photo_seed: int
    strength: float
    original_sha256: str | None = None
    frame_sha256s: list[str] | None = None
    picture_sha256: str | None = None
    steps: list[RecipeStepAnswer]
    appearance: AppearanceAnswer
    staging: RecipeStagingAnswer | None = None
    changes: list[RecipeChangeAnswer]
    options: OptionsAnswer | None = None
    hints: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class RecipeChangeAnswer(Model):
    """One change of a renovation, as it was ordered."""

    change_type: ChangeType | str
    change_description: str
    reference_text: str | None = None
    reference_image_count: int | None = None


@dataclass(frozen=True, kw_only=True)
class RecipeStagingAnswer(Model):
    """The style and the type of room that were ordered for virtual staging."""

    style: Style | str
    room_type: RoomType | str


@dataclass(frozen=True, kw_only=True)
class RecipeStepAnswer(Model):
    """One enhancement of the recipe."""

    enhancement: Enhancement | str
    applied: bool
    made_by: Maker | str | None = None


@dataclass(frozen=True, kw_only=True)
class RecipesAnswer(Model):
    """The recipes of a job's approved pictures."""

    livemode: bool
    job_id: str
    recipes: list[RecipeAnswer]


@dataclass(frozen=True, kw_only=True)
class RedeliveryRequest(Model):
    """The time since which failed deliveries are sent again."""

    since: datetime


@dataclass(frozen=True, kw_only=True)
class RefundAnswer(Model):
    """One refund of a job."""

    amount: float
    cause: CauseCode | str
    photo_id: str | None = None
    enhancement: Enhancement | str | None = None
    reason: str
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class RegionsAnswer(Model):
    """What a photo shows, and what each step would do to it."""

    livemode: bool
    status: RegionsStatus | str
    message: str | None = None
    width: int | None = None
    height: int | None = None
    outdoors: bool | None = None
    hinted: bool | None = None
    seen: dict[str, Any] | None = None
    certainties: dict[str, list[float]] | None = None
    camera: CameraAnswer | None = None
    unclear: str | None = None
    labels: LabelsAnswer | None = None
    segments: list[SegmentAnswer] | None = None
    plan: PlanAnswer | None = None
    layout_preview: str | None = None
    steps: list[StepForecastAnswer] | None = None


@dataclass(frozen=True, kw_only=True)
class RegionsRequest(Model):
    """One uploaded photo with what is to happen to it, in the fields of an order."""

    service_type: ServiceType | str
    exterior_enhancements: list[Enhancement | str] | None = None
    interior_enhancements: list[Enhancement | str] | None = None
    photo_configs: list[PhotoConfig] | None = None
    renovations: dict[str, list[RenovationEntry]] | None = None
    virtual_staging: dict[str, StagingWish] | None = None
    listing: ListingRequest | None = None
    options: OptionsRequest | None = None
    preset_id: str | None = None
    external_id: str | None = None
    metadata: dict[str, str] | None = None
    interior_files: list[FileRef] | None = None
    exterior_files: list[FileRef] | None = None


@dataclass(frozen=True, kw_only=True)
class RejectedPhotoAnswer(Model):
    """One photo without a usable result."""

    photo_id: str
    type: PhotoType | str
    index: int
    file_name: str
    image_id: str
    code: Reason | str | None = None
    reason: str


@dataclass(frozen=True, kw_only=True)
class RenovationEntry(Model):
    """One change wished for on one interior photo, with a reference in words or in pictures."""

    change_type: ChangeType | str
    change_description: str
    reference_type: str | None = None
    reference_text: str | None = None
    reference_images: list[str] | None = None


@dataclass(frozen=True, kw_only=True)
class RevisionAnswer(Model):
    """One round in which a result was sent back."""

    livemode: bool | None = None
    id: str
    image_id: str
    round: int
    reason: Flaw | str
    message: str
    without: Enhancement | str | None = None
    status: RevisionStatus | str
    outcome: RevisionOutcome | str | None = None
    code: RevisionReason | str | None = None
    answer: str | None = None
    tried: TriedAnswer | None = None
    credits_refunded: float
    created_at: datetime
    decided_at: datetime | None = None
    before: BeforeAnswer | None = None


@dataclass(frozen=True, kw_only=True)
class RevisionEvidenceAnswer(Model):
    """One round in which the result was sent back as not right."""

    round: int
    flaw: Flaw | str
    sent_back_at: datetime
    outcome: RevisionOutcome | str | None = None
    decided_by: DecidedBy | str | None = None
    decided_at: datetime | None = None
    before_sha256: str | None = None


@dataclass(frozen=True, kw_only=True)
class RevisionListAnswer(Model):
    """All rounds of a result."""

    livemode: bool
    revisions: list[RevisionAnswer]


@dataclass(frozen=True, kw_only=True)
class RevisionRequest(Model):
    """The reasons why the result is not right."""

    reason: Flaw | str
    message: str | None = None
    without: Enhancement | str | None = None
    options: OptionsRequest | None = None
    hints: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class RuleAnswer(Model):
    """One rule on altered pictures. It was not written down by a lawyer."""

    id: str
    kind: RuleKind | str
    version: int
    name: str
    area: str
    country: str | None = None
    regions: list[str]
    in_force: str | None = None
    bill: str | None = None
    checked: str
    certainty: RuleCertainty | str
    summary: str
    sources: list[SourceAnswer]
    label: LabelRuleAnswer
    original: OriginalPlace | str
    primary_photo: PrimaryPhoto | str
    pictures: PictureLimitsAnswer
    stage: RuleStage | str
    has_primary_source: bool
    changes: list[RuleChangeAnswer]
    effects: dict[str, EffectRuleAnswer]


@dataclass(frozen=True, kw_only=True)
class RuleChangeAnswer(Model):
    """A part of a rule that changes on its own day."""

    begins: str
    summary: str
    source: SourceAnswer
    begun: bool


@dataclass(frozen=True, kw_only=True)
class RuleList(Model):
    """All rules."""

    rules: list[RuleAnswer]


@dataclass(frozen=True, kw_only=True)
class SecretRequest(Model):
    """Whether a secret that is pending already may be replaced."""

    replace_pending: bool | None = None


@dataclass(frozen=True, kw_only=True)
class SegmentAnswer(Model):
    """A piece of the photo, bounded by edges in the picture."""

    polygon: list[list[float]]
    seen: str
    certainty: float


@dataclass(frozen=True, kw_only=True)
class ShareCommentAnswer(Model):
    """A client's answer about one picture."""

    photo: int
    image_id: str
    favorite: bool
    text: str
    said_at: datetime


@dataclass(frozen=True, kw_only=True)
class ShareLinkAnswer(Model):
    """A link by which a client sees a job's results, and what they answered."""

    livemode: bool | None = None
    id: str
    url: str | None = None
    title: str
    may_download: bool
    active: bool
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    last_seen_at: datetime | None = None
    response: ShareResponseAnswer | None = None
    comments: list[ShareCommentAnswer]


@dataclass(frozen=True, kw_only=True)
class ShareLinkList(Model):
    """All share links of a job."""

    livemode: bool
    shares: list[ShareLinkAnswer]


@dataclass(frozen=True, kw_only=True)
class ShareLinkRevoked(Model):
    """The answer to the revocation of a link."""

    livemode: bool
    success: bool
    id: str


@dataclass(frozen=True, kw_only=True)
class ShareRequest(Model):
    """What a link shows and permits, and for how long."""

    title: str | None = None
    days: int | None = None
    may_download: bool | None = None


@dataclass(frozen=True, kw_only=True)
class ShareResponseAnswer(Model):
    """A client's answer about all pictures."""

    verdict: ShareVerdict | str
    name: str
    email: str
    message: str
    said_at: datetime


@dataclass(frozen=True, kw_only=True)
class SourceAnswer(Model):
    """Where a rule was read."""

    title: str
    url: str
    primary: bool


@dataclass(frozen=True, kw_only=True)
class SourceFile(Model):
    """A file that the service fetches itself."""

    type: PhotoType | str
    url: str


@dataclass(frozen=True, kw_only=True)
class StagingWish(Model):
    """How one interior photo is to be furnished; each field has its own default."""

    style: Style | str | None = None
    room_type: RoomType | str | None = None


@dataclass(frozen=True, kw_only=True)
class StepAnswer(Model):
    """The outcome of one enhancement of a photo."""

    enhancement: Enhancement | str
    applied: bool
    reason: Reason | str | None = None
    message: str | None = None
    maker: Maker | str | None = None
    changes: list[ChangeAnswer] | None = None
    furniture: list[FurnitureAnswer] | None = None


@dataclass(frozen=True, kw_only=True)
class StepForecastAnswer(Model):
    """The forecast for one enhancement."""

    enhancement: Enhancement | str
    prospect: Prospect | str
    unsure: bool | None = None
    hint: HintPart | str | None = None
    reason: Reason | str | None = None
    message: str | None = None
    changes: list[ChangeForecastAnswer] | None = None


@dataclass(frozen=True, kw_only=True)
class TestCreditsAnswer(Model):
    """The balance after a refill."""

    livemode: bool
    credits: float


@dataclass(frozen=True, kw_only=True)
class TriedAnswer(Model):
    """The settings with which the picture was made again, or is being made again."""

    photo_seed: int
    strength: float
    without: list[Enhancement | str]
    options: OptionsAnswer | None = None
    hinted: bool


@dataclass(frozen=True, kw_only=True)
class UndeliverableAnswer(Model):
    """Why the job has no usable result."""

    code: UndeliverableCode | str | None = None
    reason: str
    credits_refunded: float


@dataclass(frozen=True, kw_only=True)
class UploadRequest(Model):
    """How many upload URLs are requested, and which files are fetched."""

    interior_count: int | None = None
    exterior_count: int | None = None
    frames_per_photo: int | None = None
    files: list[SourceFile] | None = None


@dataclass(frozen=True, kw_only=True)
class UploadSessionAnswer(Model):
    """Upload URLs for one order."""

    livemode: bool
    upload_session_id: str
    interior_urls: list[UploadTarget]
    exterior_urls: list[UploadTarget]
    expires_in: int
    message: str


@dataclass(frozen=True, kw_only=True)
class UploadTarget(Model):
    """The URL to which one file is PUT."""

    upload_url: str
    file_path: str
    index: int
    type: PhotoType | str
    photo: int | None = None
    frame: int | None = None
    group: str | None = None
    file: int | None = None


@dataclass(frozen=True, kw_only=True)
class VariantAnswer(Model):
    """One file of a picture."""

    variant: Variant | str
    url: str
    content_credentials: CredentialKind | str | None = None


@dataclass(frozen=True, kw_only=True)
class VariantListAnswer(Model):
    """All variants of a picture, including the base if it is a separate file."""

    livemode: bool
    variants: list[VariantPictureAnswer]


@dataclass(frozen=True, kw_only=True)
class VariantPictureAnswer(Model):
    """One variant of a picture, and its files once they are made."""

    livemode: bool | None = None
    id: str
    status: VariantState | str
    reason: VariantObstacle | str | None = None
    without: list[Enhancement | str]
    enhancements: list[Enhancement | str]
    created_at: datetime
    url: str | None = None
    labeled_url: str | None = None
    width: int | None = None
    height: int | None = None
    bytes: int | None = None
    sha256: str | None = None
    content_credentials: CredentialKind | str | None = None
    caption: str | None = None


@dataclass(frozen=True, kw_only=True)
class WebhookAnswer(Model):
    """A registered receiver; `secret` is only in the answers to its registration and to a rotation."""

    livemode: bool | None = None
    id: str
    url: str
    events: list[EventName | str]
    active: bool
    off_reason: str | None = None
    secret: str | None = None
    new_secret_from: datetime | None = None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class WebhookChange(Model):
    """A change of a receiver. Fields that are left out stay unchanged."""

    url: str | None = None
    events: list[EventName | str] | None = None
    active: bool | None = None


@dataclass(frozen=True, kw_only=True)
class WebhookDeleted(Model):
    """The answer to the deletion of a receiver."""

    livemode: bool
    success: bool
    id: str


@dataclass(frozen=True, kw_only=True)
class WebhookDetailsAnswer(Model):
    """A registered receiver with its health."""

    livemode: bool
    id: str
    url: str
    events: list[EventName | str]
    active: bool
    off_reason: str | None = None
    secret: str | None = None
    new_secret_from: datetime | None = None
    created_at: datetime
    health: WebhookHealthAnswer


@dataclass(frozen=True, kw_only=True)
class WebhookHealthAnswer(Model):
    """The health of a webhook."""

    condition: WebhookState | str
    attempts: int
    succeeded: int
    seconds_p95: float | None = None
    last_success_at: datetime | None = None
    waiting: int
    held: int
    failed: int


@dataclass(frozen=True, kw_only=True)
class WebhookList(Model):
    """All receivers of the account."""

    livemode: bool
    webhooks: list[WebhookAnswer]


@dataclass(frozen=True, kw_only=True)
class WebhookRequest(Model):
    """A receiver to register."""

    url: str
    events: list[EventName | str] | None = None


@dataclass(frozen=True, kw_only=True)
class WithoutRequest(Model):
    """The steps to leave out of the picture."""

    without: list[Enhancement | str]
