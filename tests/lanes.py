"""Which tests run when: the lanes of the suite, by folder and by marker.

- quick: what every change needs, all that is not long (`make test`)
- all: everything (`make test-all`)
- servers: what can differ on PostgreSQL and a Redis server (`make test-servers`)
- hosts: what can differ on several hosts that share PostgreSQL, Redis and a bucket (`make test-hosts`)
- model: pictures by a real diffusion model in an environment of its own (`make test-model`)

A test is long by its folder (LONG), or by the marker `long` where only a part of a file is; the marker `quick`
brings single tests of a long folder into the quick lane.
"""

from enum import StrEnum
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LONG = (
    "browser",
    "hosts",
    "journeys",
    "training",
    "bench",
    "faults",
    "monitoring/test_log_lines.py",
    "monitoring/test_traces_and_reports.py",
    "security/test_short_soaks.py",
    "tasks/test_worker_signs.py",
    "test_cli_storage.py",
    "test_preload.py",
    "test_supervision.py",
    "services/billing/test_long_ledgers.py",
    "services/staff/test_staff_scale.py",
    "services/test_plans.py",
    "services/webhooks/test_webhook_flat.py",
)
"""Folders (or files) that need a browser, the whole service, other servers, one process after the other, learning
material, or a hundred thousand rows."""
SERVERS = (
    "services",
    "api",
    "conformance",
    "tasks",
    "monitoring",
    "web",
    "security",
    "journeys",
    "faults",
    "hosts/test_several_hosts.py",
    "browser/test_order_journeys.py",
    "adapters/test_queue_contract.py",
    "architecture/test_migrations.py",
    "architecture/test_migration_lint.py",
    "test_cli.py",
    "test_cli_accounts.py",
    "test_cli_keys.py",
    "test_cli_webhooks.py",
)
"""Folders (or files) that reach the database or the queue: models, migrations, services, API, tasks, journeys; and
the service on several hosts, the least of what HOSTS looks at, on PostgreSQL and a Redis of its own."""
HOSTS = ("hosts", "journeys", "browser/test_business_journey.py", "browser/test_order_journeys.py")
"""Folders (or files) of whole services, and what they meet when hosts and servers are away."""
HOSTS_ALONE = ("hosts",)
"""What wants several hosts, and takes minutes but for what SERVERS has of it: the lane of everything is without."""
MODEL = ("journeys/test_diffusion_server.py",)
"""What installs a real model. Every other lane is without: they have servers that answer as such a model's does."""
SAME_ON_SERVERS = (
    "api/test_bad_fields.py",
    "api/test_bad_files.py",
    "api/test_bad_json.py",
    "api/test_bad_multipart.py",
    "api/test_bad_names.py",
    "api/test_bad_uploads.py",
    "api/test_bad_urls.py",
    "api/test_hostile_uploads.py",
    "browser/test_order_journeys.py::test_a_first_order_from_the_sign_up_to_the_pictures[by keyboard alone]",
    "browser/test_order_journeys.py::test_a_first_order_from_the_sign_up_to_the_pictures[with scripts]",
    "conformance/test_generated_requests.py",
    "conformance/test_interface_multipart.py",
    "conformance/test_openapi_document.py",
    "faults/test_promises.py",
    "faults/test_silent_redis.py",
    "faults/test_slow_clients.py",
    "faults/test_soak.py",
    "journeys/test_bucket.py",
    "journeys/test_hostile.py",
    "journeys/test_outside_services.py",
    "journeys/test_receivers.py",
    "journeys/test_walk_through.py",
    "monitoring/test_log_lines.py",
    "monitoring/test_traces_and_reports.py",
    "security/test_asvs.py",
    "security/test_matrix.py",
    "security/test_short_soaks.py",
    "tasks/test_pack_worker.py",
    "tasks/test_preview_worker.py",
    "web/test_bucket_faults.py",
    "web/test_compression.py",
    "web/test_proxies.py",
)
"""Files or single tests of which nothing differs by the database or the queue, or only what another one shows."""


class Lane(StrEnum):
    """A selection of the tests."""

    QUICK = "quick"
    ALL = "all"
    SERVERS = "servers"
    HOSTS = "hosts"
    MODEL = "model"

    def holds(self, item: pytest.Item) -> bool:
        """Whether the test runs in this lane."""
        if _lies_in(item, MODEL):
            return self is Lane.MODEL
        match self:
            case Lane.MODEL:
                return False
            case Lane.QUICK:
                return not is_long(item)
            case Lane.SERVERS:
                return _lies_in(item, SERVERS) and not _lies_in(item, SAME_ON_SERVERS)
            case Lane.HOSTS:
                return _lies_in(item, HOSTS)
            case _:
                return not _lies_in(item, HOSTS_ALONE)

    def passes_over(self, path: Path) -> bool:
        """Whether nothing of a file can be in this lane, so that it need not even be loaded."""
        if not path.is_file() or TESTS not in path.parents:
            return False
        match self:
            case Lane.QUICK:
                return is_below(path, LONG) and "mark.quick" not in path.read_text()
            case Lane.SERVERS:
                return not is_below(path, SERVERS) or is_below(path, SAME_ON_SERVERS)
            case _:
                return False


def is_long(item: pytest.Item) -> bool:
    """Whether only `make test-all` runs it."""
    if item.get_closest_marker("quick") is not None:
        return False
    return item.get_closest_marker("long") is not None or _lies_in(item, LONG)


def select(items: list[pytest.Item], lane: Lane) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests of the lane, and the others."""
    chosen, others = [], []
    for item in items:
        (chosen if lane.holds(item) else others).append(item)
    return chosen, others


def is_below(path: Path, places: tuple[str, ...]) -> bool:
    """Whether a file is one of the places, or in a folder that is."""
    file = path.relative_to(TESTS).as_posix()
    return any(place == file or file.startswith(f"{place}/") for place in places)


def _lies_in(item: pytest.Item, places: tuple[str, ...]) -> bool:
    named = f"{item.path.relative_to(TESTS).as_posix()}::{item.name}"
    return is_below(item.path, places) or named in places
