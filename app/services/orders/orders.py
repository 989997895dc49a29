"""Orders: each is placed exactly once, with its debit, job, photos and event in one transaction."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import PurePosixPath

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from app.domain import ledger, photo_places, sandbox_addresses
from app.domain.amounts import credits_
from app.domain.budgets import Payer
from app.domain.errors import Conflict, InsufficientCredits, InvalidFields, RateLimited
from app.domain.field_errors import Fault, FaultCode, Location
from app.domain.file_names import MAX_IMAGE_BYTES, cut, make_stems_unique, slug
from app.domain.ids import Prefix, is_id, new_id
from app.domain.metadata import digest_pair
from app.domain.order_files import FileRef
from app.domain.orders import FiledOrder, OrderPhoto, PlaceOrder
from app.domain.ports import FileStat
from app.domain.pricing import image_price, property_price, quote
from app.domain.retention import Keeping
from app.domain.sandbox_addresses import SandboxOutcome
from app.domain.security_events import SecurityEvent
from app.models import Job, JobMetadata, Photo, PhotoFacts, PhotoFrame, UploadSession
from app.services import engines, security_log
from app.services.accounts import organizations
from app.services.billing import budgets, credits
from app.services.orders import jobs, sandbox_room, upload_groups
from app.services.previews import photo_facts
from app.services.uploads import fetches, quotas, uploads
from app.services.webhooks import callbacks
from engine.types.enhancements import PhotoType
from engine.types.file_facts import find_middle_frame
from engine.version import engine_version

MAX_FILE_NAME_BYTES = MAX_IMAGE_BYTES - len(" (999).jpeg")
"""A number and the extension of the result are added to the name of an ordered photo."""
NO_UPLOAD_SESSION = Fault(("uploadSessionId",), FaultCode.NO_UPLOAD_SESSION)


@dataclass(frozen=True, slots=True)
class PlacedOrder:
    """A job with its photos. `was_placed_before`: the same order was placed before, and this is its job."""

    job: Job
    photos: list[Photo]
    was_placed_before: bool = False


def list_named_files(order: FiledOrder) -> dict[Location, str]:
    """The storage key of each file that the order names, by the file's location in the request."""
    named: dict[Location, str] = {
        (f"{group}Files", place, "filePath"): file.file_path
        for group in PhotoType
        for place, file in enumerate(order.files(group))
    }
    for key, entries in order.renovations.items():
        for number, entry in enumerate(entries):
            for place, image in enumerate(entry.reference_images or ()):
                named["renovations", key, number, "referenceImages", place] = image
    return named


def place(
    session: Session,
    payer: Payer,
    order: PlaceOrder,
    found: Mapping[str, FileStat],
    now: datetime,
    time_limit: timedelta,
    kinds: Mapping[str, PhotoType] | None = None,
) -> PlacedOrder:
    """Place the order: charge it and create its job. `found`: the order's stored files, from uploads.stat_files().
    `kinds`: the photo types by storage key, for a draft, because its customer may have changed them; with None, the
    types of the upload slots apply.

    If the same order of the same upload session was placed before, its job is returned without another charge.
    Raises InvalidFields, Conflict (the session was used for another order) and InsufficientCredits, what
    budgets.spend() raises, and for a test order SandboxFull and what its address asks for; then nothing is changed.
    """
    account_id = payer.account_id
    upload_session = _lock_upload_session(session, account_id, order)
    if upload_session.job_id is not None:
        return _get_placed(session, upload_session, order)
    known = check_files(session, order, upload_session, found, kinds)
    ordered = order.photos()
    job = _make_job(payer, order, ordered, now, time_limit)
    job.livemode = organizations.is_live(session, account_id)
    if not job.livemode:
        _refuse_as_asked(job)
        sandbox_room.require(session, account_id, job.interior_count + job.exterior_count, now)
    job.engine_version = require_engine(session, account_id, order, now)
    job.spread_meters = _measure_spread(order, known)
    job.keeping = Keeping.WANTED if organizations.keeps_photos(session, account_id) else None
    if order.callback_url is not None:
        job.callback_id = callbacks.subscribe(session, account_id, order.callback_url, now).id
    jobs.begin(session, job, now)
    session.add_all(_list_pairs(job))
    _charge(session, job, payer, now)
    security_log.record_activity(
        session,
        SecurityEvent.ORDER_PLACED,
        account_id,
        f"{job.address}: {credits_(job.credit_cost)}",
        now,
        job=job.id,
    )
    photos = _make_photos(job, ordered, known, found, now)
    session.add_all(photos)
    jobs.notify_workers(session, ((photo.id, photo.work_size) for photo in photos))
    quotas.close(session, account_id, upload_session.held_bytes)
    quotas.uncount_all(session, upload_session.id)
    fetches.forget(session, upload_session.id)
    upload_session.job_id, upload_session.order_digest, upload_session.held_bytes = job.id, order.digest(), 0
    upload_session.preset = order.preset
    return PlacedOrder(job, photos)


