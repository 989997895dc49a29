"""The forms of staff's acts, and how they show refusals."""

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
    """A form with only a button."""

    hints: ClassVar[dict[str, str]] = {}

    def add_errors(self, refused: Refusal) -> None:
        """Add the faults of the refusal to the fields that they name; all others are errors of the form."""
        for name, message in (refused.details or {}).items():
            field = getattr(self, name, None)
            (self.form_errors if field is None else field.errors).append(message)


class ReasonForm(ActionForm):
    """A form that asks for a reason."""

    reason = TextAreaField("Reason", [DataRequired("Say why.")], filters=[clean_text])


class CustomerReasonForm(ReasonForm):
    """A form that asks for a reason, which the customer reads."""

    hints: ClassVar[dict[str, str]] = {"reason": "The customer reads it word for word."}


class NoteForm(ReasonForm):
    """A form that asks what was done about an open point."""

    reason = TextAreaField("What was done about it", [DataRequired("Say what was done.")], filters=[clean_text])


class GrantForm(ActionForm):
    """The credits to add or deduct."""

    way = RadioField(
        "What do you want to do?",
        [InputRequired("Choose whether to give or take back.")],
        choices=[(GIVE, "Give credits"), (TAKE, "Take credits back")],
    )
    amount = StringField("Credits", [InputRequired("Enter how many credits.")], filters=[clean_text])
    reason = TextAreaField("Reason", [DataRequired("Say why.")], filters=[clean_text])
    hints: ClassVar[dict[str, str]] = {
        "amount": "With two decimals at most: 12.5, for example.",
        **CustomerReasonForm.hints,
    }

    def validate_amount(self, field: StringField) -> None:
        """Require an amount above 0 with at most two decimals. Raises ValidationError."""
        try:
            is_positive = parse_amount(field.data or "") > 0
        except ValueError:
            raise ValidationError("Enter a number with at most two decimals, 12.5 for example.") from None
        if not is_positive:
            raise ValidationError("Enter an amount above 0. Choose above whether to give or take back.")

    @property
    def change(self) -> Decimal:
        """The change of the balance: below 0 where credits are deducted."""
        typed = parse_amount(self.amount.data or "")
        return typed if self.way.data == GIVE else -typed

    def add_errors(self, refused: Refusal) -> None:
        """Add the faults of the refusal to the fields; a balance that is too low is a fault of the amount."""
        if isinstance(refused, InsufficientCredits):
            balance = (refused.details or {})["current"]
            message = f"The balance is {credits_(balance)}: no more than {amount(balance)} can be taken."
            refused = InvalidRequest({"amount": message})
        super().add_errors(refused)
