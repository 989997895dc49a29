"""The forms for one result: to approve it, to reject it with a reason, and to have it made again."""

from collections.abc import Iterable

from flask_wtf import FlaskForm
from wtforms import BooleanField, RadioField, SelectField, SelectMultipleField, TextAreaField
from wtforms.validators import InputRequired

from app.domain.catalog import ENTRIES
from app.domain.errors import InvalidRequest
from app.domain.reviews import USUAL_REASONS, join_reason, split_reason
from app.domain.revisions import RemakeChoice
from app.models import Result
from app.portal.forms import clean_text
from app.portal.look_forms import LookForm
from app.services.photos.quality import Decision
from engine.types.enhancements import Enhancement
from engine.types.report import Verdict


class DecisionForm(FlaskForm):
    """A reviewer's decision on one result; the service validates it, see add_errors()."""

    verdict = RadioField(
        "Your decision",
        [InputRequired("Choose Approve or Reject.")],
        choices=[(Verdict.APPROVED.value, "Approve"), (Verdict.REJECTED.value, "Reject")],
    )
    usual = SelectField(
        "Reason", choices=[("", "Choose a reason"), *((each, each) for each in USUAL_REASONS)], default=""
    )
    own = TextAreaField("In your own words", filters=[clean_text])
    refunded_steps = SelectMultipleField("Refund the price of a step", choices=[], validate_choice=False)

    @property
    def reason(self) -> str:
        """The reason in one line."""
        return join_reason(self.usual.data or "", self.own.data or "")

    def decision(self, reviewer_id: str) -> Decision:
        """The decision as the service takes it."""
        verdict = Verdict(self.verdict.data)
        steps = read_steps(self.refunded_steps.data) if verdict is Verdict.APPROVED else []
        return Decision(verdict, reviewer_id, self.reason, steps)

    def add_errors(self, refused: InvalidRequest) -> None:
        """Add the faults of the refusal to the fields that they name; unknown names mean the reason."""
        for name, message in (refused.details or {}).items():
            reason = self.own if self.own.data else self.usual
            field = {self.verdict.name: self.verdict, self.refunded_steps.name: self.refunded_steps}.get(
                name, reason
            )
            field.errors = [*field.errors, message]


def fill_form(result: Result) -> DecisionForm:
    """Fill the form in for a result with its earlier decision, if there is one."""
    usual, own = split_reason(result.message) if result.verdict is Verdict.REJECTED else ("", "")
    decided = None if result.verdict is Verdict.UNDECIDED else result.verdict.value
    data = {"verdict": decided, "usual": usual, "own": own, "refunded_steps": result.refunded_steps or []}
    return DecisionForm(formdata=None, data=data)


def read_steps(names: Iterable[str] | None) -> list[Enhancement]:
    """Read the ticked steps; unknown names are ignored."""
    known = {each.value for each in Enhancement}
    return [Enhancement(each) for each in names or [] if each in known]


def list_choices(steps: Iterable[Enhancement]) -> list[tuple[str, str]]:
    """The steps as a form offers them."""
    return [(each.value, ENTRIES[each].label) for each in steps]


class MakeAgainForm(LookForm):
    """The form of changes to make when a result is made again; the service validates them."""

    another_seed = BooleanField("Another random start")
    less = BooleanField("Weaker effect")
    left_out = SelectMultipleField("Leave out", choices=[], validate_choice=False)

    @property
    def choice(self) -> RemakeChoice:
        """The choice as the service takes it. Raises InvalidRequest for looks that are not offered."""
        left_out = read_steps(self.left_out.data)
        return RemakeChoice(bool(self.another_seed.data), bool(self.less.data), left_out, self.looks)


class ReworkForm(MakeAgainForm):
    """The form for a result that is made again before delivery: as MakeAgainForm, with a note for other
    reviewers.
    """

    why = TextAreaField("What is wrong (for other reviewers, optional)", filters=[clean_text])
