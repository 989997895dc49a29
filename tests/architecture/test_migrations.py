"""The migrations make the very tables that the models describe."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.container import Container
from app.database import Base
from app.migrations import migrate


def test_migrating_gives_the_tables_of_the_models(container: Container) -> None:
    migrate(container.database)
    with container.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
