"""ZIP files with all pictures of one order or several. A ZIP is made while it is sent, so it takes no disk
space.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Row
from sqlalchemy.orm import Session
from zipstream import ZipStream

from app.domain.errors import Conflict, NotFound, TooLarge, require_found
from app.domain.file_names import make_unique, slug
from app.domain.ports import Storage
from app.domain.sizes import DownloadSize, labeled
from app.models import Job, Photo, Preview, Result, StoredPicture
from app.services.photos import downloads, frames, furniture_lists, naming, variants
from app.services.previews import previews
from engine.types.media import HEADER_BYTES, fit_file_name, sniff

CHUNK_BYTES = 256 * 1024
"""Bytes of a file that are read at a time."""
MAX_FOLDER = 60
"""Longest folder name, in characters."""
MAX_SEVERAL_GIGABYTES = 10
MAX_SEVERAL_BYTES = MAX_SEVERAL_GIGABYTES * 1024**3
"""Largest ZIP of several orders, because an interrupted transfer begins again from the start."""
RESULTS, LABELED, BASES, ORIGINALS = "", "labeled", "base", "originals"
"""The subfolder of each kind of file. Results have none: they are directly in the folder named by the address."""
BEING_MADE = "The pictures are being made in this size. Try again in a few seconds."
NOT_MADE = "Some pictures could not be made in this size. Download them in full size."
SUBFOLDERS = (RESULTS, LABELED, BASES, ORIGINALS)
_File = tuple[str, str, int | None]
"""The name of a file, its storage key, and its bytes if the database has them."""


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """One file of the archive: its path in the archive, and its key and size in the store; or its `content`, where
    it is not in the store.
    """

    path: str
    key: str
    size_bytes: int
    content: bytes | None = None


def folder_of(job: Job) -> str:
    """The name of the archive and of the one folder in it: the property's address."""
    return slug(job.address)[:MAX_FOLDER].strip("-") or "results"


def entries_of_several(session: Session, storage: Storage, jobs: Sequence[Job]) -> list[ArchiveEntry]:
    """The approved pictures of the jobs and their labeled copies; each job has its own folder.

    Raises NotFound like entries(), and TooLarge beyond MAX_SEVERAL_BYTES.
    """
    folders, names = make_unique(map(folder_of, jobs)), naming.list_names(session, jobs)
    return _check_total_size(
        [
            entry
            for job, folder in zip(jobs, folders, strict=True)
            for entry in entries(session, storage, job, folder=folder, names=names)
        ]
    )


def entries_of_property(
    session: Session,
    storage: Storage,
    jobs: Sequence[Job],
    photo_ids: Collection[str] | None = None,
    *,
    size: DownloadSize = DownloadSize.FULL,
    extras: Collection[str] = (),
) -> list[ArchiveEntry]:
    """The files that entries() lists, for all orders of one property in one folder; with `photo_ids`, only those
    of these photos.

    Raises NotFound like entries(), and when one of these photos has no approved picture; TooLarge beyond
    MAX_SEVERAL_BYTES where there are several orders.
    """
    rows_by_job = [(job, _select_rows(session, job, photo_ids)) for job in jobs]
    if photo_ids is not None and sum(len(rows) for _, rows in rows_by_job) < len(set(photo_ids)):
        raise NotFound
    names = naming.list_names(session, jobs)
    parts = [_list_by_subfolder(session, storage, job, rows, names, size, extras) for job, rows in rows_by_job]
    merged = {subfolder: [file for part in parts for file in part[subfolder]] for subfolder in SUBFOLDERS}
    named = [(result, names[photo.id]) for _, rows in rows_by_job for result, photo in rows]
    found = [*_list_entries(storage, folder_of(jobs[0]), merged), *_list_furniture(folder_of(jobs[0]), named)]
    return found if len(jobs) == 1 else _check_total_size(found)


