"""The tools that price and place orders: of photos fetched from URLs, or of files that were uploaded before."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from app.api.mcp.arguments import OrderArguments, PhotoArgument, QuoteArguments
from app.api.mcp.calls import OperationCall, Refused, call
from app.api.v1.fetches import FetchStatus
from app.domain.budget_errors import BudgetRequired
from app.domain.catalog import ENTRIES, ServiceType
from app.domain.errors import Conflict, InvalidRequest
from app.services.security import api_keys
from app.web.authentication import actor
from app.web.context import container
from app.web.parking import MAX_WAIT_SECONDS
from engine.types.enhancements import PhotoType

FETCHING = {
    "success": False,
    "message": "The photos are still being fetched, and nothing is charged yet. Call order again with the same "
    "arguments and the same idempotency_key.",
}
"""The answer while photos are being fetched."""
_FETCH_FAILED = "Correct these photos, and order with a new idempotency_key; nothing was charged."
_OTHER_SESSION = "Give either url, for all photos, or file_path, for all of them with upload_session_id."
_SET_BY_TOOL = frozenset(
    {
        *("address", "serviceType", "uploadSessionId", "interiorFiles", "exteriorFiles"),
        *("interiorCount", "exteriorCount", "interiorEnhancements", "exteriorEnhancements", "photoConfigs"),
    }
)
"""The fields of an order that the tool's own arguments fill in."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """An order as the API takes it, without its files. `names`: the tool's argument for each field of the order."""

    given: QuoteArguments
    body: Mapping[str, Any]
    names: Mapping[str, str]

    @property
    def is_uploaded(self) -> bool:
        """Whether the photos are files that were uploaded before."""
        return self.given.upload_session_id is not None

    def call(self, name: str, sent: OperationCall, **arguments: str) -> dict[str, Any]:
        """Call an operation of the API; a refusal names the arguments of the tool."""
        try:
            return call(name, sent, **arguments)
        except Refused as refused:
            details = refused.content.get("details")
            if not isinstance(details, dict):
                raise
            renamed = {self._rename(field): fault for field, fault in details.items()}
            raise Refused({**refused.content, "details": renamed}) from None

    def with_files(self, session_id: str, paths: Sequence[str]) -> dict[str, Any]:
        """The body with the photos' files of the upload session."""
        files: dict[str, list[dict[str, str]]] = {}
        for photo, path in zip(self.given.photos, paths, strict=True):
            name = _find_file_name(photo)
            file = {"filePath": path} | ({"fileName": name} if name else {})
            files.setdefault(f"{photo.type}Files", []).append(file)
        return {**self.body, "uploadSessionId": session_id, **files}

    def _rename(self, field: str) -> str:
        head = re.match(r"\w+\[\d+\]|\w+", field)
        known = self.names.get(head[0]) if head else None
        return f"{known}{field[len(head[0]) :]}" if head and known else field


def quote(given: QuoteArguments) -> dict[str, Any]:
    """The price of the order."""
    plan = _plan(given)
    if plan.is_uploaded:
        body = plan.with_files(given.upload_session_id or "", [each.file_path or "" for each in given.photos])
    else:
        counts = {f"{kind}Count": _count(given, kind) for kind in PhotoType}
        body = {**plan.body, **counts}
    return plan.call("quote_order", OperationCall(body))


def order(given: OrderArguments) -> dict[str, Any]:
    """Place the order, once for its idempotency key; return FETCHING while its photos are being fetched."""
    plan = _plan(given)
    _require_budget()
    if plan.is_uploaded:
        session_id, paths = given.upload_session_id or "", [each.file_path or "" for each in given.photos]
    else:
        session_id, paths = _open_session(given)
        if not _have_come(session_id, paths):
            return dict(FETCHING)
    most = Decimal(str(given.most_credits))
    sent = OperationCall(
        plan.with_files(session_id, paths), idempotency_key=given.idempotency_key, most_credits=most
    )
    return plan.call("create_order_from_uploads", sent)


def _require_budget() -> None:
    """Refuse an order without a budget before its photos are fetched. Raises BudgetRequired."""
    with container().database.read_session() as session:
        if api_keys.get(session, actor().account_id, actor().key_id).budget is None:
            raise BudgetRequired


