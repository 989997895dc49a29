"""Sharing an order's results with clients: creating, changing and revoking links, and the clients' answers."""

from datetime import timedelta
from typing import Any

from flask import Response, flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import BooleanField, SelectField, StringField

from app.domain.errors import InvalidRequest
from app.domain.retention import SHARE_LINK_DAYS
from app.domain.shares import MAX_PIN, MAX_TITLE, MIN_PIN, ShareVerdict
from app.models import ShareLink
from app.portal.forms import add_errors, clean_line
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.orders import jobs, properties
from app.services.photos import downloads, shares
from app.services.photos.shares import SharePlan
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("shares", __name__, url_prefix="/orders/<job_id>/shares"))

DAYS = (1, 3, SHARE_LINK_DAYS, 30)
"""The choices of how many days a link works. It always ends when the pictures are removed."""
_LIMITS = {"max_title": MAX_TITLE, "pin_digits": (MIN_PIN, MAX_PIN)}


class ShareForm(FlaskForm):
    """The form of a share link: title, validity, whether the client may download, and a PIN."""

    title = StringField("Title (optional)", filters=[clean_line])
    days = SelectField(
        "Valid for",
        choices=[(each, f"{each} {'day' if each == 1 else 'days'}") for each in DAYS],
        coerce=int,
        default=SHARE_LINK_DAYS,
    )
    may_download = BooleanField("The client may download the pictures", default=True)
    pin = StringField("PIN (optional)", filters=[clean_line])
    without_pin = BooleanField("Open without a PIN")

    def plan(self) -> SharePlan:
        """The form as a plan, which the service validates. A number of days that is not in DAYS becomes the
        default.
        """
        kept_for = timedelta(seconds=container().settings.retention_seconds)
        days = self.days.data if self.days.data in DAYS else SHARE_LINK_DAYS
        pin = "" if self.without_pin.data else self.pin.data or None
        return SharePlan(kept_for, self.title.data or "", days, bool(self.may_download.data), pin)


@blueprint.get("")
def index(job_id: str) -> ResponseReturnValue:
    """The order's links with the clients' answers, and the form for a new link."""
    return _render(job_id, ShareForm(formdata=None))


@blueprint.post("")
def create(job_id: str) -> ResponseReturnValue:
    """Make a link."""
    here, form = container(), ShareForm()
    try:
        with here.database.unit_of_work() as session:
            link = shares.create(session, here.vault, visitor().account_id, job_id, form.plan(), here.clock())
    except InvalidRequest as refused:
        add_errors(form, refused)
        return _render(job_id, form)
    flash("The link was created. Copy it and send it to your client.")
    return redirect(url_for("shares.index", job_id=job_id, _anchor=link.id), 303)


@blueprint.get("/<link_id>")
def edit(job_id: str, link_id: str) -> ResponseReturnValue:
    """The form to change what a link offers."""
    link = _find(job_id, link_id)
    form = ShareForm(formdata=None, data={"title": link.title, "may_download": link.may_download})
    return _render_one(job_id, link, form)


@blueprint.post("/<link_id>")
def update(job_id: str, link_id: str) -> ResponseReturnValue:
    """Change what the link offers; its address stays the same."""
    here, form = container(), ShareForm()
    changed = (visitor().account_id, job_id, link_id, form.plan(), here.clock())
    try:
        with here.database.unit_of_work() as session:
            shares.update(session, *changed)
    except InvalidRequest as refused:
        add_errors(form, refused)
        return _render_one(job_id, _find(job_id, link_id), form)
    flash("The link is changed. Its address is the same.")
    return redirect(url_for("shares.index", job_id=job_id, _anchor=link_id), 303)


@blueprint.post("/<link_id>/revoke")
def revoke(job_id: str, link_id: str) -> ResponseReturnValue:
    """Revoke the link: it stops working."""
    here = container()
    with here.database.unit_of_work() as session:
        shares.revoke(session, visitor().account_id, job_id, link_id, here.clock())
    flash("The link is revoked and no longer works.")
    return redirect(url_for("shares.index", job_id=job_id), 303)


def describe(links: list[ShareLink]) -> dict[str, Any]:
    """The values for the list of links."""
    here = container()
    now, base_url = here.clock(), here.settings.base_url
    return {
        "links": links,
        "urls": {each.id: shares.url_of(here.vault, base_url, each) for each in links},
        "live": {each.id for each in links if shares.is_live(each, now)},
        "verdicts": ShareVerdict,
    }


def _find(job_id: str, link_id: str) -> ShareLink:
    with container().database.read_session() as session:
        return shares.get(session, visitor().account_id, job_id, link_id)


def _render(job_id: str, form: ShareForm) -> Response:
    with container().database.read_session() as session:
        job = jobs.get(session, visitor().account_id, job_id)
        downloads.require_ready(job)
        found = list(shares.of_job(session, job.id))
        photo_ids = [photo_id for photo_id, _ in properties.list_photos(session, [job])]
    values = {"job": job, "form": form, **_LIMITS, "photo_ids": photo_ids, **describe(found)}
    return make_response(render_template("portal/orders/shares/index.html", **values), 422 if form.errors else 200)


def _render_one(job_id: str, link: ShareLink, form: ShareForm) -> Response:
    with container().database.read_session() as session:
        job = jobs.get(session, visitor().account_id, job_id)
    values = {"job": job, "link": link, "form": form, **_LIMITS}
    return make_response(render_template("portal/orders/shares/edit.html", **values), 422 if form.errors else 200)
