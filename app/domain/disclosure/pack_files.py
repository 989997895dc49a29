"""The text files of a pack: captions, remarks, the fields of RESO's Media resource, and a README."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.domain.disclosure.mls_packs import ORIGINALS, PackEntry, PackPlan
from app.domain.disclosure.pack_warnings import PackWarning, describe_warning
from app.domain.disclosure.rules import Rule, RuleCertainty

CAPTIONS, REMARKS, MEDIA_CSV, MEDIA_JSON, README = (
    "captions.csv",
    "remarks.txt",
    "media.csv",
    "media.json",
    "README.txt",
)
_BYTE_ORDER_MARK = "\ufeff"
"""The mark at the start of CSV files by which spreadsheets recognize UTF-8."""
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_JPEG = "image/jpeg"


@dataclass(frozen=True, slots=True)
class PackedPicture:
    """A picture in the pack, with its size in pixels."""

    entry: PackEntry
    width: int
    height: int


def list_pack_files(
    plan: PackPlan, rule: Rule, packed: Sequence[PackedPicture], warnings: Iterable[PackWarning], made_at: datetime
) -> Mapping[str, str]:
    """File name -> content of the text files of a pack."""
    in_set = [each for each in packed if each.entry.order is not None]
    media = [_media_record(each) for each in in_set]
    texts = {
        CAPTIONS: _write_csv([{"file": each.entry.path, "caption": each.entry.caption} for each in in_set]),
        MEDIA_CSV: _write_csv([{name: _to_cell(value) for name, value in each.items()} for each in media]),
        MEDIA_JSON: json.dumps({"value": media}, indent=2, ensure_ascii=False) + "\n",
        README: _join_lines(_list_readme(plan, rule, list(warnings), made_at)),
    }
    return {**texts, REMARKS: _join_lines(plan.remarks)} if plan.remarks else texts


def _media_record(picture: PackedPicture) -> dict[str, Any]:
    """A record of RESO's Media resource. `MediaObjectID` is the file's path, because the file has no URL yet."""
    entry = picture.entry
    return {
        "Order": entry.order,
        "MediaObjectID": entry.path,
        "MediaCategory": "Photo",
        "MimeType": _JPEG,
        "ImageWidth": picture.width,
        "ImageHeight": picture.height,
        "PreferredPhotoYN": entry.order == 1,
        "LongDescription": entry.caption or None,
        "MediaAlteration": [each.value for each in entry.media_alterations],
        "ImageOf": entry.image_of.value if entry.image_of else None,
    }


def _to_cell(value: object) -> str:
    if isinstance(value, list):
        return ",".join(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _write_csv(rows: Sequence[Mapping[str, str]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [])
    writer.writeheader()
    writer.writerows({name: _escape_formula(cell) for name, cell in row.items()} for row in rows)
    return _BYTE_ORDER_MARK + text.getvalue()


def _escape_formula(cell: str) -> str:
    """The cell, with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULAS) else cell


def _join_lines(lines: Iterable[str]) -> str:
    # The lines end as on Windows; editors on other systems read that too.
    return "".join(f"{line}\r\n" for line in lines)


def _list_readme(plan: PackPlan, rule: Rule, warnings: Sequence[PackWarning], made_at: datetime) -> Iterable[str]:
    yield f"Pictures for {rule.short_name}"
    yield ""
    yield f"Made on {made_at:%Y-%m-%d} by the rule: {rule.name}, version {rule.version} of ours,"
    yield f"which we last checked against its sources on {rule.checked.isoformat()}."
    if rule.certainty is not RuleCertainty.TEXT_READ:
        yield "We know this rule from secondary sources, not from its own text."
    yield from (f"Source: {each.url}" for each in rule.sources)
    yield "This is not legal advice: you answer for your listing. Read the rule before you publish."
    yield ""
    yield from (f"- {each}" for each in _list_steps(plan, rule))
    if warnings:
        yield ""
        yield "Note:"
        yield from (f"- {describe_warning(each, rule)}" for each in warnings)


def _list_steps(plan: PackPlan, rule: Rule) -> Iterable[str]:
    yield "Upload the pictures in the order of their numbers."
    yield f"Copy each picture's caption from {CAPTIONS} into its description."
    if plan.remarks:
        yield f"Begin the public remarks with the words of {REMARKS}."
    if any(each.order is None for each in plan.entries):
        yield f"The folder {ORIGINALS} is not part of the set: {rule.short_name} does not ask for it."
    yield f"{MEDIA_CSV} and {MEDIA_JSON} say the same in the fields of RESO's Media resource, for programs."
