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
    String,
    bindparam,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.engine import Connection
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Session
from sqlalchemy.types import TypeDecorator, TypeEngine

from app.connections import COMMANDS, ConnectionUse
from app.domain.ports import QueueName

SQLITE_BUSY_SECONDS = 15
"""How long a transaction waits for SQLite's write lock."""
CONNECT_SECONDS = 5
"""How long opening a connection to PostgreSQL may take before the database counts as unreachable, for requests and
for /readyz alike.
"""
UNACKNOWLEDGED_SECONDS = 10
"""How long data sent to PostgreSQL may stay unacknowledged before the operating system closes the connection."""
UNAVAILABLE = (OperationalError, InterfaceError, PoolTimeoutError)
"""Exceptions that say that the database is unreachable, too busy or full, so that a later try may succeed."""
_NOTIFICATIONS = "notifications"
_CALLS_BEFORE = "calls_before_commit"
_CALLS = "calls_after_commit"

Notify = Callable[[QueueName, Sequence[str]], None]
Reader = Connection | Session
"""Functions that read plain rows, not entities, accept either of these."""
Model = TypeVar("Model")


def _values_of(kind: type[enum.Enum]) -> list[str]:
    return [member.value for member in kind]


class Base(DeclarativeBase):
    """The base class of all models; gives constraints the same names on every database."""

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
        enum.Enum: Enum(enum.Enum, native_enum=False, length=20, values_callable=_values_of)
    }


class Credits(TypeDecorator[Decimal]):
    """Credits to the hundredth, stored as whole hundredths: exact on SQLite too, whose NUMERIC is a float."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        """Credits as whole hundredths. Raises ValueError instead of rounding an amount finer than a hundredth."""
        if value is None:
            return None
        hundredths = Decimal(value) * 100
        if hundredths != hundredths.to_integral_value():
            raise ValueError(f"{value} credits is finer than a hundredth")
        return int(hundredths)

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        """Stored hundredths as credits."""
        return None if value is None else Decimal(value) / 100


class Bytewise(TypeDecorator[str]):
    """Text that is compared and sorted by its bytes on every database, so that an index finds beginnings."""

    impl = String
    cache_ok = True

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.length = length

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """The text type of the database; SQLite compares by bytes by default."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(String(self.length, collation))


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored and read in UTC on every database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment in UTC. Raises ValueError for a datetime without a time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("naive datetime")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment in UTC; SQLite stores no time zone, so a naive value is UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def as_json(value: Any) -> Any:
    """A pydantic model or a dataclass as JSON values, without the fields that are None."""
    return _adapter(type(value)).dump_python(value, mode="json", exclude_none=True)


class ModelJson(TypeDecorator[Model], Generic[Model]):
    """A pydantic model or a dataclass, stored as JSON without the fields that are None."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def __init__(self, model: type[Model]) -> None:
        super().__init__()
        self.model = model

    def process_bind_param(self, value: Model | None, dialect: Dialect) -> Any:
        """The value as as_json() returns it."""
        return None if value is None else as_json(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Model | None:
        """The value as an instance of the model, which validates it again."""
        return None if value is None else _adapter(self.model).validate_python(value)


class Database:
    """One database. `read_connection` and `read_session` are for reading, `unit_of_work` is for changes.

    `notify` is called after a commit, once for each queue that was passed to notify_after_commit(); without it
    nobody is notified, and the sweep finds the work. `use` and `pooled`: see engine_for().
    """

    def __init__(
        self, url: str, notify: Notify = lambda *_: None, use: ConnectionUse = COMMANDS, *, pooled: bool = False
    ) -> None:
        self._engine_for = partial(engine_for, url, pooled=pooled)
        self.engine = self._engine_for(use=use)
        self._notify = notify
        self._write_engine = self.engine.execution_options(writes=True)
        self._pooled = pooled
        self._read_engine = self._make_read_engine()
        self._write_lock = threading.RLock()

    @contextmanager
    def read_connection(self) -> Iterator[Connection]:
        """A plain connection for cheap reads that many requests make; a session takes twice as long. It has no
        transaction: every statement sees everything that was committed before it.
        """
        if self._read_engine.pool is not self.engine.pool:
            # Engine.dispose() was called, which gave `engine` a new pool.
            self._read_engine = self._make_read_engine()
        with self._read_engine.connect() as connection:
            yield connection

    def _make_read_engine(self) -> Engine:
        # Behind a pooler every read needs a transaction: its settings are set when a transaction begins.
        return self.engine if self._pooled else _engine_without_begin(self.engine)

    @contextmanager
    def read_session(self) -> Iterator[Session]:
        """A session for reading; changes made in it are not committed."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def unit_of_work(self) -> Iterator[Session]:
        """A session whose changes are committed together at the end, or rolled back when anything raises.

        Right before the commit it makes the calls passed to call_before_commit(); after a successful commit those
        passed to call_after_commit(), then it sends the notifications passed to notify_after_commit().
        """
        with self._hold_write_lock(), Session(self._write_engine, expire_on_commit=False) as session:
            yield session
            for call in session.info.pop(_CALLS_BEFORE, ()):
                call()
            session.commit()
            notifications: dict[QueueName, list[str]] = session.info.pop(_NOTIFICATIONS, {})
        for call in session.info.pop(_CALLS, ()):
            call()
        for queue_name, ids in notifications.items():
            self._notify(queue_name, ids)

    @contextmanager
    def _hold_write_lock(self) -> Iterator[None]:
        """On SQLite, which has one writer at a time: wait until no other thread of this process writes.

        SQLite's own wait polls the lock of the file at intervals and wastes the time between.
        """
        one_writer = self.engine.dialect.name == "sqlite"
        acquired = one_writer and self._write_lock.acquire(timeout=SQLITE_BUSY_SECONDS)
        try:
            yield
        finally:
            if acquired:
                self._write_lock.release()

    @contextmanager
    def separate_engine(self, use: ConnectionUse) -> Iterator[Engine]:
        """A separate engine for the same database, with other limits than the rest of this process."""
        engine = self._engine_for(use=use)
        try:
            yield engine
        finally:
            engine.dispose()

    def forget_connections(self) -> None:
        """In a forked child process: stop using the parent's connections, and open new ones."""
        self.engine.dispose(close=False)
        self._write_lock = threading.RLock()


