"""What very many tests begin with, done once: later tests write down again what it wrote, at a tenth of the cost.

An act is done anew wherever it might go otherwise: only steps that were replayed themselves may have written to the
database before it, at the same time of the clock, and the container must have nothing but the usual stand-ins.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from threading import get_ident
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, event

from app.adapters.storage_local import LocalStorage
from app.container import Container
from tests import apps
from tests.fakes import FakeEngine, FakeListingPictureMaker, FakePreviewMaker, FakeQueue

WRITES = ("INSERT", "UPDATE", "DELETE")
UNUSUAL = ("credentials", "imagery", "generative", "call_limits")
"""Parts that have a say in what becomes of an order; a test that gives one has an order of its own."""
REMEMBERED = ("estimated", "requests", "contexts")
"""What the engine keeps of what it was asked for."""
Given = TypeVar("Given")
Files = dict[Path, bytes]


@dataclass
class Done:
    """What an act did and gave."""

    given: Any = None
    statements: list[tuple[str, Any]] = field(default_factory=list)
    sound: bool = True
    files: Files = field(default_factory=dict)
    woken: dict[Any, list[str]] = field(default_factory=dict)
    asked: dict[str, list[Any]] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    """Connections that wrote and have not committed."""


@dataclass
class _Now:
    """How the database of this test came about."""

    path: int | None = None
    """The steps that made all that is in it; None: something else wrote."""
    container: Container | None = None
    """The one whose steps these are."""
    acting: int = 0
    """The thread that does or replays a step."""
    noted: Done | None = None
    """What is being learnt of an act; None where it is only replayed."""


_now = _Now()
_known: dict[int, Done] = {}


def begin() -> None:
    """The database is empty from now on."""
    _now.path, _now.container = hash("empty"), None


def allow(container: Container, may: bool) -> None:
    """Whether steps of this container may be replayed: not where a test patches what they come by."""
    _now.container = container
    if not may:
        _now.path = None


@contextmanager
def watched() -> Iterator[None]:
    """Watch all that this process writes to its databases."""
    listeners: dict[str, Callable[..., None]] = {
        "before_cursor_execute": _note,
        "commit": _keep,
        "rollback": _undo,
        "rollback_savepoint": _undo,
    }
    for name, listener in listeners.items():
        event.listen(Engine, name, listener)
    yield
    for name, listener in listeners.items():
        event.remove(Engine, name, listener)


def replayed(container: Container, name: tuple[Any, ...], act: Callable[[], Given], alone: bool = False) -> Given:
    """What the act gave when it was done for the first time, with all that it wrote in its place again.

    `alone`: it writes the same whatever else there is, so it may be replayed after anything.
    """
    if _now.noted is not None or not (alone or _may(container)):
        return act()
    step = hash((name, container.clock(), apps.kind_of(container)))
    key = step if alone else hash((_now.path, step))
    before = _now.path
    if key not in _known:
        known = _learnt(container, act)
        if known.sound:
            _known[key] = known
    else:
        known = _known[key]
        _write(container, known)
    _now.path = hash((before, step)) if before is not None and known.sound else None
    return deepcopy(known.given)


def _may(container: Container) -> bool:
    """Whether it goes as it would anywhere else."""
    parts = vars(container)
    engine, previews = parts.get("engine"), parts.get("previews")
    return (
        _now.path is not None
        and _now.container is container
        and type(parts.get("queue")) is FakeQueue
        and not container.queue.away
        and type(container.storage) is LocalStorage
        and type(engine) is FakeEngine
        and (engine.before, engine.before_estimate) == (FakeEngine.before, FakeEngine.before_estimate)
        and not engine.tells_steps
        and type(previews) is FakePreviewMaker
        and (previews.before, previews.facts) == (FakePreviewMaker.before, FakePreviewMaker.facts)
        and type(parts.get("listing_pictures")) is FakeListingPictureMaker
        and all(parts.get(each) is None for each in UNUSUAL)
    )


def _learnt(container: Container, act: Callable[[], Given]) -> Done:
    done = Done()
    queues, engine = getattr(container.queue, "queues", {}), vars(container).get("engine")
    files = _files(container)
    woken = {name: len(ids) for name, ids in queues.items()}
    asked = {name: len(getattr(engine, name, ())) for name in REMEMBERED}
    _now.noted, _now.acting = done, get_ident()
    try:
        done.given = act()
    finally:
        _now.noted = None
    after = _files(container)
    done.sound &= all(after.get(path) == content for path, content in files.items())
    done.files = {path: content for path, content in after.items() if path not in files}
    done.woken = {name: ids[woken[name] :] for name, ids in queues.items() if len(ids) > woken[name]}
    done.asked = {name: getattr(engine, name)[count:] for name, count in asked.items() if hasattr(engine, name)}
    return done


def _write(container: Container, known: Done) -> None:
    _now.acting, path = get_ident(), _now.path
    with container.database.unit_of_work() as session:
        connection = session.connection()
        for statement, values in known.statements:
            connection.exec_driver_sql(statement, values).close()
    _now.path = path
    for place, content in known.files.items():
        (container.settings.data_dir / place).parent.mkdir(parents=True, exist_ok=True)
        (container.settings.data_dir / place).write_bytes(content)
    for name, ids in known.woken.items():
        container.queue.queues[name].extend(ids)
    for name, what in known.asked.items():
        if what:
            getattr(container.engine, name).extend(what)


def _files(container: Container) -> Files:
    """All that lies in the container's folder but a database."""
    folder = container.settings.data_dir
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _note(connection: Connection, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
    if not statement.startswith(WRITES):
        return
    _now.path = None
    if _now.noted is None:
        return
    _now.noted.open.add(id(connection))
    if get_ident() == _now.acting:
        _now.noted.statements.append((statement, values))
    else:
        _now.noted.sound = False


def _keep(connection: Connection) -> None:
    if _now.noted is not None:
        _now.noted.open.discard(id(connection))


def _undo(connection: Connection, *_: Any) -> None:
    # What was written is not there: it must not be written the next time.
    if _now.noted is not None and id(connection) in _now.noted.open:
        _now.noted.sound = False
