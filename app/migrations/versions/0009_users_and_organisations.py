"""People who sign in become users of their own; an account is the organisation that they are members of.

This step only adds: the release before serves on, and keeps what it knows of people in `account`. Triggers keep
those columns and `users` alike, whichever release writes (see _triggers()). Every account becomes an organisation
of one, whose only member has the account's id, so that what refers to people refers to the right ones.

The next step drops the columns of people from `account`, with their indexes, and the triggers.
"""

import time

import sqlalchemy as sa
from alembic import op
from sqlalchemy.exc import OperationalError

revision = "0009_users"
down_revision = "0008_take"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_ALIKE = ("email", "name", "password_hash", "is_staff", "confirmed_at", "mails_off")
_RENAMED = tuple((f"totp_{each}", f"one_time_{each}") for each in ("secret", "since", "last_step"))
_COPIED = dict((*zip(_ALIKE, _ALIKE, strict=True), *_RENAMED))
"""The columns of `users` that `account` has, too, by their names there."""
_FROM_ACCOUNT = ", ".join(("id", "created_at", "deleted_at", *_COPIED.values()))
_INTO_USERS = f"INSERT INTO users ({', '.join(('id', 'created_at', 'deleted_at', *_COPIED))})"
_INTO_MEMBERSHIP = "INSERT INTO membership (user_id, organisation_id, created_at)"
_FROM_NEW_RELEASE = "NEW.email = NEW.id || '@organisation.invalid'"
"""An organisation that the new release inserted, which knows nothing of the columns kept for the one before."""
_PEOPLE = {
    "sign_in": "account_id",
    "mailed_link": "account_id",
    "recovery_code": "account_id",
    "known_browser": "account_id",
    "mail": "account_id",
    "staff_act": "staff_id",
}
"""The tables that refer to people, and by which column. The release before writes it: it keeps its name."""
_BYTEWISE = ("email", "name")
"""Looked for by what they begin with: in the order of bytes, which SQLite keeps anyway."""
_LOCK_SECONDS, _LOCK_TRIES = 0.5, 240
"""Requests of the release before wait so long for tables that this step waits for, and no longer; then it lets them
pass and tries again.
"""


def upgrade() -> None:
    """Apply."""
    _make_tables()
    _copy()
    _make_indexes()
    if _is_postgresql():
        # Until here nothing stood in anybody's way. What follows takes a moment, and nobody else writes meanwhile.
        _lock_tables()
        _catch_up()
    for name, (moment, statements) in _triggers().items():
        _make_trigger(name, moment, statements)
    _refer_to("users", "account")


