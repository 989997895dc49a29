"""The form for one result: approve it, or reject it and say why."""

from flask_wtf import FlaskForm
from wtforms import RadioField, SelectField, TextAreaField
from wtforms.validators import InputRequired

from app.domain.errors import InvalidRequest
from app.domain.quality import Verdict
from app.domain.reviews import USUAL_REASONS, join_reason, split_reason
from app.models import Result
from app.portal.forms import clean_text
from app.services.photos.quality import Decision


class DecisionForm(FlaskForm):
    """What a reviewer says of one result; what makes a good decision is the service's to say, see add_errors()."""

    verdict = RadioField(
        "Your decision",
        [InputRequired("Choose Approve or Reject.")],
        choices=[(Verdict.APPROVED.value, "Approve"), (Verdict.REJECTED.value, "Reject")],
    )
    usual = SelectField(
        "Reason", choices=[("", "Choose a reason"), *((each, each) for each in USUAL_REASONS)], default=""
    )
    own = TextAreaField("In your own words", filters=[clean_text])

    @property
    def reason(self) -> str:
        """The reason in one line."""
        return join_reason(self.usual.data or "", self.own.data or "")

    def decision(self, reviewer_id: str) -> Decision:
        """The decision as the service takes it."""
        return Decision(Verdict(self.verdict.data), reviewer_id, self.reason)

    def add_errors(self, refused: InvalidRequest) -> None:
        """Show what the service refused on the field it is about."""
        for name, message in (refused.details or {}).items():
            reason = self.own if self.own.data else self.usual
            field = self.verdict if name == self.verdict.name else reason
            field.errors = [*field.errors, message]


def fill_form(result: Result) -> DecisionForm:
    """Fill the form in for a result with the decision made before, if there was one."""
    usual, own = split_reason(result.message) if result.verdict is Verdict.REJECTED else ("", "")
    decided = None if result.verdict is Verdict.UNDECIDED else result.verdict.value
    return DecisionForm(formdata=None, data={"verdict": decided, "usual": usual, "own": own})
