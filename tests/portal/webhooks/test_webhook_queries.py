"""Pages of webhooks ask the database as often for one delivery as for sixty."""

import pytest
from flask import Flask

from app.container import Container
from app.services.webhooks import delivery_log
from tests.conftest import PHOTO
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.portal.webhooks.hooking import faking, happen, hook_of, main
from tests.services.hooks import all_deliveries, answered, deliver_all
from tests.statements import counted

PAGES = (
    "/webhooks",
    "/webhooks/{hook}",
    "/webhooks/{hook}/delete",
    "/webhooks/{hook}/deliveries",
    "/webhooks/{hook}/deliveries?result=succeeded&event=job.created",
    "/webhooks/{hook}/deliveries/failed?since=2026-11-01T00:00",
    "/webhooks/deliveries/{delivery}",
    "/webhooks/deliveries/{delivery}?attempt=1&show=request",
)


def test_the_number_of_queries_does_not_grow(
    person: Person, container: Container, subtests: pytest.Subtests
) -> None:
    transport = faking(container, answered(200))
    hook = hook_of(person, container)
    [delivery_id] = happen(container, hook)
    addresses = [path.format(hook=hook, delivery=delivery_id) for path in PAGES]
    person.open(addresses[0])  # the sign-in's own use is noted once
    few = {address: counted(lambda address=address: person.open(address)) for address in addresses}
    happen(container, hook, 58)
    transport.results = [answered(500)]
    happen(container, hook)
    for _ in range(3):
        happen(container, hook_of(person, container), 2)
    assert len(all_deliveries(container)) == 66
    for path, address in zip(PAGES, addresses, strict=True):
        with subtests.test(path=path):
            assert counted(lambda address=address: person.open(address)) == few[address]
            assert few[address] <= 8


def test_the_addresses_of_orders_cost_one_query_however_many(
    person: Person, app: Flask, container: Container
) -> None:
    faking(container)
    path = f"/webhooks/{hook_of(person, container)}/deliveries"
    client = api_of(person, app, container)

    def cost_with(orders: int) -> int:
        for _ in range(orders):
            client.order([PHOTO])
        deliver_all(container)
        links = person.open(path).html.select("#deliveries tbody td[data-label=Order] a")
        assert len(links) == len(all_deliveries(container))
        return counted(lambda: person.open(path))

    assert cost_with(1) == cost_with(4)


def test_a_filter_looks_back_so_far_and_offers_to_go_on(
    person: Person, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_log, "MAX_SCANNED", 3)
    faking(container)
    hook = hook_of(person, container)
    first = person.post(f"/webhooks/{hook}/test").request.path.rpartition("/")[2]
    happen(container, hook, 5)
    page = person.open(f"/webhooks/{hook}/deliveries?event=webhook.test")
    assert "The newest 3 deliveries looked through have none like this." in main(page)
    page = person.open(page.html.select_one("#older")["href"])
    assert [each.a["id"] for each in page.html.select("#deliveries tbody th")] == [first]
    page = person.open(page.html.select_one("#older")["href"])
    assert "Nothing matches" in main(page)
