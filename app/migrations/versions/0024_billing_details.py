"""Who is billed: company, address and tax number of an organisation, and of the buyer on each receipt.

The release before knows none of it: receipts that it issues name the buyer as before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0024_billing_details"
down_revision = "0023_share_links"
branch_labels = None
depends_on = None

_COLUMNS = {
    "account": {"billing_company": sa.String(200), "billing_address": sa.Text(), "tax_id": sa.String(40)},
    "receipt": {"buyer_company": sa.String(200), "buyer_address": sa.Text(), "buyer_tax_id": sa.String(40)},
}


def upgrade() -> None:
    """Apply."""
    for table, columns in _COLUMNS.items():
        for name, kind in columns.items():
            op.add_column(table, sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    """Take back."""
    for table, columns in reversed(_COLUMNS.items()):
        for name in reversed(columns):
            op.drop_column(table, name)