def require_engine(session: Session, account_id: str, order: FiledOrder, now: datetime) -> str:
    """Return the version of the engine that makes the order's pictures. Raises InvalidFields for options that this
    version does not know, and for options that cannot be carried out where this service is installed.
    """
    version = engines.find_version(session, account_id, now)
    known = engines.find_options(session, version)
    code = FaultCode.NOT_INSTALLED if version == engine_version() else FaultCode.NEWER_THAN_ENGINE
    faults = []
    for photo in order.photos():
        for name, value in photo.edit_request.chosen_options.chosen.items():
            if value not in known.get(name, ()):
                about = {"version": version, "option": f"{name}: {value}"}
                faults.append(Fault(_locate(order, photo), code, about))
    if faults:
        raise InvalidFields(faults)
    return version


def _locate(order: FiledOrder, photo: OrderPhoto) -> Location:
    """Where the order names the photo's first file; for public imagery, which has no file, the field of the
    options.
    """
    if not photo.files:
        return ("options",)
    return (f"{photo.type}Files", order.files(photo.type).index(photo.files[0]))


def _refuse_as_asked(job: Job) -> None:
    """Refuse a test order if its address asks for that. Raises InsufficientCredits and RateLimited."""
    asked = sandbox_addresses.find(job.address)
    if asked and asked.outcome is SandboxOutcome.INSUFFICIENT_CREDITS:
        raise InsufficientCredits(required=job.credit_cost, current=Decimal(0))
    if asked and asked.outcome is SandboxOutcome.RATE_LIMITED:
        raise RateLimited("test orders for this address", 0, retry_after_seconds=1)


def check_files(
    session: Session,
    order: FiledOrder,
    upload_session: UploadSession,
    found: Mapping[str, FileStat],
    kinds: Mapping[str, PhotoType] | None = None,
) -> Mapping[str, PhotoFacts]:
    """The facts of the order's files by storage key, as far as they are known. `found` and `kinds`: see place().

    Raises InvalidFields for files that were not uploaded to this session and type, that are unusable, or that do
    not fit to each other or to their hints.
    """
    uploads.require(_list_expected_files(order, upload_session, kinds), found, upload_session.id)
    known = photo_facts.get_all(session, [file.file_path for kind in PhotoType for file in order.files(kind)])
    unusable = upload_groups.find_unusable(session, order, known)
    unfit = [*upload_groups.find_unfit(order, known), *upload_groups.find_misfit_hints(order, known)]
    if faults := unusable or unfit:
        raise InvalidFields(faults)
    return known


def _lock_upload_session(session: Session, account_id: str, order: PlaceOrder) -> UploadSession:
    mine = select(UploadSession).where(
        UploadSession.id == order.upload_session_id, UploadSession.account_id == account_id
    )
    is_well_formed = is_id(order.upload_session_id, Prefix.UPLOAD_SESSION)
    upload_session = session.scalar(mine.with_for_update()) if is_well_formed else None
    if upload_session is None:
        raise InvalidFields([NO_UPLOAD_SESSION])
    return upload_session


def _get_placed(session: Session, upload_session: UploadSession, order: PlaceOrder) -> PlacedOrder:
    job = session.get_one(Job, upload_session.job_id)
    if job.expired_at is not None:
        raise InvalidFields([NO_UPLOAD_SESSION])
    if upload_session.order_digest != order.digest():
        raise Conflict("This upload session was used for a different order.", jobId=upload_session.job_id)
    mine = select(Photo).where(Photo.job_id == job.id).order_by(Photo.type, Photo.index)
    photos = session.scalars(mine.options(selectinload(Photo.frames)))
    return PlacedOrder(job, list(photos), was_placed_before=True)


def _list_expected_files(
    order: FiledOrder, upload_session: UploadSession, kinds: Mapping[str, PhotoType] | None
) -> dict[Location, str]:
    """The files that the order names. A file listed under the wrong photo type gets an empty key, so that it is
    reported as not found.
    """
    if kinds is None:
        kinds = {slot.key: slot.type for slot in uploads.list_slots(upload_session)}
    named = list_named_files(order)
    for group in PhotoType:
        for where, key in named.items():
            if where[0] == f"{group}Files" and kinds.get(key) is not group:
                named[where] = ""
    return named


