"""The database: engine, column types, and the one unit of work that commits."""

import enum
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, partial
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    DateTime,
    Dialect,
    Engine,
    Enum,
    MetaData,
    bindparam,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.engine import Connection
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Session
from sqlalchemy.types import TypeDecorator

from app.connections import COMMANDS, ConnectionUse
from app.domain.ports import QueueName

SQLITE_BUSY_SECONDS = 15
CONNECT_SECONDS = 5
"""A PostgreSQL that takes longer to begin a connection is away: anyone who waits is told so, /readyz too."""
UNACKNOWLEDGED_SECONDS = 10
"""After so long without a sign of the other machine a connection to it is given up, by the operating system."""
UNAVAILABLE = (OperationalError, InterfaceError, PoolTimeoutError)
"""What a statement raises while the database is away, too busy or full; asking later may help."""
_NOTIFICATIONS = "notifications"
_CALLS = "calls_after_commit"

Notify = Callable[[QueueName, Sequence[str]], None]
Reader = Connection | Session
"""What a read that gives rows, and no entities, can be asked of."""
Model = TypeVar("Model")


def _values(kind: type[enum.Enum]) -> list[str]:
    return [member.value for member in kind]


class Base(DeclarativeBase):
    """All tables, with names for their constraints that are the same on every database."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        enum.Enum: Enum(enum.Enum, native_enum=False, length=20, values_callable=_values)
    }


class Credits(TypeDecorator[Decimal]):
    """Credits to the hundredth, kept as whole hundredths: SQLite's NUMERIC is a float, this is exact on both."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        """Refuses what is finer than a hundredth instead of rounding money."""
        if value is None:
            return None
        hundredths = Decimal(value) * 100
        if hundredths != hundredths.to_integral_value():
            raise ValueError(f"{value} credits is finer than a hundredth")
        return int(hundredths)

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        """Whole hundredths as exact credits."""
        return None if value is None else Decimal(value) / 100


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment, kept and given back in UTC on every database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuses naive times: they mean nothing."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("naive datetime")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """SQLite forgets the zone; it was UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def as_json(value: Any) -> Any:
    """A pydantic model or a dataclass as JSON values, without what is None in it."""
    return _adapter(type(value)).dump_python(value, mode="json", exclude_none=True)


class ModelJson(TypeDecorator[Model], Generic[Model]):
    """A pydantic model or a dataclass, kept as JSON without what is None in it."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def __init__(self, model: type[Model]) -> None:
        super().__init__()
        self.model = model

    def process_bind_param(self, value: Model | None, dialect: Dialect) -> Any:
        """As as_json() has it."""
        return None if value is None else as_json(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Model | None:
        """Judged by the model again."""
        return None if value is None else _adapter(self.model).validate_python(value)


class Database:
    """One database and its ways in: `read_connection` and `read_session` see, `unit_of_work` changes.

    `notify` is called, queue by queue, for what a unit of work promised with notify_after_commit(); without one
    nobody is notified, and the sweep finds the work. `use` and `pooled` as engine_for() takes them.
    """

    def __init__(
        self, url: str, notify: Notify = lambda *_: None, use: ConnectionUse = COMMANDS, *, pooled: bool = False
    ) -> None:
        self._engine_for = partial(engine_for, url, pooled=pooled)
        self.engine = self._engine_for(use=use)
        self._notify = notify
        self._writing = self.engine.execution_options(writes=True)
        self._pooled = pooled
        self._reading = self._make_reading()
        self._turn = threading.RLock()

    @contextmanager
    def read_connection(self) -> Iterator[Connection]:
        """A bare connection for cheap reads that many requests make; a session costs twice as much. Each read sees
        the database as it is by then.
        """
        if self._reading.pool is not self.engine.pool:
            # That engine was disposed of, which gave it a new pool.
            self._reading = self._make_reading()
        with self._reading.connect() as connection:
            yield connection

    def _make_reading(self) -> Engine:
        # Behind a pooler each transaction begins with its settings.
        return self.engine if self._pooled else _engine_without_begin(self.engine)

    @contextmanager
    def read_session(self) -> Iterator[Session]:
        """A session for looking; what it changes is lost."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def unit_of_work(self) -> Iterator[Session]:
        """A session whose changes commit together at the end, or not at all when anything raises.

        What `notify_after_commit` promised is done once the commit has held.
        """
        with self._in_turn(), Session(self._writing, expire_on_commit=False) as session:
            yield session
            session.commit()
            notifications: dict[QueueName, list[str]] = session.info.pop(_NOTIFICATIONS, {})
        for call in session.info.pop(_CALLS, ()):
            call()
        for queue_name, ids in notifications.items():
            self._notify(queue_name, ids)

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Wait until no other thread of this process writes, where only one can: those who wait for the lock of an
        SQLite file look for it now and then, and let it lie in between.
        """
        one_writer = self.engine.dialect.name == "sqlite"
        taken = one_writer and self._turn.acquire(timeout=SQLITE_BUSY_SECONDS)
        try:
            yield
        finally:
            if taken:
                self._turn.release()

    @contextmanager
    def alone(self, use: ConnectionUse) -> Iterator[Engine]:
        """Connections of their own to the same database, for a use unlike that of the rest of this process."""
        engine = self._engine_for(use=use)
        try:
            yield engine
        finally:
            engine.dispose()

    def forget_connections(self) -> None:
        """In a forked child: leave the parent's connections alone and open own ones."""
        self.engine.dispose(close=False)
        self._turn = threading.RLock()