def entries(
    session: Session,
    storage: Storage,
    job: Job,
    *,
    size: DownloadSize = DownloadSize.FULL,
    extras: Collection[str] = (),
    folder: str | None = None,
    names: Mapping[str, str] | None = None,
) -> list[ArchiveEntry]:
    """List the approved pictures of the job and their labeled copies, in this size, and a list of the furniture
    that was added to them. With ORIGINALS in `extras` also the originals; with BASES also the bases, unless the
    original or the altered picture is the base. All are in `folder`, or in a folder that is named by the address.
    `names`: the photos' names by id, if the caller has them.

    Raises NotFound when a file is gone, because nobody would notice that an archive is incomplete, and Conflict
    while the pictures are not made in this size.
    """
    rows = _select_rows(session, job)
    names = naming.list_names(session, [job]) if names is None else names
    files = _list_by_subfolder(session, storage, job, rows, names, size, extras)
    folder = folder or folder_of(job)
    named = [(result, names[photo.id]) for result, photo in rows]
    return [*_list_entries(storage, folder, files), *_list_furniture(folder, named)]


def _select_rows(
    session: Session, job: Job, photo_ids: Collection[str] | None = None
) -> Sequence[Row[Result, Photo]]:
    query = downloads.select_approved(job.id)
    if photo_ids is not None:
        query = query.where(Photo.id.in_(photo_ids))
    return session.execute(query).all()


def _list_by_subfolder(
    session: Session,
    storage: Storage,
    job: Job,
    rows: Sequence[Row[Result, Photo]],
    names: Mapping[str, str],
    size: DownloadSize,
    extras: Collection[str],
) -> Mapping[str, Sequence[_File]]:
    """The files of these results, by subfolder."""
    previews_by_key = previews.get_all(session, [downloads.key_of(result) for result, _ in rows])
    _require_copies([previews_by_key.get(downloads.key_of(result)) for result, _ in rows], size)
    return {
        **_list_results([(result, names[photo.id]) for result, photo in rows], previews_by_key, size),
        BASES: list(_read_bases(session, job, rows, names)) if BASES in extras else [],
        ORIGINALS: list(_read_originals(session, storage, job, rows)) if ORIGINALS in extras else [],
    }


def _require_copies(found: Sequence[Preview | None], size: DownloadSize) -> None:
    missing = [each for each in found if not previews.has_copies(each, size)]
    if any(map(previews.are_copies_given_up, missing)):
        raise Conflict(NOT_MADE)
    if missing:
        raise Conflict(BEING_MADE)


def measure(
    folder: str, rows: Iterable[tuple[Result, str]], previews_by_key: Mapping[str, Preview], size: DownloadSize
) -> int | None:
    """How many bytes the ZIP of these results, each with its photo's name, will have in this size; None while the
    results are not made in this size.
    """
    found = list(rows)
    if not all(previews.has_copies(previews_by_key.get(downloads.key_of(each)), size) for each, _ in found):
        return None
    stream = ZipStream(sized=True)
    files = _list_entries(None, folder, _list_results(found, previews_by_key, size))
    for entry in (*files, *_list_furniture(folder, found)):
        stream.add(iter(()), entry.path, size=entry.size_bytes)
    return len(stream)


def _list_results(
    rows: Iterable[tuple[Result, str]], previews_by_key: Mapping[str, Preview], size: DownloadSize
) -> Mapping[str, Sequence[_File]]:
    """The files of the results themselves and of their labeled copies in this size, by subfolder."""
    results: list[_File] = []
    marked: list[_File] = []
    for result, photo_name in rows:
        key = downloads.key_of(result)
        preview = previews_by_key.get(key)
        copies = preview.copies or {} if preview else {}
        name = downloads.result_name(photo_name, key, size)
        is_full = size is DownloadSize.FULL
        file_bytes = result.picture.size_bytes if is_full else copies.get(size)
        results.append((name, key if is_full else previews.key_of(key, size), file_bytes))
        if preview is not None and downloads.has_labeled(preview):
            name = downloads.labeled_name(photo_name, preview.label or "")
            marked.append((name, previews.key_of(key, labeled(size)), copies.get(labeled(size))))
    return {RESULTS: results, LABELED: marked}


