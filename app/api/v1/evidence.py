"""The evidence of a job: who ordered what by which rules, what was done to each picture, where it was published."""

from flask import Blueprint

from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.errors import NotFound
from app.domain.evidence import Evidence, EvidenceFigure
from app.services.photos import evidence
from app.web.authentication import actor
from app.web.context import container

blueprint = Blueprint("evidence_v1", __name__)


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/evidence",
        scope=Scope.JOBS_READ,
        summary="Read the evidence of a job, for anyone who must answer for an altered picture",
        answer=Evidence[EvidenceFigure],
        refusals=(NotFound,),
        notes="Available as long as the order is kept, also after the pictures are deleted. Until the whole job "
        "is decided every verdict is `undecided`. Reading it delivers nothing. It is not legal advice.",
    ),
)
def show_evidence(job_id: str) -> Evidence[EvidenceFigure]:
    """The evidence of the account's job."""
    here = container()
    with here.database.read_session() as session:
        found = evidence.read(session, actor().account_id, job_id, here.settings.base_url)
    return Evidence[EvidenceFigure].model_validate(found)