def notify_after_commit(session: Session, queue_name: QueueName, ids: Sequence[str]) -> None:
    """Notify workers of the queue of these ids once this unit of work is committed; not at all if it is not.

    When a notification is lost, the work waits until the next sweep finds it.
    """
    session.info.setdefault(_NOTIFICATIONS, {}).setdefault(queue_name, []).extend(ids)


def call_before_commit(session: Session, call: Callable[[], None]) -> None:
    """Call `call` at the end of this unit of work, right before it is committed; not at all if it is not."""
    session.info.setdefault(_CALLS_BEFORE, []).append(call)


def call_after_commit(session: Session, call: Callable[[], None]) -> None:
    """Call `call` once this unit of work is committed; not at all if it is not."""
    session.info.setdefault(_CALLS, []).append(call)


def is_one_of(column: InstrumentedAttribute[Any], values: Iterable[enum.Enum]) -> ColumnElement[bool]:
    """The condition that the column has one of these values, which are written out in the SQL text.

    The planner uses a partial index of these values only where it sees them in the text: a bound parameter might
    have any value when the statement is planned.
    """
    in_order = sorted(values, key=lambda each: str(each.value))
    return column.in_(bindparam(None, in_order, expanding=True, literal_execute=True))


def engine_for(url: str, use: ConnectionUse = COMMANDS, *, pooled: bool = False) -> Engine:
    """The engine for the database at this address, which prepares its connections.

    `use` matters on PostgreSQL only. `pooled`: the address is that of a pooler such as PgBouncer, which gives each
    transaction any of its connections. Statement parameters stay out of error messages, because those go to logs
    and parameters may be secret.
    """
    if url.startswith("sqlite"):
        engine = create_engine(
            url, connect_args={"timeout": SQLITE_BUSY_SECONDS}, pool_size=20, hide_parameters=True
        )
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    pool = {"pool_pre_ping": True, "pool_size": use.pool_size, "max_overflow": use.max_overflow}
    engine = create_engine(url, connect_args=_postgresql(url, use, pooled), hide_parameters=True, **pool)
    if pooled:
        event.listen(engine, "begin", partial(_begin_pooled, settings=use.session_settings))
    return engine


def _engine_without_begin(engine: Engine) -> Engine:
    """An engine on the same pool for single reads without BEGIN and ROLLBACK, which would double their time.

    It has no listener that sends BEGIN. A copy by `engine.execution_options()` would have it, and would combine the
    listeners of both engines for every connection, which takes as long as the read.
    """
    options = {} if engine.dialect.name == "sqlite" else {"isolation_level": "AUTOCOMMIT"}
    return Engine(engine.pool, engine.dialect, engine.url, execution_options=options, hide_parameters=True)


def _postgresql(url: str, use: ConnectionUse, pooled: bool) -> dict[str, Any]:
    """The arguments of psycopg.connect()."""
    limits = {"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": UNACKNOWLEDGED_SECONDS * 1000}
    if pooled:
        # No prepared statements: the next transaction may get a connection that does not have them.
        return {**limits, "prepare_threshold": None}
    ours = " ".join(f"-c {name}={value}" for name, value in use.session_settings.items())
    return {**limits, "options": f"{ours} {make_url(url).query.get('options', '')}".strip()}


def _begin_pooled(connection: Connection, settings: dict[str, str]) -> None:
    # `true`: for this transaction only. Settings of the session would stay on a connection that others get next.
    calls = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in settings.items())
    connection.exec_driver_sql(f"SELECT {calls}")


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver sends no BEGIN: _begin_sqlite does
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    # A deferred transaction that first reads and then writes can fail at once with "database is locked";
    # one that takes the write lock at its start waits for it instead.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")
