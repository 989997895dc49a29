"""The work on one pack for a listing service, from claiming it to storing its ZIP; a wake-up starts it."""

import io
import logging
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import BinaryIO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from app.domain.disclosure.mls_packs import PackEntry, PackPlan
from app.domain.disclosure.pack_files import PackedPicture, list_pack_files
from app.domain.disclosure.pack_warnings import PackWarning, PackWarningCode, PackWarnings
from app.domain.disclosure.rules import Rule
from app.domain.ports import FileWriter, ListingPictureMaker, Storage, StorageUnavailableError, TooLargeError
from app.log_context import operation
from app.models import Job
from app.services.leases import LeasedWorker
from app.services.photos import pack_plans, packs
from app.services.photos.pack_plans import PackChoice
from app.services.photos.packs import MadePack, PackClaim
from engine.types.pictures import ListingPicture, Picture, UnusablePhotoError

log = logging.getLogger(__name__)

MAX_PACK_BYTES = 4 * 1024**3
"""Largest ZIP that is stored."""
TOO_SLOW = "A picture takes too long to open."
LOST = "The {} is no longer in our store, and the listing service asks for it. Write to support."
GONE = "The pictures of this order are no longer kept."
TOO_LARGE = "The pack would be too large."
_FILE_MODE = 0o644 << 16
"""Permissions of the files in a ZIP. ZipInfo has them in the upper 16 bits of its `external_attr`."""


class PackImpossibleError(Exception):
    """The pack cannot be made, however often it is tried; the text is for the customer."""


class VariantsAwaitedError(Exception):
    """A variant without the steps that the listing service forbids is still being made."""


class _Stream:
    """Lets zipfile write into a file of the store, which cannot seek."""

    def __init__(self, writing: FileWriter) -> None:
        self._writing = writing

    def write(self, chunk: bytes) -> int:
        self._writing.write(bytes(chunk))
        return len(chunk)

    def flush(self) -> None:
        """Does nothing, because nothing is buffered here."""

    def close(self) -> None:
        """Does nothing, because the caller who opened the file closes it."""


