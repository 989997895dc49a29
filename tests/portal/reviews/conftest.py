"""Orders that wait for a review, and who looks at them."""

import pytest

from app.container import Container
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo
from tests.portal.conftest import NewPerson
from tests.portal.person import Person


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """Two results to decide on, and a photo that gave none."""
    both = ["hdr_enhancement", "flambient_enhancement"]
    order = api.order(interior=[PHOTO, photo("HALF"), photo("BROKEN")], interiorEnhancements=both)
    work(container, automatic=False)
    return order["jobId"]


@pytest.fixture
def sam(new_person: NewPerson) -> Person:
    """Another reviewer."""
    return new_person("sam@example.com", "0", staff=True)
