"""Whether files carry content credentials, and whose.

The release before knows none of it: what its workers make is not signed, and says nothing.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017_credentials"
down_revision = "0016_mls_packs"
branch_labels = None
depends_on = None

_TABLES = ("result", "variant", "preview", "public_picture")


def upgrade() -> None:
    """Apply."""
    for table in _TABLES:
        op.add_column(table, sa.Column("credentials", sa.String(length=20), nullable=True))


def downgrade() -> None:
    """Take back."""
    for table in reversed(_TABLES):
        op.drop_column(table, "credentials")
