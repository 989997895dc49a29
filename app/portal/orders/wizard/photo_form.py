"""The form of one photo: every field is text, so that it can be shown again as it was typed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from flask import request
from werkzeug.datastructures import MultiDict
from wtforms import FieldList, Form, FormField, MultipleFileField, SelectMultipleField, StringField

from app.domain.catalog import EXCLUSIVE, keep_compatible
from app.domain.drafts import TypedEditRequest, read
from app.domain.field_errors import Location
from app.portal.option_forms import name_option_field, read_typed_options
from app.portal.orders.wizard.steps import strip_unprintable
from engine.types.edit_request import MAX_CHANGES, EditRequest
from engine.types.enhancements import Enhancement

OWN = "own"
_MAX_NAME_LENGTH = 60
_NAMES = {
    "change_type": "change_type",
    "description": "change_description",
    "reference_text": "reference_text",
    "reference_ids": "reference_images",
}
"""Fields of a change: name in the form -> name in the edit request."""


class TypedField(StringField):
    """A text field that keeps exactly what was typed."""

    @property
    def shown(self) -> str:
        """The text to be shown again: without the characters that a page cannot hold."""
        return strip_unprintable(self.data or "")


class ChangeForm(Form):
    """One renovation. Its files are taken from the stream of the request before the fields are read."""

    change_type = StringField(default="")
    description = TypedField(default="")
    reference_text = TypedField(default="")
    reference_ids = SelectMultipleField(default=(), validate_choice=False)
    pictures = MultipleFileField()


class PhotoForm(Form):
    """The edits of the photo: its own list of enhancements or the list for all, its furniture, its changes."""

    list_choice = StringField(name="list", default="")
    enhancements = SelectMultipleField(default=(), validate_choice=False)
    style = StringField(default="")
    room_type = StringField(default="")
    options: Mapping[str, str] = MappingProxyType({})
    """The options chosen for this photo alone, by name; an empty text where the choice for all photos applies."""
    # The form takes one more than allowed, so that the rule of edit requests refuses too many changes.
    changes = FieldList(FormField(ChangeForm), max_entries=MAX_CHANGES + 1)

    @classmethod
    def of(cls, edit_request: EditRequest, shared: Sequence[Enhancement]) -> "PhotoForm":
        """The form filled in from the saved edit request; if it has no list of enhancements, with the list `shared`
        by all photos.
        """
        given = asdict(edit_request)
        staging = given["staging"] or {}
        form = cls(
            list_choice="" if edit_request.enhancements is None else OWN,
            enhancements=list(shared) if given["enhancements"] is None else given["enhancements"],
            style=staging.get("style") or "",
            room_type=staging.get("room_type") or "",
        )
        form.options = {name: value.value for name, value in edit_request.chosen_options.chosen.items()}
        form.fill_changes([{name: change[key] for name, key in _NAMES.items()} for change in given["changes"]])
        return form

    @classmethod
    def sent(cls) -> "PhotoForm":
        """The form of this request. Its changes keep their order, but get new numbers from 0."""
        # WTForms takes any digits in a field's name for a row number, even non-ASCII ones and very long ones.
        sent = [(name, text) for name, text in request.form.items(multi=True) if _is_name(name)]
        form = cls(MultiDict(sent))
        form.options = read_typed_options()
        return form

    @property
    def is_own(self) -> bool:
        """Whether the photo has a list of its own."""
        return self.list_choice.data == OWN

    def drop_excluded(self, before: Sequence[Enhancement]) -> Sequence[Enhancement]:
        """Untick enhancements that another ticked enhancement excludes, preferably those in `before`. Returns the
        unticked ones.
        """
        chosen = self.enhancements.data or []
        ticked = [each for each in EXCLUSIVE if each in chosen]
        kept = keep_compatible(ticked, before)
        dropped = [each for each in ticked if each not in kept] if self.is_own else []
        self.enhancements.data = [each for each in chosen if each not in dropped]
        return dropped

    def rows(self) -> list[dict[str, Any]]:
        """The values of each change."""
        return [
            {name: each[name] for name in _NAMES} | {"reference_ids": list(each["reference_ids"] or ())}
            for each in self.changes.data
        ]

    def fill_changes(self, rows: list[dict[str, Any]]) -> None:
        """Replace all changes of the form by these, numbered from 0."""
        self.changes.process(None, [{**row, "change_type": row["change_type"] or ""} for row in rows])

    def edit_request(self) -> EditRequest:
        """The form as an edit request. Raises InvalidFields with the invalid fields."""
        rows = [{**row, "change_type": row["change_type"] or None} for row in self.rows()]
        changes = [{key: row[name] for name, key in _NAMES.items()} for row in rows]
        staging = {"style": self.style.data or None, "room_type": self.room_type.data or None}
        own = self.enhancements.data if self.is_own else None
        options = {name: text for name, text in self.options.items() if text}
        values = {"enhancements": own, "staging": staging, "changes": changes, "options": options}
        return read(TypedEditRequest, values).edit_request


def picture_field(row: int) -> str:
    """The name of the field with the files of the change in this row."""
    return f"changes-{row}-pictures"


def name_field(where: Location) -> str:
    """The name of the form's field for a field of the edit request."""
    if where[0] == "options":
        return name_option_field(str(where[-1]))
    if where[0] != "changes":
        return "-".join(map(str, where if len(where) > 1 and isinstance(where[1], int) else where[:1]))
    names = {key: name for name, key in _NAMES.items()}
    return "-".join(names.get(str(part), str(part)) for part in where)


def _is_name(name: str) -> bool:
    return name.isascii() and len(name) <= _MAX_NAME_LENGTH
