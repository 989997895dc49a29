"""The operator's commands for the store: set up the rules of a bucket, and check that it does what is needed."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from app.cli.database import container
from app.cli.groups import CommandGroup
from app.domain.errors import Conflict, InvalidRequest
from app.domain.ports import StorageUnavailableError
from app.domain.retention import INCOMING_KEPT, PARTIAL_FILES_KEPT
from app.domain.upload_origins import read_origins

if TYPE_CHECKING:
    from app.adapters.s3_setup import BucketRules

MANUAL_SETUP = (
    "set it where the server itself is configured (docs/storage.md says how), then run `flask storage check`"
)


storage_group = CommandGroup("storage", help="The store of photos and results.")


def _read_origins(_context: Any, _option: Any, typed: tuple[str, ...]) -> list[str]:
    """The option's origins. Raises click.BadParameter."""
    try:
        return read_origins(" ".join(typed))
    except InvalidRequest as refused:
        raise click.BadParameter(str((refused.details or {})["origins"])) from None


@storage_group.command("setup")
@click.option("--upload-origin", "origins", multiple=True, callback=_read_origins, help="Pages that may PUT.")
def set_up(origins: list[str]) -> None:
    """Write the bucket's rules: which pages may access it, and what it removes by itself; harmless to repeat."""
    rules, _ = _bucket()
    origin = import_module("app.adapters.s3_checks").origin_of(container().settings.base_url)
    done = [
        _try(f"CORS: pages of {origin} may PUT, GET and HEAD", lambda: rules.allow_origin(origin)),
        _try("lifecycle: what was left unfinished is cleared away", rules.write_lifecycle),
    ]
    if origins:
        pages = ", ".join(origins)
        done.append(_try(f"CORS: pages of {pages} may PUT", lambda: rules.allow_uploads(origins)))
    sys.exit(0 if all(done) else 1)


@storage_group.command("check")
@click.option("--direct", is_flag=True, help="Try what direct traffic needs, even where STORAGE_DIRECT is off.")
def check(direct: bool) -> None:
    """Try everything that the service does with the store, and print a line for each; exit 1 if anything fails."""
    here = container()
    if here.settings.storage_bucket is None:
        sys.exit(0 if _try("write, read and delete files in the folder", here.storage.ping) else 1)
    rules, storage = _bucket()
    checks = import_module("app.adapters.s3_checks")
    origin, direct = checks.origin_of(here.settings.base_url), direct or here.settings.storage_direct
    fine = True
    for finding in checks.BucketChecks(storage, rules, origin).run(direct=direct):
        _print(finding.tried, finding.problem)
        fine = fine and finding.problem is None
    if not direct:
        click.echo("      direct traffic is off (STORAGE_DIRECT): what it needs is tried with --direct")
    sys.exit(0 if fine else 1)


def _bucket() -> "tuple[BucketRules, Any]":
    """The bucket's rules, and its storage with direct URLs. Raises Conflict where the store is a folder."""
    here = container()
    if here.settings.storage_bucket is None:
        raise Conflict("STORAGE_URL names a folder: there is nothing to set up.")
    # Imported only here, as in the container: most installations use a folder.
    s3, setup = import_module("app.adapters.storage_s3"), import_module("app.adapters.s3_setup")
    bucket, prefix = here.settings.storage_bucket
    access = s3.Access(bucket, **here.settings.bucket_access)
    rules = setup.BucketRules(access, prefix, INCOMING_KEPT, PARTIAL_FILES_KEPT)
    return rules, s3.S3Storage(access, prefix, here.urls, direct=True)


def _try(what: str, act: Any) -> bool:
    """Call `act` and print `what`, with the problem if there is one. Returns whether it succeeded."""
    setup = import_module("app.adapters.s3_setup")
    problem = None
    try:
        act()
    except setup.UnknownToServerError as error:
        problem = f"this server does not know it ({error}): {MANUAL_SETUP}"
    except StorageUnavailableError as error:
        problem = str(error)
    _print(what, problem)
    return problem is None


def _print(what: str, problem: str | None) -> None:
    click.echo(f"fails {what}: {problem}" if problem else f"ok    {what}")
