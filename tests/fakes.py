"""Stand-ins at the outer ports, each held to the same contract tests as the real thing."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, BinaryIO

from app.domain.content_credentials import CredentialKind, PictureClaim, SigningError
from app.domain.ports import ImageryUnavailableError, QueueName, QueueUnavailableError, WorkerSign
from engine.types.appearance import LightEstimate
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.file_facts import FileFacts, PersonalDetail
from engine.types.furniture import AddedFurniture
from engine.types.pictures import (
    Enhanced,
    ListingPicture,
    Picture,
    Previews,
    PreviewSize,
    UnusablePhotoError,
    WantedPreviews,
)
from engine.types.report import ChangeOutcome, Figure, QualityReport, Reason, StepOutcome


class FakeClock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **duration: float) -> None:
        """Let time pass."""
        self.now += timedelta(**duration)


@dataclass
class FakeQueue:
    """A wake-up that remembers who was notified, and can be away."""

    queues: dict[QueueName, list[str]] = field(default_factory=lambda: {queue_name: [] for queue_name in QueueName})
    away: bool = False
    present: list[WorkerSign] = field(default_factory=list)

    @property
    def notified(self) -> list[str]:
        """Who rang for photos."""
        return self.queues[QueueName.PHOTOS]

    def notify(self, queue_name: QueueName, ids: Sequence[str]) -> None:
        self.ping()
        self.queues[queue_name].extend(ids)

    def count_waiting(self, queue_name: QueueName) -> int:
        self.ping()
        return len(self.queues[queue_name])

    def workers(self) -> Sequence[WorkerSign]:
        self.ping()
        return sorted(self.present, key=lambda each: each.sort_key)

    def ping(self) -> None:
        if self.away:
            raise QueueUnavailableError("away")


NEUTRAL, WARM = (1.0, 1.0, 1.0), (1.25, 1.0, 0.75)


ADDED = (AddedFurniture("sofa", 1, 2.2, 0.94, 0.81), AddedFurniture("rug", 2, 2.0, 3.0, 0.01))
"""What staging adds to a photo that says `PIECES`."""


BEFORE = b"\xff\xd8\xffstraightened alike"


@dataclass
class FakeEngine:
    """Gives the photo back as it came, or does what a marker in its bytes says.

    `BROKEN` cannot be decoded, `CRASH` breaks the processing, `DECLINE` declines every step,
    `HALF` declines the last step (with `UNSEEN` because it did not see where), `BLANK` gives a picture that fails
    its checks, `DOUBT` one that just passes, both together one that just fails. Made otherwise than ordered, the
    picture says so at its end, with `tells_steps` its steps, looks and hints too. `AGAIN DOUBT`, `AGAIN BLANK` and
    `AGAIN CRASH` do the same to what is made otherwise alone, `FIRST DECLINE` and `FIRST BLANK` to what is made as
    ordered alone, `UNTOLD DECLINE` and `UNTOLD HALF` to what is made without hints. Every photo shows a room in
    neutral light; `WARM`: in that of lamps; `DAZZLE`: estimating its light breaks; `LEANS`: it is straightened;
    `UNFIT`: it fits no other frame. It remembers what it estimated and was asked for.
    """

    before: Callable[[], None] = lambda: None
    before_estimate: Callable[[], None] = lambda: None
    estimated: list[bytes] = field(default_factory=list)
    requests: list[EditRequest] = field(default_factory=list)
    contexts: list[EngineContext] = field(default_factory=list)
    tells_steps: bool = False

    def estimate_light(self, photo: BinaryIO) -> LightEstimate:
        self.before_estimate()
        content = photo.read()
        self.estimated.append(content)
        if b"BROKEN" in content:
            raise UnusablePhotoError(Reason.UNDECODABLE, "The photo cannot be decoded.")
        if b"DAZZLE" in content:
            raise RuntimeError("the engine was dazzled")
        return LightEstimate(
            outdoors=False, cast=WARM if b"WARM" in content else NEUTRAL, certainty=1.0, brightness=0.5
        )

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        self.before()
        self.requests.append(request)
        self.contexts.append(context)
        whole = b"".join(opened().read() for opened in context.frames) or photo.read()
        if context.frames and b"UNFIT" in whole:
            raise UnusablePhotoError(Reason.FRAMES_UNFIT, "The frames do not show the same view.")
        content = self._marked(whole, request, context)
        if b"BROKEN" in content:
            raise UnusablePhotoError(Reason.UNDECODABLE, "The photo cannot be decoded.")
        if b"CRASH" in content:
            raise RuntimeError("the engine crashed")
        declined = len(request.steps) if b"DECLINE" in content else 1 if b"HALF" in content else 0
        applied = len(request.steps) - declined
        steps = tuple(
            StepOutcome(
                enhancement=step,
                applied=place < applied,
                reason=None if place < applied else _why_declined(content, step),
                message="" if place < applied else "Not available.",
                changes=_changes(content, step, request),
                furniture=ADDED if step is Enhancement.STAGING and b"PIECES" in content else (),
            )
            for place, step in enumerate(request.steps)
        )
        if not applied:
            report = QualityReport(steps=steps, reason=Reason.ALL_STEPS_DECLINED, message="Not available.")
            return Enhanced(None, report)
        reason, message = (Reason.BLANK, "The picture is blank.") if b"BLANK" in content else (None, "")
        tones = {"code": "tonal_variety", "minimum": 4, "fault": Reason.BLANK, "margin": 0.1}
        figures = (Figure(value=3.9 if reason else 4.1, **tones),) if b"DOUBT" in content else ()
        figures += (Figure(FigureCode.STRAIGHTENED, 2.0),) if b"LEANS" in content else ()
        report = QualityReport(steps=steps, figures=figures, reason=reason, message=message)
        return Enhanced(Picture(content, "image/jpeg", 4, 3), report, BEFORE if b"LEANS" in content else None)

    def _marked(self, content: bytes, request: EditRequest, context: EngineContext) -> bytes:
        otherwise = (context.photo_seed, context.strength) != (0, 1.0)
        for mark in (b"DOUBT", b"BLANK", b"CRASH"):
            content = content.replace(b"AGAIN " + mark, mark if otherwise else b"")
        for mark in (b"DECLINE", b"BLANK"):
            content = content.replace(b"FIRST " + mark, b"" if otherwise else mark)
        for mark in (b"DECLINE", b"HALF"):
            content = content.replace(b"UNTOLD " + mark, b"" if request.hints else mark)
        if otherwise:
            content += f" seed {context.photo_seed} strength {context.strength}".encode()
        told = [*request.steps, *request.chosen_options.chosen.values()]
        told += [repr(request.hints)] if request.hints else []
        return content + " ".join(told).encode() if self.tells_steps else content


def _why_declined(content: bytes, step: Enhancement) -> Reason:
    if b"UNSEEN" not in content:
        return Reason.NOT_AVAILABLE
    outside = {Enhancement.GRASS: Reason.NO_LAWN, Enhancement.SKY: Reason.NO_SKY}
    return outside.get(step, Reason.NO_FREE_PLACE)


def _changes(content: bytes, step: Enhancement, request: EditRequest) -> tuple[ChangeOutcome, ...]:
    """Every second change of a renovation is declined where the photo says `EVERY SECOND`."""
    if b"EVERY SECOND" not in content or step is not Enhancement.RENOVATION:
        return ()
    why = Reason.SURFACE_NOT_FOUND if b"UNSEEN" in content else Reason.NOT_UNDERSTOOD
    return tuple(
        ChangeOutcome(
            index=index,
            type=change.type,
            applied=index % 2 == 0,
            reason=why if index % 2 else None,
            message="No color was named." if index % 2 else "",
        )
        for index, change in enumerate(request.changes)
    )


def make_facts(content: bytes = b"", **known: Any) -> FileFacts:
    """Facts of a file of which nothing is known but what is said; each content shows another view."""
    digest = hashlib.sha512(content).hexdigest()
    seen = {"perceptual_hash": digest[:16], "view_signature": digest[:64] + "f" * 64, "brightness": 0.5}
    unknown = dict.fromkeys(("taken_at", "exposure_value", "flash_fired", "guessed_type"))
    return FileFacts(**{"width": 4, "height": 3, **unknown, **seen, **known})


@dataclass
class FakePreviewMaker:
    """Makes words of a picture, or does what a marker in its bytes says: `BROKEN`, `CRASH`; `SECRET` is a place."""

    before: Callable[[], None] = lambda: None
    facts: Callable[[bytes], FileFacts] = make_facts

    def make(self, picture: BinaryIO, wanted: WantedPreviews) -> Previews:
        self.before()
        content = picture.read()
        if b"BROKEN" in content:
            raise UnusablePhotoError(Reason.UNDECODABLE, "The photo cannot be decoded.")
        if b"CRASH" in content:
            raise RuntimeError("making previews crashed")
        pictures = {size: b"\xff\xd8\xff" + size.encode() for size in (PreviewSize.THUMB, PreviewSize.VIEW)}
        if wanted.label is not None:
            pictures[PreviewSize.LABELED] = b"\xff\xd8\xff" + wanted.label.encode()
        if wanted.public:
            pictures[PreviewSize.PUBLIC] = b"\xff\xd8\xff" + content.replace(b"SECRET", b"")
        holds = (PersonalDetail.PLACE,) if b"SECRET" in content else ()
        facts = self.facts(content) if wanted.facts else None
        if facts is not None and not wanted.guess:
            facts = replace(facts, guessed_type=None)
        return Previews(pictures, 4, 3, facts, holds)


@dataclass
class FakeListingPictureMaker:
    """Writes down what was wanted of a picture, or does what a marker in its bytes says: `BROKEN`, `CRASH`."""

    before: Callable[[], None] = lambda: None

    def make(self, picture: BinaryIO, wanted: ListingPicture) -> Picture:
        self.before()
        content = picture.read()
        if b"BROKEN" in content:
            raise UnusablePhotoError(Reason.UNDECODABLE, "The photo cannot be decoded.")
        if b"CRASH" in content:
            raise RuntimeError("making the picture crashed")
        said = f"label={wanted.label} disclosure={wanted.disclosure} limits={wanted.max_bytes}"
        return Picture(content + said.encode(), "image/jpeg", 4, 3)


@dataclass
class FakeCredentials:
    """Writes behind a picture that it was signed, remembers the claims, and can be `broken`."""

    kind: CredentialKind = CredentialKind.DEMO
    broken: Exception | None = None
    claims: list[PictureClaim] = field(default_factory=list)

    def sign(self, content: bytes, media_type: str, claim: PictureClaim) -> bytes:
        if media_type not in {"image/jpeg", "image/png", "image/webp"}:
            raise SigningError("no such format")
        if self.broken is not None:
            raise self.broken
        self.claims.append(claim)
        return content + b" SIGNED"


@dataclass
class FakeImagery:
    """Has these pictures by address, remembers what it was asked for, and can be away."""

    pictures: Mapping[str, bytes] = field(default_factory=dict)
    away: bool = False
    asked: list[str] = field(default_factory=list)

    def find(self, address: str) -> bytes | None:
        self.asked.append(address)
        if self.away:
            raise ImageryUnavailableError("away")
        return self.pictures.get(address)


def photo(marker: str = "") -> bytes:
    """Bytes that pass the header check and tell FakeEngine what to do."""
    return b"\xff\xd8\xff\xe0" + marker.encode() + b"." * 100
