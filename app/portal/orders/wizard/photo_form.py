"""The form of one photo as it is filled in: every field as text, so that it comes back as it was typed."""

from typing import Any

from flask import request
from werkzeug.datastructures import MultiDict
from wtforms import FieldList, Form, FormField, MultipleFileField, SelectMultipleField, StringField

from app.domain.drafts import MAX_CHANGES, PhotoWish, read
from app.portal.orders.wizard.steps import strip_unprintable

OWN = "own"
_LONGEST_NAME = 60


class TypedField(StringField):
    """What was typed, as it was."""

    @property
    def shown(self) -> str:
        """The same to be shown again: without the characters that no page may hold."""
        return strip_unprintable(self.data or "")


class ChangeForm(Form):
    """One renovation. Its files are taken from the stream of the request before the fields are read."""

    change_type = StringField(default="")
    description = TypedField(default="")
    reference_text = TypedField(default="")
    reference_ids = SelectMultipleField(default=(), validate_choice=False)
    pictures = MultipleFileField()


class PhotoForm(Form):
    """What is to be done to the photo: its own list or that of all, how it is furnished, what is renovated."""

    list_choice = StringField(name="list", default="")
    enhancements = SelectMultipleField(default=(), validate_choice=False)
    style = StringField(default="")
    room_type = StringField(default="")
    # One more than may be: the wish says that there are too many.
    changes = FieldList(FormField(ChangeForm), max_entries=MAX_CHANGES + 1)

    @classmethod
    def of(cls, wish: PhotoWish) -> "PhotoForm":
        """The form as the kept wish fills it in."""
        given = wish.model_dump(mode="json")
        form = cls(
            list_choice="" if wish.enhancements is None else OWN,
            enhancements=given["enhancements"] or (),
            style=wish.staging.style or "",
            room_type=wish.staging.room_type or "",
        )
        form.fill_changes(given["changes"])
        return form

    @classmethod
    def sent(cls) -> "PhotoForm":
        """The form of this request; rows keep their order, not their numbers."""
        # WTForms makes numbers of all that look like some, whatever their script and their length.
        sent = [(name, text) for name, text in request.form.items(multi=True) if _is_name(name)]
        return cls(MultiDict(sent))

    @property
    def is_own(self) -> bool:
        """Whether the photo has a list of its own."""
        return self.list_choice.data == OWN

    def rows(self) -> list[dict[str, Any]]:
        """What was said of each change."""
        return [
            {
                "change_type": each["change_type"],
                "description": each["description"],
                "reference_text": each["reference_text"],
                "reference_ids": list(each["reference_ids"] or ()),
            }
            for each in self.changes.data
        ]

    def fill_changes(self, rows: list[dict[str, Any]]) -> None:
        """Put these changes in place of those there are, numbered anew."""
        self.changes.process(None, [{**row, "change_type": row["change_type"] or ""} for row in rows])

    def wish(self) -> PhotoWish:
        """What was said. Raises InvalidRequest naming the fields that make no sense."""
        changes = [{**row, "change_type": row["change_type"] or None} for row in self.rows()]
        staging = {"style": self.style.data or None, "room_type": self.room_type.data or None}
        own = self.enhancements.data if self.is_own else None
        return read(PhotoWish, {"enhancements": own, "staging": staging, "changes": changes})


def picture_field(row: int) -> str:
    """The name of the field with the files of the change in this row."""
    return f"changes-{row}-pictures"


def _is_name(name: str) -> bool:
    return name.isascii() and len(name) <= _LONGEST_NAME
