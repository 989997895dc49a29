"""The evidence of an order, to print or save, for anyone who is held responsible for an altered picture."""

from flask import Response, render_template
from flask.typing import ResponseReturnValue

from app.domain.disclosure.rule_files import all_rules
from app.domain.evidence import Evidence, EvidenceFigure
from app.domain.file_names import attachment
from app.domain.flaws import LABELS
from app.portal.figures import describe_figures
from app.portal.orders.revision_words import OUTCOME_WORDS
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.photos import evidence
from app.web.context import container
from engine.types.report import Verdict

VERDICTS = {Verdict.UNDECIDED: "Not decided yet", Verdict.APPROVED: "Approved", Verdict.REJECTED: "Rejected"}
blueprint = for_signed_in(PageBlueprint("evidence", __name__, url_prefix="/orders/<job_id>"))


@blueprint.get("/evidence")
def show(job_id: str) -> ResponseReturnValue:
    """The evidence as a page."""
    here = container()
    with here.database.read_session() as session:
        found = evidence.read(session, visitor().account_id, job_id, here.settings.base_url)
    return render_template(
        "portal/orders/evidence.html",
        found=found,
        rules=all_rules(),
        figures={each.number: describe_figures(each.figures) for each in found.pictures},
        verdicts=VERDICTS,
        flaw_labels=LABELS,
        outcome_words=OUTCOME_WORDS,
        now=here.clock(),
    )


@blueprint.get("/evidence.json", endpoint="file")
def download(job_id: str) -> ResponseReturnValue:
    """The evidence as a JSON file, the same document that the API returns."""
    here = container()
    with here.database.read_session() as session:
        found = evidence.read(session, visitor().account_id, job_id, here.settings.base_url)
    document = Evidence[EvidenceFigure].model_validate(found)
    response = Response(document.to_json(), mimetype="application/json")
    response.headers["Content-Disposition"] = attachment(f"evidence-{job_id}.json")
    response.headers["Cache-Control"] = "private, no-store"
    return response