def _make_tables() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("is_staff", sa.Boolean(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("confirmed_at", _MOMENT, nullable=True),
        sa.Column("deleted_at", _MOMENT, nullable=True),
        sa.Column("totp_secret", sa.Text(), nullable=True),
        sa.Column("totp_since", _MOMENT, nullable=True),
        sa.Column("totp_last_step", sa.BigInteger(), nullable=True),
        sa.Column("mails_off", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("email", name="uq_users_email"),
    )
    # On PostgreSQL the foreign keys come last: they would lock the accounts while the members are copied.
    keys = [] if _is_postgresql() else [sa.ForeignKeyConstraint(*each[1:], name=each[0]) for each in _MEMBER_KEYS]
    op.create_table(
        "membership",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("organisation_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        *keys,
        sa.PrimaryKeyConstraint("user_id", "organisation_id", name="pk_membership"),
    )


_MEMBER_KEYS = (
    ("fk_membership_user_id_users", ["user_id"], ["users.id"]),
    ("fk_membership_organisation_id_account", ["organisation_id"], ["account.id"]),
)


def _copy(*conditions: str) -> None:
    """Make the accounts, those that fit, users with an organisation of their own."""
    which = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    op.execute(_sql(_INTO_USERS, "SELECT", _FROM_ACCOUNT, "FROM account", which))
    op.execute(_sql(_INTO_MEMBERSHIP, "SELECT id, id, created_at FROM account", which))


def _make_indexes() -> None:
    op.create_index("ix_membership_organisation", "membership", ["organisation_id", "created_at", "user_id"])
    op.create_index("ix_users_staff", "users", ["is_staff", "created_at", "id"])
    collation = ' COLLATE "C"' if _is_postgresql() else ""
    for column in _BYTEWISE:
        op.create_index(f"ix_users_{column}", "users", [sa.text(column + collation), "id"])


def _lock_tables() -> None:
    connection = op.get_bind()
    for tried in range(1, _LOCK_TRIES + 1):
        try:
            with connection.begin_nested():
                connection.execute(sa.text(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'"))
                connection.execute(sa.text(f"LOCK TABLE account, {', '.join(_PEOPLE)} IN ACCESS EXCLUSIVE MODE"))
        except OperationalError:
            if tried == _LOCK_TRIES:
                raise
            time.sleep(_LOCK_SECONDS)
        else:
            connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
            return


def _catch_up() -> None:
    """Take over what was written while the accounts were copied."""
    for table, column in (("membership", "organisation_id"), ("users", "id")):
        gone = _sql("NOT EXISTS (SELECT 1 FROM account WHERE account.id =", f"{table}.{column})")
        op.execute(_sql("DELETE FROM", table, "WHERE", gone))
    columns = {"deleted_at": "deleted_at"} | _COPIED
    changes = ", ".join(f"{mine} = account.{theirs}" for mine, theirs in columns.items())
    differ = _differ([f"users.{each}" for each in columns], [f"account.{each}" for each in columns.values()])
    op.execute(_sql("UPDATE users SET", changes, "FROM account WHERE account.id = users.id AND", differ))
    new = "NOT EXISTS (SELECT 1 FROM membership WHERE organisation_id = account.id)"
    _copy(new)


def _triggers() -> dict[str, tuple[str, list[str]]]:
    """What either release writes of a person reaches the other: by name, when, and what is done then.

    No trigger writes what is there already, so none sets off another without end.
    """
    new_in_account = [f"NEW.{each}" for each in _COPIED.values()]
    new_in_users = [f"NEW.{each}" for each in _COPIED]
    from_account = ", ".join(f"{mine} = NEW.{theirs}" for mine, theirs in _COPIED.items())
    from_users = ", ".join(f"{theirs} = NEW.{mine}" for mine, theirs in _COPIED.items())
    in_account, in_users = ", ".join(_COPIED.values()), ", ".join(_COPIED)
    founder = "(SELECT 1 FROM membership WHERE user_id = NEW.id AND organisation_id = NEW.id)"
    return {
        "account_opened_by_release_before": (
            f"AFTER INSERT ON account FOR EACH ROW WHEN (NOT ({_FROM_NEW_RELEASE}))",
            [
                _sql(
                    _INTO_USERS, "VALUES (NEW.id, NEW.created_at, NEW.deleted_at,", ", ".join(new_in_account), ")"
                ),
                _sql(_INTO_MEMBERSHIP, "VALUES (NEW.id, NEW.id, NEW.created_at)"),
            ],
        ),
        "account_opened": (
            f"AFTER INSERT ON account FOR EACH ROW WHEN ({_FROM_NEW_RELEASE})",
            [
                _sql(
                    "UPDATE account SET (",
                    in_account,
                    ") = (SELECT",
                    in_users,
                    "FROM users WHERE id = NEW.id) WHERE id = NEW.id",
                    "AND EXISTS (SELECT 1 FROM users WHERE id = NEW.id)",
                )
            ],
        ),
        "account_changed": (
            f"AFTER UPDATE OF {in_account}, deleted_at ON account FOR EACH ROW",
            [
                _sql(
                    "UPDATE users SET",
                    from_account,
                    "WHERE id = NEW.id AND",
                    _differ(list(_COPIED), new_in_account),
                ),
                # Where an account is deleted, so is its founder; the other way round others may be left.
                _sql(
                    "UPDATE users SET deleted_at = NEW.deleted_at WHERE id = NEW.id AND deleted_at IS NULL",
                    "AND NEW.deleted_at IS NOT NULL AND EXISTS",
                    founder,
                ),
            ],
        ),
        "users_changed": (
            f"AFTER UPDATE OF {in_users} ON users FOR EACH ROW",
            [
                _sql(
                    "UPDATE account SET",
                    from_users,
                    "WHERE id = NEW.id AND",
                    _differ(list(_COPIED.values()), new_in_users),
                )
            ],
        ),
        "account_removed": (
            "BEFORE DELETE ON account FOR EACH ROW",
            ["DELETE FROM membership WHERE organisation_id = OLD.id"],
        ),
        "account_gone": (
            "AFTER DELETE ON account FOR EACH ROW",
            [
                "DELETE FROM users WHERE id = OLD.id "
                "AND NOT EXISTS (SELECT 1 FROM membership WHERE user_id = OLD.id)"
            ],
        ),
    }


def _sql(*parts: str) -> str:
    return " ".join(parts)


def _make_trigger(name: str, moment: str, statements: list[str]) -> None:
    work = " ".join(f"{each};" for each in statements)
    if not _is_postgresql():
        op.execute(f"CREATE TRIGGER {name} {moment} BEGIN {work} END")
        return
    row = "OLD" if "DELETE" in moment else "NEW"
    op.execute(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {work} RETURN {row}; END $$")
    op.execute(f"CREATE TRIGGER {name} {moment} EXECUTE FUNCTION {name}()")


def _refer_to(table: str, before: str) -> None:
    """Let what belongs to people refer to this table in place of the one before."""
    for each, column in _PEOPLE.items():
        with op.batch_alter_table(each) as batch:
            batch.drop_constraint(f"fk_{each}_{column}_{before}", type_="foreignkey")
            batch.create_foreign_key(f"fk_{each}_{column}_{table}", table, [column], ["id"])
    if _is_postgresql():
        if table == "users":
            for name, columns, (target,) in _MEMBER_KEYS:
                op.create_foreign_key(name, "membership", target.partition(".")[0], columns, ["id"])
        return
    # SQLite made the table anew, without its triggers.
    for verb in ("update", "delete"):
        op.execute(
            f"CREATE TRIGGER staff_act_no_{verb} BEFORE {verb} ON staff_act "
            "BEGIN SELECT RAISE(ABORT, 'the log of staff acts is append-only'); END"
        )


def _differ(mine: list[str], theirs: list[str]) -> str:
    """Whether any of the columns differ, as both databases say it."""
    told = [", ".join(map(_comparable, columns)) for columns in (mine, theirs)]
    return f"({told[0]}) {'IS DISTINCT FROM' if _is_postgresql() else 'IS NOT'} ({told[1]})"


def _comparable(column: str) -> str:
    # PostgreSQL compares no JSON.
    return f"CAST({column} AS text)" if column.endswith("mails_off") else column


def _is_postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def downgrade() -> None:
    """Take back. Who belongs to somebody else's organisation is there no more; while they exist this is refused."""
    for name, (moment, _) in _triggers().items():
        op.execute(f"DROP TRIGGER {name}" + (f" ON {_table_of(moment)}" if _is_postgresql() else ""))
        if _is_postgresql():
            op.execute(f"DROP FUNCTION {name}()")
    _refer_to("account", "users")
    op.drop_table("membership")
    op.drop_table("users")


def _table_of(moment: str) -> str:
    return moment.partition(" ON ")[2].partition(" ")[0]
