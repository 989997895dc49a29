"""The forms to create, change and replace an API key."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from flask_wtf import FlaskForm
from wtforms import Field, RadioField, SelectMultipleField, StringField, TextAreaField, ValidationError
from wtforms.validators import AnyOf, InputRequired

from app.domain.actors import Scope
from app.domain.errors import InvalidRequest
from app.domain.keys import LIFETIMES, MAX_LIFETIME, OVERLAPS, key_name, parse_budget
from app.domain.upload_origins import read_origins
from app.portal.account_forms import apply_rule
from app.portal.forms import clean_line, clean_text
from app.web.context import container

NEVER, OWN_DATE = "never", "date"
"""Values of the field `lifetime` besides the numbers of days in LIFETIMES."""
_LIFETIMES = {str(each.days): each for each in LIFETIMES}
_OVERLAPS = {str(round(each.total_seconds())): each for each in OVERLAPS}
_CHOOSE_LISTED = "Choose one of these."


class KeyNameForm(FlaskForm):
    """The name of a key."""

    name = StringField("Name", [apply_rule(key_name)])


class OriginsForm(FlaskForm):
    """The origins of the pages that may upload with a key's URLs, one on each line."""

    origins = TextAreaField("Web pages that may upload", [], [clean_text])

    def validate_origins(self, field: Field) -> None:
        """Refuse text that is no list of origins. Raises ValidationError."""
        try:
            self.read_origins()
        except InvalidRequest as refused:
            raise ValidationError(str((refused.details or {})[field.name])) from None

    def read_origins(self) -> list[str]:
        """Read the origins. Raises InvalidRequest."""
        return read_origins(self.origins.data or "")


class BudgetForm(FlaskForm):
    """The credits that a key may spend in a month."""

    budget = StringField("Budget for each month, in credits", [], [clean_line])

    def validate_budget(self, field: Field) -> None:
        """Refuse text that is no budget. Raises ValidationError."""
        try:
            self.read_budget()
        except InvalidRequest as refused:
            raise ValidationError((refused.details or {})[field.name]) from None

    def read_budget(self) -> Decimal | None:
        """Read the budget; None for no limit. Raises InvalidRequest."""
        return parse_budget(self.budget.data) if self.budget.data else None


class KeyForm(KeyNameForm, BudgetForm, OriginsForm):
    """A new key."""

    scopes = SelectMultipleField("What it can do", [InputRequired("Choose at least one.")], validate_choice=False)
    lifetime = RadioField(
        "When it ends", [AnyOf([NEVER, OWN_DATE, *_LIFETIMES], _CHOOSE_LISTED)], validate_choice=False
    )
    last_day = StringField("Last day", [], [clean_line])

    def validate_scopes(self, field: Field) -> None:
        """Refuse unknown scopes. Raises ValidationError."""
        if not {*field.data} <= {*Scope}:
            raise ValidationError(_CHOOSE_LISTED)

    def validate_last_day(self, field: Field) -> None:
        """Require a future day where the lifetime is OWN_DATE. Raises ValidationError."""
        if self.lifetime.data == OWN_DATE and self._read_own_end() is None:
            raise ValidationError("Enter a future date within ten years, such as 2027-06-30.")

    def read(self) -> dict[str, Any]:
        """Read name, scopes and end, as keys.create_once() takes them."""
        scopes = [Scope(each) for each in self.scopes.data or ()]
        return {"name": self.name.data, "scopes": scopes, "expires_at": self._read_end()}

    def _read_end(self) -> datetime | None:
        if self.lifetime.data == OWN_DATE:
            return self._read_own_end()
        lifetime = _LIFETIMES.get(self.lifetime.data)
        return container().clock() + lifetime if lifetime else None

    def _read_own_end(self) -> datetime | None:
        """The end of the typed day, in UTC; None if it is no future day within MAX_LIFETIME."""
        now = container().clock()
        try:
            last = date.fromisoformat(self.last_day.data or "")
            end = datetime.combine(last, time(0), UTC) + timedelta(days=1)
        except (ValueError, OverflowError):
            return None
        return end if now < end <= now + MAX_LIFETIME else None


class RotationForm(FlaskForm):
    """How long the old key works after the new one is created."""

    overlap = RadioField("When the old key ends", [AnyOf(_OVERLAPS, _CHOOSE_LISTED)], validate_choice=False)

    def read(self) -> timedelta:
        """Read the chosen overlap."""
        return _OVERLAPS[self.overlap.data]
