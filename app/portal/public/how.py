"""How it works: a photo's way through the service, its enhancements, and how every result is checked."""

from flask import render_template
from flask.typing import ResponseReturnValue

from app.domain import limits
from app.domain.catalog import ENTRIES
from app.domain.disclosure.rule_files import DEFAULT_RULE, all_rules
from app.domain.order_files import MAX_PHOTOS
from app.domain.roles import WORDS
from app.domain.team import MAX_MEMBERS
from app.portal.figures import describe_figures
from app.portal.page_blueprint import PageBlueprint
from app.portal.public import examples
from app.settings import QcMode
from app.web.context import container
from engine.types.enhancements import PhotoType, in_pipeline_order
from engine.types.media import FORMATS

blueprint = PageBlueprint("how", __name__)


@blueprint.get("/how-it-works")
def show() -> ResponseReturnValue:
    """Everything from the upload to the download."""
    here = container()
    example = examples.EXAMPLES[0]
    return render_template(
        "portal/public/how.html",
        settings=here.settings,
        mode=here.settings.qc_mode,
        modes=QcMode,
        generative=here.generative is not None,
        groups=list(PhotoType),
        steps=[ENTRIES[each] for each in in_pipeline_order(ENTRIES)],
        example=example,
        figures=describe_figures(examples.read_reports()[example.name].figures),
        formats=FORMATS,
        disclosures=list(all_rules()[DEFAULT_RULE].label.words.values()),
        roles=WORDS.values(),
        max_members=MAX_MEMBERS,
        max_photos=MAX_PHOTOS,
        max_megabytes=limits.MAX_FILE_MEGABYTES,
    )