@dataclass(frozen=True, slots=True)
class PackWorker(LeasedWorker):
    """Makes packs. `base_url`: the start of the addresses of public pages."""

    queue = packs.QUEUE

    storage: Storage
    maker: ListingPictureMaker
    base_url: str

    def make(self, pack_id: str) -> None:
        """Make the pack if it is due and no other worker has claimed it; otherwise harmless, also when repeated."""
        with self.database.unit_of_work() as session:
            lease = packs.claim(session, pack_id, self.clock())
        if lease is not None:
            with operation("pack", pack_id=lease.key, job_id=lease.job_id):
                self._work(lease)

    def _work(self, lease: PackClaim) -> None:
        try:
            self._finish(lease, self._make(lease))
        except PackImpossibleError as impossible:
            self._give_up(lease, str(impossible))
        except VariantsAwaitedError:
            self._put_off(lease)
        except StorageUnavailableError as error:
            log.warning("pack %s is put off: %s", lease.key, error)
            self._put_off(lease)
        except Exception:
            log.exception("pack %s: making it failed", lease.key)
            self._write(packs.retry, lease)

    def _make(self, lease: PackClaim) -> MadePack:
        rule, plan = self._read(lease)
        writing = self.storage.create(lease.storage_key, MAX_PACK_BYTES)
        try:
            with ZipFile(_Stream(writing), "w", ZIP_STORED) as archive:
                warnings, count = self._fill(lease, archive, rule, plan)
            with self._watched(lease, partial(self._put_off, lease)):
                stored = writing.publish()
        except TooLargeError:
            raise PackImpossibleError(TOO_LARGE) from None
        finally:
            writing.discard()
        return MadePack(stored.size_bytes, count, plan.digest, rule.version, warnings)

    def _read(self, lease: PackClaim) -> tuple[Rule, PackPlan]:
        """The rule, and the current content of the pack. Raises PackImpossibleError and VariantsAwaitedError."""
        rule = packs.find_rule(lease.mls)
        if rule is None:
            raise PackImpossibleError(packs.RULE_GONE)
        choice = PackChoice(rule, lease.labeled, self.base_url)
        with self.database.read_session() as session:
            job = session.get_one(Job, lease.job_id)
            if job.expired_at is not None:
                raise PackImpossibleError(GONE)
            if pack_plans.awaits_variants(session, job, rule):
                raise VariantsAwaitedError
            return rule, pack_plans.read_plan(session, job, choice, self.clock())

    def _fill(self, lease: PackClaim, archive: ZipFile, rule: Rule, plan: PackPlan) -> tuple[PackWarnings, int]:
        """Write all files into the archive, one picture in memory at a time; returns the warnings and the number of
        pictures.
        """
        made_at, packed, lost = self.clock(), [], []
        for entry in plan.entries:
            picture = self._picture(lease, entry, rule)
            if picture is None:
                lost.append(entry.photo)
                continue
            with self._watched(lease, partial(self._put_off, lease)):
                archive.writestr(_make_zip_info(entry.path, made_at), picture.content)
            packed.append(PackedPicture(entry, picture.width, picture.height))
        missing = [PackWarning(code=PackWarningCode.ORIGINAL_LOST, photos=tuple(lost))] if lost else []
        warnings = PackWarnings(warnings=(*plan.warnings, *missing))
        with self._watched(lease, partial(self._put_off, lease)):
            for name, text in list_pack_files(plan, rule, packed, warnings.warnings, made_at).items():
                archive.writestr(_make_zip_info(name, made_at), text.encode())
        return warnings, len(packed)

    def _picture(self, lease: PackClaim, entry: PackEntry, rule: Rule) -> Picture | None:
        """The picture in the form that the listing service accepts; None for a lost picture that the rule does not
        require.
        """
        # Reading a picture and making one have separate time limits, so that a slow store does not use up the time
        # for making.
        with self._watched(lease, partial(self._put_off, lease)):
            source = self._source(lease, entry)
        if source is None:
            return None
        limits = rule.pictures
        specification = ListingPicture(
            limits.max_bytes, limits.width, limits.height, label=entry.label, disclosure=entry.disclosure
        )
        with self._watched(lease, partial(self._give_up, lease, _name_photo(entry, TOO_SLOW))):
            try:
                return self.maker.make(source, specification)
            except UnusablePhotoError as unusable:
                raise PackImpossibleError(_name_photo(entry, unusable.message)) from None

    def _source(self, lease: PackClaim, entry: PackEntry) -> BinaryIO | None:
        try:
            with self.storage.open(entry.key) as file:
                return io.BytesIO(file.read())
        except FileNotFoundError:
            what = "original" if entry.is_original else "picture"
            log.exception("pack %s: the %s of photo %d is lost", lease.key, what, entry.photo)
            if entry.is_optional:
                return None
            raise PackImpossibleError(_name_photo(entry, LOST.format(what))) from None

    def _finish(self, lease: PackClaim, made: MadePack) -> None:
        # List the files before finishing. A pack that replaces this one stores its file later: that file is not
        # listed, and therefore not deleted.
        files = packs.list_files(self.storage, lease.job_id)
        with self.database.unit_of_work() as session:
            is_finished = packs.finish(session, lease, made, self.clock())
            replaced = packs.list_replaced(session, lease.job_id, files) if is_finished else [lease.storage_key]
        if not is_finished:
            # The pack was replaced meanwhile, or its job expired and its folder may be removed already.
            log.info("pack %s: it is no longer needed", lease.key)
        for key in replaced:
            self.storage.delete(key)

    def _give_up(self, lease: PackClaim, error: str) -> None:
        with self.database.unit_of_work() as session:
            packs.give_up(session, lease, error)


def _make_zip_info(name: str, made_at: datetime) -> ZipInfo:
    info = ZipInfo(name, made_at.timetuple()[:6])
    info.external_attr = _FILE_MODE
    return info


def _name_photo(entry: PackEntry, words: str) -> str:
    return f"Photo {entry.photo}: {words}"
