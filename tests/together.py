"""Which files of tests a parallel run keeps in one process: those that share what is slow to set up.

pytest-xdist has a mark for this, which does nothing under pytest 9.2.
"""

from pathlib import Path

from xdist.scheduler import LoadScopeScheduling

HERE = Path(__file__).parent
WHOLE_SERVICE = "the whole service"
TOGETHER = {
    "browser/test_business_journey.py": WHOLE_SERVICE,
    "browser/test_order_journeys.py": WHOLE_SERVICE,
    "journeys/test_hostile.py": WHOLE_SERVICE,
    "journeys/test_killed.py": WHOLE_SERVICE,
    "journeys/test_order_programs.py": WHOLE_SERVICE,
    "journeys/test_outside_doors.py": WHOLE_SERVICE,
    "journeys/test_readme.py": WHOLE_SERVICE,
    "journeys/test_webhook_journeys.py": WHOLE_SERVICE,
}


class Scheduling(LoadScopeScheduling):
    """Hands out tests file by file, the largest first, and those that belong together all at once."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", maxsplit=1)[0].removeprefix(f"{HERE.name}/")
        return TOGETHER.get(file, file)
