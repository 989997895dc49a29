"""Packs of an order's pictures for listing services: requesting them, following them, downloading them."""

from collections.abc import Sequence
from typing import Any

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import BooleanField, SelectField

from app.domain.disclosure.listing import list_enacted_rules
from app.domain.disclosure.pack_warnings import PackWarningCode, describe_warning
from app.domain.disclosure.rule_files import all_rules
from app.domain.disclosure.rules import RuleKind
from app.models import Job, MlsPack
from app.portal.file_links import strip_own_host
from app.portal.fragments import render_page_or_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.public.disclosure import describe_demands
from app.portal.visitors import for_signed_in, visitor
from app.services.orders import jobs
from app.services.photos import downloads, packs, public_pages
from app.services.photos.pack_plans import PackChoice
from app.services.photos.packs import PackStatus
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("mls_packs", __name__, url_prefix="/orders/<job_id>/packs"))

POLL_SECONDS = 3
UNCHOSEN = "Choose a listing service"


def _choices() -> list[tuple[str, str]]:
    rules = list_enacted_rules(RuleKind.MLS)
    return [("", UNCHOSEN), *((rule.id, f"{rule.short_name}, {rule.area}") for rule in rules)]


class MlsPackForm(FlaskForm):
    """The listing service that a pack is for; the choices are the listing services that have a rule."""

    mls = SelectField("Listing service (MLS)", id="pack-mls", choices=_choices, validate_choice=False)
    labeled = BooleanField("Add the label to altered pictures where the rule makes it optional")


@blueprint.get("")
def index(job_id: str) -> ResponseReturnValue:
    """The form, and the order's packs."""
    return _render_index(job_id)


@blueprint.post("")
def create(job_id: str) -> ResponseReturnValue:
    """Request a pack."""
    here, form = container(), MlsPackForm()
    rule = packs.find_rule(form.mls.data or "")
    if rule is None:
        form.mls.errors = [f"{UNCHOSEN} from the list."]
        return _render_index(job_id, form)
    choice = PackChoice(rule, bool(form.labeled.data), here.settings.base_url)
    with here.database.unit_of_work() as session:
        pack = packs.request(session, visitor().account_id, job_id, choice, here.clock())
        return redirect(url_for("mls_packs.show", job_id=job_id, pack_id=pack.id), 303)


@blueprint.get("/<pack_id>")
def show(job_id: str, pack_id: str) -> ResponseReturnValue:
    """One pack; for htmx only its fragment, which is polled while the pack is being made."""
    here, account_id = container(), visitor().account_id
    with here.database.read_session() as session:
        pack = packs.get(session, account_id, job_id, pack_id)
        job = jobs.get(session, account_id, job_id)
        page = public_pages.find_live(session, account_id, job_id, here.clock())
    rule = packs.find_rule(pack.mls)
    warnings = pack.warnings.warnings if rule else ()
    return render_page_or_fragment(
        "portal/orders/packs/show.html",
        "portal/orders/packs/_pack.html",
        job=job,
        pack=pack,
        status=packs.status_of(pack),
        was_making="making" in request.args,
        rule=rule,
        demands=describe_demands(rule) if rule else [],
        warnings=[describe_warning(each, rule) for each in warnings if rule],
        needs_originals=any(each.code is PackWarningCode.ORIGINALS_NOT_PUBLISHED for each in warnings),
        public_page=page,
        **_shared(),
    )


@blueprint.post("/<pack_id>/download")
def download(job_id: str, pack_id: str) -> ResponseReturnValue:
    """Redirect to the ZIP by a short-lived link; the first download delivers the order."""
    here = container()
    with here.database.unit_of_work() as session:
        pack = packs.get(session, visitor().account_id, job_id, pack_id)
        seconds = here.settings.download_url_seconds
        url = packs.deliver(session, here.storage, pack, here.clock(), seconds)
    return redirect(strip_own_host(url), 303)


def describe(job: Job, found: Sequence[MlsPack]) -> dict[str, Any]:
    """The values for the form and the list of packs on the order's page."""
    return {"pack_form": _fill_form(job), "packs": found, **_shared()}


def _fill_form(job: Job) -> MlsPackForm:
    """The form with the listing service that was chosen for the order."""
    return MlsPackForm(formdata=None, data={"mls": job.listing.mls or ""})


def _render_index(job_id: str, form: MlsPackForm | None = None) -> ResponseReturnValue:
    account_id = visitor().account_id
    with container().database.read_session() as session:
        job = jobs.get(session, account_id, job_id)
        downloads.require_ready(job)
        found = packs.list_of(session, account_id, job_id)
    values = {"job": job, "packs": found, "pack_form": form or _fill_form(job), **_shared()}
    return render_template("portal/orders/packs/index.html", **values), 422 if form else 200


def _shared() -> dict[str, Any]:
    return {
        "states": PackStatus,
        "status_of": packs.status_of,
        "rules": all_rules(),
        "poll_seconds": POLL_SECONDS,
    }
