"""The files of an upload session: frames of one view, unusable files, and files with hints of another photo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.errors import Conflict, require_found
from app.domain.field_errors import Fault, FaultCode, Location
from app.domain.hint_requests import HintedPhoto, find_misfits
from app.domain.ids import Prefix, is_id
from app.domain.order_files import FileRef, GroupsRequest
from app.domain.orders import FiledOrder
from app.domain.ports import FileStat
from app.models import PhotoFacts, UploadSession
from app.services.previews import photo_facts, previews
from app.services.uploads import uploads
from engine.grouping import merge_obstacles
from engine.grouping.photo_groups import CandidateFrame, GroupProblem, propose_groups
from engine.types.enhancements import PhotoType


@dataclass(frozen=True, slots=True)
class UploadGroups:
    """The files of each type, as an order names them: frames of one photo follow one another and have the same
    `group`. `problems`: why other files cannot be grouped.

    `pending`: how many files have no facts yet. While this is not 0, nothing is proposed.
    """

    files: Mapping[PhotoType, Sequence[FileRef]] = field(default_factory=dict)
    problems: Sequence[GroupProblem] = ()
    pending: int = 0


def get_open(session: Session, account_id: str, session_id: str) -> UploadSession:
    """The account's upload session. Raises NotFound, also for another account's, and Conflict if an order was
    placed with it.
    """
    mine = select(UploadSession).where(UploadSession.id == session_id, UploadSession.account_id == account_id)
    found = require_found(session.scalar(mine) if is_id(session_id, Prefix.UPLOAD_SESSION) else None)
    if found.job_id is not None:
        raise Conflict("These files were ordered already.", jobId=found.job_id)
    return found


def choose_files(
    upload_session: UploadSession, wanted: GroupsRequest, found: Mapping[str, FileStat]
) -> dict[PhotoType, list[FileRef]]:
    """The files to group: the files that the request names or, if it names none, all that were uploaded. `found`:
    the stored files by key.

    Raises InvalidFields for a named file that is not stored, or is named under the wrong type.
    """
    slots = uploads.list_slots(upload_session)
    if not wanted.interior_files and not wanted.exterior_files:
        return {
            kind: [FileRef(filePath=each.key) for each in slots if each.type is kind and each.key in found]
            for kind in PhotoType
        }
    named: dict[Location, str] = {}
    for kind in PhotoType:
        keys = {each.key for each in slots if each.type is kind}
        for place, file in enumerate(wanted.files(kind)):
            named[f"{kind}Files", place, "filePath"] = file.file_path if file.file_path in keys else ""
    uploads.require(named, found, upload_session.id)
    return {kind: wanted.files(kind) for kind in PhotoType}


def propose(
    session: Session, session_id: str, files: Mapping[PhotoType, Sequence[FileRef]], now: datetime
) -> UploadGroups:
    """Propose which of the files are frames of one view. If files have no facts yet, workers are asked to read
    them.
    """
    keys = [file.file_path for each in files.values() for file in each]
    known = photo_facts.get_all(session, keys)
    unseen = [key for key in keys if key not in known]
    if unseen:
        previews.request_facts(session, unseen, uploads.prefix(session_id), now)
        return UploadGroups(pending=len(unseen))
    problems: list[GroupProblem] = []
    grouped: dict[PhotoType, list[FileRef]] = {}
    for kind, mine in files.items():
        found = propose_groups(_make_candidate(file, known[file.file_path]) for file in mine)
        problems += found.problems
        grouped[kind] = _name_groups(kind, mine, found.groups)
    return UploadGroups(grouped, problems)


def find_unfit(order: FiledOrder, known: Mapping[str, PhotoFacts]) -> list[Fault]:
    """Find groups of the order that cannot become one photo, each reported at its first file. Files that are not in
    `known` are assumed to fit.
    """
    faults = []
    for kind in PhotoType:
        for files in order.photo_files(kind):
            rows = [known[file.file_path] for file in files if file.file_path in known]
            if len(files) < 2 or not rows:
                continue
            problem = merge_obstacles.find_unfit([photo_facts.as_file_facts(row) for row in rows])
            if problem is not None:
                location = (f"{kind}Files", order.files(kind).index(files[0]), "group")
                faults.append(Fault(location, FaultCode.UNFIT_GROUP, {"problem": problem}))
    return faults


def find_unusable(session: Session, order: FiledOrder, known: Mapping[str, PhotoFacts]) -> list[Fault]:
    """Find files of the order from which no picture can be made, with the reason. Files that are not in `known` are
    assumed to be usable.
    """
    named = {
        file.file_path: (f"{kind}Files", place, "filePath")
        for kind in PhotoType
        for place, file in enumerate(order.files(kind))
    }
    faulty = {key for key, row in known.items() if row.fault in photo_facts.FILE_FAULTS}
    if not faulty:
        return []
    previews_by_key = previews.get_all(session, faulty)
    return [
        Fault(named[key], FaultCode.UNUSABLE_PHOTO, {"reason": row.error})
        for key, row in previews_by_key.items()
        if row.error is not None
    ]


def find_misfit_hints(
    order: FiledOrder, known: Mapping[str, PhotoFacts], digests: Mapping[str, str] | None = None
) -> list[Fault]:
    """Find hints of the order that are for another photo than theirs, by digest or by the shape of a mask. Files
    that are not in `known` are assumed to fit: the workers that read them refuse such hints.
    `digests`: SHA-256 of files by storage key, as far as they are known before a worker has read them.
    """
    faults: list[Fault] = []
    for number, ((kind, index), entry) in enumerate(order.list_configs()):
        photos = order.photo_files(kind)
        if entry.hints is not None and index < len(photos):
            rows = [known.get(file.file_path) for file in photos[index]]
            sizes = [(row.width, row.height) for row in rows if row and row.width and row.height]
            read = [row.sha256 if row else None for row in rows]
            named = [
                (digests or {}).get(file.file_path, each) for file, each in zip(photos[index], read, strict=True)
            ]
            photo = HintedPhoto(named, sizes[0] if sizes else None)
            faults += find_misfits(entry.hints, photo, ("photoConfigs", number, "hints"))
    return faults


def _make_candidate(file: FileRef, known: PhotoFacts) -> CandidateFrame:
    # Files without a name are sorted by key, which is the order in which their URLs were given.
    name = file.file_name or file.file_path
    return CandidateFrame(file.file_path, name, photo_facts.as_file_facts(known))


def _name_groups(kind: PhotoType, files: Sequence[FileRef], groups: Sequence[Sequence[str]]) -> list[FileRef]:
    """The files with the name of their group, in their order, but all frames of a photo at the place of its first
    file.
    """
    by_path = {file.file_path: file for file in files}
    group_of = {path: group for group in groups for path in group}
    named: dict[str, FileRef] = {}
    for file in files:
        group = group_of.get(file.file_path)
        if group is None:
            named.setdefault(file.file_path, file.model_copy(update={"group": None}))
        elif file.file_path not in named:
            name = f"{kind}-{len(named)}"
            named |= {path: by_path[path].model_copy(update={"group": name}) for path in group}
    return list(named.values())
