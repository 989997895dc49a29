"""The form of one photo as it is filled in: every field as text, so that it comes back as it was typed."""

import re
from dataclasses import dataclass, field, replace

from flask import request
from werkzeug.datastructures import MultiDict

from app.domain.drafts import MAX_CHANGES, PhotoWish, read
from app.portal.orders.wizard.steps import strip_unprintable

_CHANGE = re.compile(r"changes-(\d{1,3})-(\w+)")
OWN = "own"


@dataclass
class ChangeFields:
    """One renovation."""

    change_type: str = ""
    description: str = ""
    reference_text: str = ""
    reference_ids: list[str] = field(default_factory=list)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was written in it."""
        return self == ChangeFields()


@dataclass
class PhotoForm:
    """What is to be done to the photo: its own list or that of all, how it is furnished, what is renovated."""

    is_own: bool = False
    enhancements: list[str] = field(default_factory=list)
    style: str = ""
    room_type: str = ""
    changes: list[ChangeFields] = field(default_factory=list)

    @classmethod
    def of(cls, wish: PhotoWish) -> "PhotoForm":
        """The form as the kept wish fills it in."""
        changes = [
            ChangeFields(each.change_type or "", each.description, each.reference_text, list(each.reference_ids))
            for each in wish.changes
        ]
        own = wish.enhancements
        staging = wish.staging
        return cls(own is not None, list(own or ()), staging.style or "", staging.room_type or "", changes)

    @classmethod
    def sent(cls) -> "PhotoForm":
        """The form of this request; rows keep their order, not their numbers."""
        sent = request.form
        rows = sorted({int(found[1]) for name in sent if (found := _CHANGE.fullmatch(name))})[: MAX_CHANGES + 1]
        return cls(
            sent.get("list") == OWN,
            sent.getlist("enhancements"),
            sent.get("style", ""),
            sent.get("room_type", ""),
            [_change(sent, row) for row in rows],
        )

    def shown(self) -> "PhotoForm":
        """The same to be shown again after a refusal."""
        changes = [
            replace(
                each,
                description=strip_unprintable(each.description),
                reference_text=strip_unprintable(each.reference_text),
            )
            for each in self.changes
        ]
        return replace(self, changes=changes)

    def wish(self) -> PhotoWish:
        """What was said. Raises InvalidRequest naming the fields that make no sense."""
        changes = [
            {
                "change_type": each.change_type or None,
                "description": each.description,
                "reference_text": each.reference_text,
                "reference_ids": each.reference_ids,
            }
            for each in self.changes
        ]
        staging = {"style": self.style or None, "room_type": self.room_type or None}
        own = self.enhancements if self.is_own else None
        return read(PhotoWish, {"enhancements": own, "staging": staging, "changes": changes})


def _change(sent: MultiDict[str, str], row: int) -> ChangeFields:
    start = f"changes-{row}-"
    return ChangeFields(
        sent.get(f"{start}change_type", ""),
        sent.get(f"{start}description", ""),
        sent.get(f"{start}reference_text", ""),
        sent.getlist(f"{start}reference_ids"),
    )