def _plan(given: QuoteArguments) -> _Plan:
    """Convert the arguments to an order of the API. Raises InvalidRequest for photos without a source, and for
    fields that the tool fills in itself.
    """
    faults = {f"more.{name}": "Use the tool's own arguments for this." for name in _SET_BY_TOOL & given.more.keys()}
    for place, photo in enumerate(given.photos):
        if (photo.url is None) != (given.upload_session_id is not None) or (photo.url and photo.file_path):
            faults[f"photos[{place}]"] = _OTHER_SESSION
    if faults:
        raise InvalidRequest(faults)
    kinds = {photo.type for photo in given.photos}
    body: dict[str, Any] = {
        **given.more,
        "address": given.address,
        "serviceType": ServiceType.BOTH if len(kinds) > 1 else ServiceType(kinds.pop().value),
    }
    names = {"uploadSessionId": "upload_session_id"}
    for kind in PhotoType:
        places = [place for place, photo in enumerate(given.photos) if photo.type is kind]
        names |= {f"{kind}Files[{index}]": f"photos[{place}]" for index, place in enumerate(places)}
        chosen = [(place, each) for place, each in enumerate(given.enhancements) if ENTRIES[each].group is kind]
        names |= {f"{kind}Enhancements[{index}]": f"enhancements[{at}]" for index, (at, _) in enumerate(chosen)}
        if chosen:
            body[f"{kind}Enhancements"] = [each for _, each in chosen]
    if configs := list(_list_configs(given.photos, names)):
        body["photoConfigs"] = configs
    return _Plan(given, body, names)


def _list_configs(photos: Sequence[PhotoArgument], names: dict[str, str]) -> list[dict[str, Any]]:
    """List the settings of single photos; `names` gets the photo of each."""
    configs: list[dict[str, Any]] = []
    for place, photo in enumerate(photos):
        if photo.enhancements is not None:
            index = sum(each.type is photo.type for each in photos[:place])
            names[f"photoConfigs[{len(configs)}]"] = f"photos[{place}]"
            configs.append({"photoType": photo.type, "photoIndex": index, "enhancements": photo.enhancements})
    return configs


def _count(given: QuoteArguments, kind: PhotoType) -> int:
    return sum(photo.type is kind for photo in given.photos)


def _open_session(given: OrderArguments) -> tuple[str, list[str]]:
    """The upload session that fetches the photos, opened once for the order's key, and the photos' paths in it."""
    files = [{"type": photo.type, "url": photo.url} for photo in given.photos]
    plan = _Plan(given, {}, {f"files[{place}]": f"photos[{place}]" for place in range(len(files))})
    key = f"{given.idempotency_key}:photos"
    found = plan.call("create_upload_urls", OperationCall({"files": files}, idempotency_key=key))
    targets = {target["file"]: target["filePath"] for kind in PhotoType for target in found[f"{kind}Urls"]}
    return found["uploadSessionId"], [targets[place] for place in range(len(files))]


def _have_come(session_id: str, paths: Sequence[str]) -> bool:
    """Whether all photos are fetched, or ordered already. Raises InvalidRequest if one cannot be fetched."""
    wait = OperationCall(query=[("wait", str(MAX_WAIT_SECONDS))])
    try:
        files = call("list_fetches", wait, upload_session_id=session_id)["files"]
    except Refused as refused:
        if refused.content["code"] != Conflict.code:
            raise
        # The order was placed before: when it is sent again with its key, the API returns the first answer.
        return True
    found = {each["filePath"]: each for each in files}
    states = [found[path]["status"] for path in paths]
    failed = [place for place, state in enumerate(states) if state == FetchStatus.FAILED]
    if failed:
        faults = {f"photos[{place}].url": found[paths[place]]["message"] for place in failed}
        raise InvalidRequest(faults, _FETCH_FAILED)
    return all(state == FetchStatus.STORED for state in states)


def _find_file_name(photo: PhotoArgument) -> str | None:
    """The photo's own name; for a URL, the last part of its path if that looks like a file name."""
    if photo.file_name or photo.url is None:
        return photo.file_name
    last = PurePosixPath(unquote(urlsplit(photo.url).path)).name
    return last if last.isprintable() and PurePosixPath(last).suffix else None
