"""Results of which somebody shows what their photos show: at a reviewer, and at their owner."""

from app.services.photos import hinted_results, quality
from app.services.photos.hinted_results import HintedResult
from app.services.previews import outlooks
from app.services.reviews import claims
from tests.browser.world import World


def seed(world: World) -> None:
    """The pages of two rooms; workers look at their photos with those of drafts."""
    shown = _ask(world, "review begun")
    world.links["shown by a reviewer"] = f"/reviews/{shown.job.id}/results/{shown.result.id}/hints"
    shown = _ask(world, "approved")
    world.links["shown by a customer"] = f"/orders/{shown.job.id}/results/{shown.result.id}/hints"


def _ask(world: World, name: str) -> HintedResult:
    with world.container.database.unit_of_work() as session:
        job = claims.get_job(session, world.jobs[name])
        room = next(each for each in quality.photos_of(session, job.id) if each.edit_request.staging)
        assert room.result is not None
        shown = hinted_results.read(session, job, room.result.id)
        outlooks.request(session, shown.subject, world.clock())
        return shown
