"""A wake-up with the id of a round has the result made again, in the queue of the photos of its cost."""

import pytest

from app.container import Container
from app.domain.revisions import RevisionOutcome
from app.tasks import limits, photos, runtime
from tests.conftest import Api
from tests.sent_back import ordered, round_of, send_back


def test_the_round_that_a_wake_up_names_is_made(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = send_back(container, ordered(api, container))
    monkeypatch.setattr(limits, "apply", lambda: None)
    runtime.use(container)
    photos.process_photo(sent.made_id or "")
    assert round_of(container, sent).outcome is RevisionOutcome.REVISED
    made = len(container.engine.requests)
    photos.process_photo(sent.made_id or "")
    assert len(container.engine.requests) == made
