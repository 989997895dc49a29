"""The forms of a client's page. There is no session: the page holds their CSRF token, see shared_blueprint.py."""

from wtforms import EmailField, Form, PasswordField, RadioField, StringField, TextAreaField

from app.domain.shares import ShareVerdict
from app.models import ShareComment, ShareLink
from app.portal.forms import clean_line, clean_text


class CommentForm(Form):
    """The client's comment on one picture."""

    comment = TextAreaField("Comment (optional)", filters=[clean_text])


class PinForm(Form):
    """The PIN that opens a link."""

    pin = PasswordField("PIN")


class ClientAnswerForm(Form):
    """The client's answer about all pictures."""

    verdict = RadioField(
        "Your answer",
        choices=[
            (ShareVerdict.APPROVED.value, "I approve all pictures"),
            (ShareVerdict.CHANGES_REQUESTED.value, "I ask for changes"),
        ],
        validate_choice=False,
    )
    message = TextAreaField("Message", filters=[clean_text])
    name = StringField("Your name (optional)", filters=[clean_line])
    email = EmailField("Your e-mail address (optional)", filters=[clean_line])


def fill_comment(comment: ShareComment | None) -> CommentForm:
    """The form with the client's earlier comment, if there is one."""
    return CommentForm(data={"comment": comment.text} if comment else {})


def fill_answer(link: ShareLink) -> ClientAnswerForm:
    """The form with the client's earlier answer, if there is one."""
    answer = link.response
    if answer is None:
        return ClientAnswerForm()
    values = {
        "verdict": answer.verdict.value,
        "message": answer.message,
        "name": answer.name,
        "email": answer.email,
    }
    return ClientAnswerForm(data=values)
