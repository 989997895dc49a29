"""The form for what is not right with a result: kinds to tick, and a place for own words."""

from collections.abc import Iterable

from flask_wtf import FlaskForm
from wtforms import SelectMultipleField, TextAreaField

from app.domain.complaints import LABELS, flaws_of
from app.domain.errors import InvalidRequest
from app.domain.mail_text import clean
from app.services.results import Shown


def _shown_again(text: str | None) -> str:
    """What a page can show: a form that comes back holds what was typed, whatever it was."""
    return clean(text or "")


class ComplaintForm(FlaskForm):
    """What a customer says of one result; what may be said is the service's to say, see take()."""

    flaws = SelectMultipleField("What is wrong?", choices=[], validate_choice=False)
    note = TextAreaField("In your own words (optional)", filters=[_shown_again])

    def take(self, refused: InvalidRequest) -> None:
        """Show what the service refused on the field it is about."""
        for name, message in (refused.details or {}).items():
            self[name].errors = [*self[name].errors, message]


def offered(shown: Shown) -> Iterable[tuple[str, str]]:
    """The kinds to choose from for a result, by their words."""
    return [(flaw.value, LABELS[flaw]) for flaw in flaws_of(shown.report.applied)]


def filled(shown: Shown) -> ComplaintForm:
    """The form as it stands for a result: with what was said before, if anything was."""
    said = shown.complaint
    return ComplaintForm(formdata=None, data={"flaws": said.flaws, "note": said.note} if said else None)