def _check_total_size(found: list[ArchiveEntry]) -> list[ArchiveEntry]:
    if sum(each.size_bytes for each in found) > MAX_SEVERAL_BYTES:
        raise TooLarge(
            f"Together, these orders have more than {MAX_SEVERAL_GIGABYTES} GB. "
            "Choose fewer, or download them one by one."
        )
    return found


def stream_zip(storage: Storage, files: Sequence[ArchiveEntry]) -> ZipStream:
    """The archive as an iterable of bytes whose len() is exact. Files are stored uncompressed, because pictures are
    compressed already.

    Iterating raises when a file is gone or its size has changed, so that the transfer ends with an error.
    """
    stream = ZipStream(sized=True)
    for each in files:
        chunks = _read_chunks(storage, each.key) if each.content is None else iter((each.content,))
        stream.add(chunks, each.path, size=each.size_bytes)
    return stream


def _read_chunks(storage: Storage, key: str) -> Iterator[bytes]:
    with storage.open(key) as file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def _read_bases(
    session: Session, job: Job, rows: Iterable[Row[Result, Photo]], names: Mapping[str, str]
) -> Iterator[_File]:
    variants_by_result = variants.get_variants(session, [job.id])
    for result, photo in rows:
        base = downloads.find_base(result, photo, variants_by_result.get(result.id, ()))
        if isinstance(base, StoredPicture) and base.storage_key is not None:
            yield downloads.result_name(names[photo.id], base.storage_key), base.storage_key, base.size_bytes


def _read_originals(
    session: Session, storage: Storage, job: Job, rows: Iterable[Row[Result, Photo]]
) -> Iterator[_File]:
    """The files as they were uploaded; for a photo of several frames, all its frames."""
    frames_by_photo = frames.get_all(session, job.id)
    for _, photo in rows:
        for file in frames_by_photo.get(photo.id, [photo]):
            yield _read_original(storage, file.file_name, file.storage_key)


def _read_original(storage: Storage, file_name: str, key: str) -> _File:
    """The file under its own name, with the extension that fits its content. Raises NotFound when it is gone."""
    try:
        with storage.open(key) as file:
            media_type = sniff(file.read(HEADER_BYTES))
    except FileNotFoundError:
        raise NotFound from None
    return fit_file_name(file_name, media_type) if media_type else file_name, key, None


def _list_entries(storage: Storage | None, folder: str, files: Mapping[str, Sequence[_File]]) -> list[ArchiveEntry]:
    """The entries of these files; without a `storage`, as large as the database says."""
    entries: list[ArchiveEntry] = []
    for subfolder in SUBFOLDERS:
        path = f"{folder}/{subfolder}" if subfolder else folder
        entries += _list_folder(storage, path, files.get(subfolder, ()))
    return entries


def _list_furniture(folder: str, results: Iterable[tuple[Result, str]]) -> Iterator[ArchiveEntry]:
    """The list of the furniture of these results, each with its photo's name, where any was added."""
    content = furniture_lists.write(results)
    if content:
        yield ArchiveEntry(f"{folder}/{furniture_lists.FILE_NAME}", "", len(content), content)


def _list_folder(storage: Storage | None, folder: str, files: Sequence[_File]) -> Iterator[ArchiveEntry]:
    names = make_unique(name for name, _, _ in files)
    for name, (_, key, known_bytes) in zip(names, files, strict=True):
        size_bytes = require_found(storage.stat(key)).size_bytes if storage else known_bytes or 0
        yield ArchiveEntry(f"{folder}/{name}", key, size_bytes)
