"""How a parallel run hands out its tests: file by file, but to one process what shares something dear.

The whole service is shared by journeys, the seeded worlds by what looks at pages, the parsed source by the guards.
pytest-xdist has a mark for this, which does nothing under pytest 9.2.
"""

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

ON_THE_WHOLE_SERVICE = frozenset(
    {
        "browser/test_business_journey.py",
        "browser/test_order_journeys.py",
        "journeys/test_hostile.py",
        "journeys/test_killed.py",
        "journeys/test_order_programs.py",
        "journeys/test_outside_services.py",
        "journeys/test_walk_through.py",
        "journeys/test_webhook_journeys.py",
    }
)
ON_THE_SEEDED_WORLDS = frozenset(
    {"browser/test_pages.py", "browser/test_business_pages.py", "browser/test_compare_and_review.py"}
)
WHOLE_SERVICE = "the whole service"
SEEDED_WORLDS = "the seeded worlds"
BROWSER = "a browser"
"""What else looks at pages: one browser serves as long as tests of its folder follow one another."""
SOAK = "faults/test_soak.py"
SEVERAL_HOSTS = "hosts/test_several_hosts.py"
GUARDS = ("architecture/", "test_budgets.py")
"""They look at the parsed source."""
WHOLE_SOURCE = "the parsed source"


class Scheduling(LoadScopeScheduling):
    """Hands out whole files, those with most tests first; but what takes longest before them."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0].removeprefix("tests/")
        if file in ON_THE_WHOLE_SERVICE:
            return WHOLE_SERVICE
        if file in ON_THE_SEEDED_WORLDS:
            return SEEDED_WORLDS
        if file.startswith("browser/"):
            return BROWSER
        return WHOLE_SOURCE if file.startswith(GUARDS) else file

    def _assign_work_unit(self, node: WorkerController) -> None:
        for long in (SOAK, SEVERAL_HOSTS, BROWSER, SEEDED_WORLDS, WHOLE_SERVICE):
            if long in self.workqueue:
                self.workqueue.move_to_end(long, last=False)
        super()._assign_work_unit(node)