def notify_after_commit(session: Session, queue_name: QueueName, ids: Sequence[str]) -> None:
    """Wake workers of the queue for these once this unit of work has committed; never when it did not.

    A lost wake-up costs one sweep.
    """
    session.info.setdefault(_NOTIFICATIONS, {}).setdefault(queue_name, []).extend(ids)


def call_after_commit(session: Session, call: Callable[[], None]) -> None:
    """Call this once this unit of work has committed; never when it did not."""
    session.info.setdefault(_CALLS, []).append(call)


def is_one_of(column: InstrumentedAttribute[Any], values: Iterable[enum.Enum]) -> ColumnElement[bool]:
    """That the column is one of these, which are written out in the statement.

    An index of such rows alone is found only by them: a value that is told apart may be any when it is planned.
    """
    told = sorted(values, key=lambda each: str(each.value))
    return column.in_(bindparam(None, told, expanding=True, literal_execute=True))


def engine_for(url: str, use: ConnectionUse = COMMANDS, *, pooled: bool = False) -> Engine:
    """The engine of the database at this address, with its connections prepared as they open.

    `use` counts on PostgreSQL alone. `pooled`: between us and it stands a pooler that gives each transaction some
    connection, as PgBouncer does. What it is given stays out of the messages of its errors, which end in logs: it
    may be a secret.
    """
    if url.startswith("sqlite"):
        engine = create_engine(
            url, connect_args={"timeout": SQLITE_BUSY_SECONDS}, pool_size=20, hide_parameters=True
        )
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    pool = {"pool_pre_ping": True, "pool_size": use.kept, "max_overflow": use.more}
    engine = create_engine(url, connect_args=_postgresql(url, use, pooled), hide_parameters=True, **pool)
    if pooled:
        event.listen(engine, "begin", partial(_begin_pooled, settings=use.session_settings))
    return engine


def _engine_without_begin(engine: Engine) -> Engine:
    """An engine over the same pool for single reads, to which BEGIN and ROLLBACK would add as much again.

    It has no listener that begins. `execution_options()` of the first engine would keep that, and join the events
    of both anew for every connection, which costs as much as the read.
    """
    options = {} if engine.dialect.name == "sqlite" else {"isolation_level": "AUTOCOMMIT"}
    return Engine(engine.pool, engine.dialect, engine.url, execution_options=options, hide_parameters=True)


def _postgresql(url: str, use: ConnectionUse, pooled: bool) -> dict[str, Any]:
    """How to connect."""
    limits = {"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": UNACKNOWLEDGED_SECONDS * 1000}
    if pooled:
        # A statement prepared on one connection is not there on the next.
        return {**limits, "prepare_threshold": None}
    ours = " ".join(f"-c {name}={value}" for name, value in use.session_settings.items())
    return {**limits, "options": f"{ours} {make_url(url).query.get('options', '')}".strip()}


def _begin_pooled(connection: Connection, settings: dict[str, str]) -> None:
    # For this transaction alone: what is set for a session would stay with a connection that others get next.
    told = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in settings.items())
    connection.exec_driver_sql(f"SELECT {told}")


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # BEGIN is ours, see _begin_sqlite
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    # A deferred transaction that turns into a writer late fails at once with "database is locked";
    # taking the write lock at the start waits its turn instead.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")
