"""Packs of an order in Los Angeles: asked for, opened, looked at."""

import io
import zipfile

from app.container import Container
from app.domain.disclosure.rule_files import all_rules
from app.models import MlsPack
from app.services.photos import packs
from app.services.photos.pack_plans import PackChoice
from tests.conftest import PHOTO, Api, work

LOS_ANGELES = {
    "address": "12 Garden Lane, Los Angeles, CA 90001",
    "listing": {"mls": "crmls", "acceptsBarred": True},
}


CRMLS = PackChoice(all_rules()["crmls"], labeled=False, base_url="http://localhost")


LAWN = {"exteriorEnhancements": ["grass_enhancement", "sky_enhancement"]}


def ordered(api: Api, container: Container, **order) -> str:
    """An order in Los Angeles with an outside of a new sky and a staged room, done."""
    fields = {**LOS_ANGELES, "interiorEnhancements": ["virtual_staging"], **order}
    made: str = api.order(interior=[PHOTO + b"room"], exterior=[PHOTO + b"front"], **fields)["jobId"]
    work(container)
    return made


def asked(api: Api, container: Container, job_id: str, mls: str = "crmls", *, labeled: bool = False) -> str:
    with container.database.unit_of_work() as session:
        choice = PackChoice(all_rules()[mls], labeled, container.settings.base_url)
        return packs.request(session, api.account_id, job_id, choice, container.clock()).id


def row(container: Container, pack_id: str) -> MlsPack | None:
    with container.database.read_session() as session:
        return session.get(MlsPack, pack_id)


def opened(container: Container, pack_id: str) -> zipfile.ZipFile:
    with container.storage.open(row(container, pack_id).storage_key) as file:
        archive = zipfile.ZipFile(io.BytesIO(file.read()))
    assert archive.testzip() is None
    return archive


def files(container: Container, job_id: str) -> list[str]:
    return sorted(each.key for each in container.storage.list_files(packs.prefix_of(job_id)))


def warned(container: Container, pack_id: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.code.value, each.photos) for each in row(container, pack_id).warnings.warnings]
