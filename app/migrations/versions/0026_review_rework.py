"""The steps in a result whose price a reviewer gives back when the review ends.

The release before knows none of it: where it ends a review, these prices stay. Rounds that reviewers begin before
delivery are rows of `revision` numbered below 1; it leaves their pictures to a reviewer, among those sent back.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026_review_rework"
down_revision = "0025_property_of_job"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("result", sa.Column("given_back", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("result", "given_back")
