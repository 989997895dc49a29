"""Where an order's property is advertised, and the originals that are published."""

import sqlalchemy as sa
from alembic import op

revision = "0014_listing"
down_revision = "0013_cost_index"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("job", sa.Column("listing", sa.JSON(), nullable=True))
    op.create_table(
        "public_page",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("token", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("jurisdiction", sa.String(length=40), nullable=False),
        sa.Column("address", sa.String(length=300), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("purged_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_public_page_account_id_account"),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_public_page_job_id_job"),
        sa.PrimaryKeyConstraint("id", name="pk_public_page"),
        sa.UniqueConstraint("token", name="uq_public_page_token"),
    )
    op.create_index("ix_public_page_job", "public_page", ["job_id", "created_at"])
    op.create_index("ix_public_page_account", "public_page", ["account_id"])
    op.create_index("ix_public_page_ends", "public_page", ["purged_at", "expires_at"])
    op.create_table(
        "public_picture",
        sa.Column("public_page_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.String(length=32), nullable=False),
        sa.Column("file_name", sa.String(length=255), nullable=False),
        sa.Column("original_key", sa.String(length=200), nullable=False),
        sa.Column("altered_key", sa.String(length=200), nullable=False),
        sa.Column("enhancements", sa.JSON(), nullable=False),
        sa.Column("caption", sa.String(length=100), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["public_page_id"], ["public_page.id"], name="fk_public_picture_public_page_id_public_page"
        ),
        sa.PrimaryKeyConstraint("public_page_id", "number", name="pk_public_picture"),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("public_picture")
    op.drop_table("public_page")
    op.drop_column("job", "listing")
