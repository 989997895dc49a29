"""The forms of staff's acts: what they take, and how what was refused comes back."""

from decimal import Decimal
from typing import ClassVar

from flask_wtf import FlaskForm
from wtforms import RadioField, StringField, TextAreaField
from wtforms.validators import DataRequired, InputRequired, ValidationError

from app.domain.amounts import amount, credits_
from app.domain.errors import InsufficientCredits, InvalidRequest, Refusal
from app.domain.typed_amounts import parse_amount
from app.portal.forms import clean_text

GIVE, TAKE = "give", "take"


class ActionForm(FlaskForm):
    """A form that is one button."""

    hints: ClassVar[dict[str, str]] = {}

    def add_errors(self, refused: Refusal) -> None:
        """Show what the service refused on the field it is about."""
        for name, message in (refused.details or {}).items():
            field = getattr(self, name, None)
            (self.form_errors if field is None else field.errors).append(message)


class ReasonForm(ActionForm):
    """A form that wants to know why."""

    reason = TextAreaField("Reason", [DataRequired("Say why.")], filters=[clean_text])


class ToldReasonForm(ReasonForm):
    """The same where the customer reads it."""

    hints: ClassVar[dict[str, str]] = {"reason": "The customer reads it word for word."}


class NoteForm(ReasonForm):
    """The same for what was done about something."""

    reason = TextAreaField("What was done about it", [DataRequired("Say what was done.")], filters=[clean_text])


class GrantForm(ActionForm):
    """Credits given or taken."""

    way = RadioField(
        "What do you want to do?",
        [InputRequired("Choose whether to give or take back.")],
        choices=[(GIVE, "Give credits"), (TAKE, "Take credits back")],
    )
    amount = StringField("Credits", [InputRequired("Enter how many credits.")], filters=[clean_text])
    reason = TextAreaField("Reason", [DataRequired("Say why.")], filters=[clean_text])
    hints: ClassVar[dict[str, str]] = {
        "amount": "With two decimals at most: 12.5, for example.",
        **ToldReasonForm.hints,
    }

    def validate_amount(self, field: StringField) -> None:
        """An amount above 0, to the hundredth. Raises ValidationError."""
        try:
            above = parse_amount(field.data or "") > 0
        except ValueError:
            raise ValidationError("Enter a number with at most two decimals, 12.5 for example.") from None
        if not above:
            raise ValidationError("Enter an amount above 0. Choose above whether to give or take back.")

    @property
    def moved(self) -> Decimal:
        """What the balance changes by."""
        typed = parse_amount(self.amount.data or "")
        return typed if self.way.data == GIVE else -typed

    def add_errors(self, refused: Refusal) -> None:
        """Show what the service refused; a balance that is too low is the amount's fault."""
        if isinstance(refused, InsufficientCredits):
            there = (refused.details or {})["current"]
            message = f"The balance is {credits_(there)}: no more than {amount(there)} can be taken."
            refused = InvalidRequest({"amount": message})
        super().add_errors(refused)