def _make_job(
    payer: Payer, order: PlaceOrder, photos: Sequence[OrderPhoto], now: datetime, limit: timedelta
) -> Job:
    priced = [photo.priced for photo in photos]
    return Job(
        id=new_id(Prefix.JOB),
        account_id=payer.account_id,
        key_id=payer.key_id,
        upload_session_id=order.upload_session_id,
        ordered_by=security_log.sender_id(),
        address=order.address,
        external_id=order.external_id,
        own_metadata=order.metadata,
        service_type=order.service_type,
        credit_cost=quote(priced).credits,
        property_credits=property_price(priced),
        credits_refunded=0,
        interior_count=sum(photo.type is PhotoType.INTERIOR for photo in photos),
        exterior_count=sum(photo.type is PhotoType.EXTERIOR for photo in photos),
        created_at=now,
        deadline_at=now + limit,
        listing=order.stored_listing(),
        file_names=_list_file_names(photos),
    )


def _list_pairs(job: Job) -> list[JobMetadata]:
    pairs = (job.own_metadata or {}).items()
    facts = {"account_id": job.account_id, "created_at": job.created_at, "job_id": job.id}
    return [JobMetadata(digest=digest_pair(*pair), **facts) for pair in pairs]


def _list_file_names(photos: Sequence[OrderPhoto]) -> str | None:
    """The customer's own file names, one in each line, for searches; None if no file has one."""
    files = ((file, photo) for photo in photos for file in photo.files)
    named = (file_name(file.file_name, photo) for file, photo in files if file.file_name)
    return "\n".join(named) or None


def _charge(session: Session, job: Job, payer: Payer, now: datetime) -> None:
    cause = ledger.order_cause(job.id)
    text = f"Order: {job.address}"
    movement = credits.Movement(job.credit_cost, ledger.LedgerKind.ORDER, cause, text, job.id)
    credits.debit(session, job.account_id, movement, now)
    budgets.spend(session, payer, job.credit_cost, now)


def _measure_spread(order: PlaceOrder, known: Mapping[str, PhotoFacts]) -> int | None:
    """The greatest distance in meters between an exterior photo and the place where most were taken; None unless
    the places of two photos are known.
    """
    facts = {file.file_path: known.get(file.file_path) for file in order.files(PhotoType.EXTERIOR)}
    places = photo_facts.list_places(facts.values())
    return round(max(photo_places.measure_from_center(places).values())) if len(places) > 1 else None


def _make_photos(
    job: Job,
    ordered: Sequence[OrderPhoto],
    known: Mapping[str, PhotoFacts],
    found: Mapping[str, FileStat],
    now: datetime,
) -> list[Photo]:
    imagery_name = slug(job.address)
    usual_names = (file_name(each.file_name if each.files else imagery_name, each) for each in ordered)
    names = make_stems_unique(usual_names)
    return [
        _make_photo(job, each, name, _find_middle(each, known), found, now)
        for each, name in zip(ordered, names, strict=True)
    ]


def _find_middle(ordered: OrderPhoto, known: Mapping[str, PhotoFacts]) -> FileRef | None:
    """The file that is used when one file of the photo is needed: for several frames, the frame with a medium
    brightness. None for a photo from public imagery.
    """
    if len(ordered.files) < 2:
        return ordered.files[0] if ordered.files else None
    facts = [known.get(file.file_path) for file in ordered.files]
    return ordered.files[find_middle_frame([photo_facts.as_file_facts(each) if each else None for each in facts])]


def _make_photo(
    job: Job, ordered: OrderPhoto, name: str, file: FileRef | None, found: Mapping[str, FileStat], now: datetime
) -> Photo:
    photo = Photo(
        id=new_id(Prefix.PHOTO),
        job_id=job.id,
        type=ordered.type,
        index=ordered.index,
        file_name=name,
        storage_key=file.file_path if file else uploads.imagery_key(job.upload_session_id),
        size_bytes=found[file.file_path].size_bytes if file else 0,
        from_imagery=file is None,
        edit_request=ordered.edit_request,
        work_size=ordered.edit_request.work_size,
        image_credits=image_price(ordered.priced),
        next_attempt_at=now,
    )
    frames = ordered.files if len(ordered.files) > 1 else ()
    photo.frames = [_make_frame(place, each, ordered, found) for place, each in enumerate(frames)]
    return photo


def _make_frame(place: int, file: FileRef, ordered: OrderPhoto, found: Mapping[str, FileStat]) -> PhotoFrame:
    default_name = f"{file_name(None, ordered)}-{place + 1}"
    return PhotoFrame(
        place=place,
        storage_key=file.file_path,
        file_name=file_name(file.file_name, ordered) if file.file_name else default_name,
        size_bytes=found[file.file_path].size_bytes,
    )


def file_name(given: str | None, photo: OrderPhoto) -> str:
    """The customer's own file name made safe for a download; without one, a name from the photo's type and number,
    to which the download adds the extension.
    """
    last = PurePosixPath((given or "").replace("\\", "/")).name
    safe = re.sub(r'[<>:"|?*\x00-\x1f\x7f]', "_", last).strip(" .")
    return cut(safe, MAX_FILE_NAME_BYTES) or f"{photo.type}-{photo.index + 1}"
