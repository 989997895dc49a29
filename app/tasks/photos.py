"""RQ's entry point for one photo: the id comes in, nothing goes out."""

from app.services.processing import Workshop
from app.settings import QcMode
from app.tasks import limits
from app.tasks.runtime import container
from app.tasks.watch import watch


def process_photo(photo_id: str) -> None:
    """Work on the photo in this child process, under its limits."""
    limits.apply()
    here = container()
    here.database.forget_connections()
    automatic, calls = here.settings.qc_mode is QcMode.AUTO, here.settings.generative_calls_per_job
    Workshop(here.database, here.storage, here.engine, here.clock, automatic, watch, calls, here.imagery).process(
        photo_id
    )
