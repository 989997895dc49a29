"""The page on which a client compares pictures, comments on them, answers, and downloads them."""

from collections.abc import Callable
from typing import Any

from flask import Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.errors import InvalidRequest
from app.domain.file_names import attachment
from app.domain.shares import MAX_COMMENT, MAX_MESSAGE, ShareVerdict, read_answer, read_comment
from app.domain.sizes import DownloadSize, read_size
from app.models import ShareLink
from app.portal.file_links import strip_own_host
from app.portal.forms import add_errors
from app.portal.shared.forms import ClientAnswerForm, CommentForm, PinForm, fill_answer, fill_comment
from app.portal.shared.pins import remember_pin
from app.portal.shared.shared_blueprint import (
    SharedBlueprint,
    find_link,
    keep_from_search,
    make_form_token,
    render_pin,
)
from app.services.photos import results, shared_pages, zip_downloads
from app.services.photos.shared_pages import SharedPage
from app.web import attempt_limits, rate_limits
from app.web.context import container

blueprint = SharedBlueprint("shared", __name__)

COMMENT_SAVED, ANSWER_SAVED = "photo", "answer"
"""Values of the query parameter `saved`: the page confirms a comment or an answer."""


@blueprint.get("")
def show(token: str) -> ResponseReturnValue:
    """Show all pictures, one of them large beside its photo, and record that a client viewed the page."""
    rate_limits.count()
    page, here = _read(token), container()
    wants_copies = page.link.may_download and page.results.lacks_copies
    if page.results.lacks_previews or wants_copies or not shared_pages.was_seen_lately(page.link, here.clock()):
        with here.database.unit_of_work() as session:
            shared_pages.record_seen(session, page.link, here.clock())
            if page.results.lacks_previews:
                results.request_previews(session, page.results, here.clock())
            if wants_copies:
                results.request_copies(session, page.results)
    return _render(token, page, request.args.get("photo", type=int))


@blueprint.post("/pin")
def unlock(token: str) -> ResponseReturnValue:
    """Open the link in this browser with its PIN; the number of tries is limited."""
    form, link = PinForm(request.form), find_link(token, locked=True)
    if link.pin_digest is not None:
        try:
            with attempt_limits.limit_pin_guesses(link.id):
                shared_pages.check_pin(link, form.pin.data or "")
        except InvalidRequest as refused:
            add_errors(form, refused)
            return render_pin(token, form)
    response = redirect(url_for("shared.show", token=token), 303)
    remember_pin(response, token, link)
    return response


@blueprint.post("/photos/<int:number>")
def comment(token: str, number: int) -> ResponseReturnValue:
    """Save the client's comment on one picture."""
    form, now = CommentForm(request.form), container().clock()
    try:
        words = read_comment(form.comment.data or "")
    except InvalidRequest as refused:
        add_errors(form, refused)
        return _render(token, _read(token), number, comment_form=form)
    _change(token, lambda session, link: shared_pages.comment(session, link, number, None, words, now))
    return redirect(url_for("shared.show", token=token, photo=number, saved=COMMENT_SAVED, _anchor="said"), 303)


@blueprint.post("/photos/<int:number>/favorite")
def favorite(token: str, number: int) -> ResponseReturnValue:
    """Choose one picture as a favorite, or no longer."""
    chosen, now = bool(request.form.get("favorite")), container().clock()
    _change(token, lambda session, link: shared_pages.comment(session, link, number, chosen, None, now))
    return redirect(url_for("shared.show", token=token, photo=number, _anchor=f"picture-{number}"), 303)


@blueprint.post("/answer")
def answer(token: str) -> ResponseReturnValue:
    """Save the client's answer about all pictures; a new verdict is mailed to the order's owner."""
    form, now = ClientAnswerForm(request.form), container().clock()
    fields = (form.verdict, form.name, form.email, form.message)
    try:
        client_answer = read_answer(*(str(each.data or "") for each in fields))
    except InvalidRequest as refused:
        add_errors(form, refused)
        return _render(token, _read(token), None, answer_form=form)
    _change(token, lambda session, link: shared_pages.answer(session, link, client_answer, now))
    return redirect(url_for("shared.show", token=token, saved=ANSWER_SAVED, _anchor="answer"), 303)


@blueprint.post("/photos/<int:number>/download")
def download(token: str, number: int) -> ResponseReturnValue:
    """Redirect to one picture by a short-lived link. This is not a GET, because a browser's prefetch must not
    deliver the order.
    """
    link, here = find_link(token), container()
    with here.database.unit_of_work() as session:
        url = shared_pages.download(session, here.storage, link, number, _read_size(), here.clock())
    return redirect(strip_own_host(url), 303)


@blueprint.post("/pictures.zip", endpoint="zip")
def archive(token: str) -> ResponseReturnValue:
    """Send all pictures in one ZIP, which is packed while it is sent."""
    rate_limits.count()
    link, here = find_link(token), container()
    with here.database.unit_of_work() as session:
        name, files = shared_pages.archive(session, here.storage, link, _read_size(), here.clock())
    packed = zip_downloads.stream_zip(here.storage, files)
    response = Response(iter(packed), direct_passthrough=True, mimetype="application/zip")
    response.content_length = len(packed)
    response.headers["Content-Disposition"] = attachment(name)
    return response


def _read_size() -> DownloadSize:
    return read_size(request.form.get("size"))


def _read(token: str) -> SharedPage:
    link, here = find_link(token, answers=True), container()
    with here.database.read_session() as session:
        return shared_pages.read(session, link, here.clock())


def _change(token: str, act: Callable[[Session, ShareLink], None]) -> None:
    """Call `act` with the link, which is locked against answers sent at the same time."""
    find_link(token)
    here = container()
    with here.database.unit_of_work() as session:
        act(session, shared_pages.find(session, token, here.clock(), lock=True))


def _render(token: str, page: SharedPage, number: int | None, **forms: CommentForm | ClientAnswerForm) -> Response:
    place = page.results.index_of(number)
    shown = page.results.shown
    chosen = shown[place]
    values: dict[str, Any] = {
        "comment_form": fill_comment(page.comments.get(chosen.number)),
        "answer_form": fill_answer(page.link),
        **forms,
    }
    text = render_template(
        "portal/shared/show.html",
        token=token,
        link_form_token=make_form_token(token),
        page=page,
        link=page.link,
        look=page.look,
        sender=page.sender,
        chosen=chosen,
        previous=shown[place - 1] if place else None,
        following=shown[place + 1] if place + 1 < len(shown) else None,
        archive_bytes=page.zip_bytes,
        sizes=DownloadSize,
        saved=request.args.get("saved"),
        verdicts=ShareVerdict,
        max_comment=MAX_COMMENT,
        max_message=MAX_MESSAGE,
        **values,
    )
    return keep_from_search(make_response(text, 422 if forms else 200))
