"""Packs for listing services as they are met: ready with warnings, being made, and failed."""

from app.domain.disclosure.rule_files import all_rules
from app.domain.lifecycle import WorkState
from app.models import MlsPack
from app.services.photos import packs
from app.services.photos.pack_plans import PackChoice
from tests.browser.world import Who, World
from tests.conftest import pack_worker, remake


def seed(world: World) -> None:
    """Of the order that is approved, one in each state."""
    here = world.container
    ready = _ask(world, "mls-now")
    remake(here)
    pack_worker(here).make(ready)
    failed = _ask(world, "smartmls")
    with here.database.unit_of_work() as session:
        pack = session.get_one(MlsPack, failed)
        pack.state, pack.error = WorkState.DONE, packs.FAILED_MESSAGE
    _ask(world, "crmls")


def _ask(world: World, mls: str) -> str:
    here, job_id = world.container, world.jobs["approved"]
    with here.database.unit_of_work() as session:
        choice = PackChoice(all_rules()[mls], labeled=False, base_url=here.settings.base_url)
        account_id = world.people[Who.CUSTOMER].account_id
        pack = packs.request(session, account_id, job_id, choice, here.clock())
        world.links[f"pack for {mls}"] = f"/orders/{job_id}/packs/{pack.id}"
        return pack.id
