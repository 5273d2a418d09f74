"""The first tables: conversations, requests with their turns and traces, preferences."""

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "conversations",
        sql.Column("id", sql.String(200), primary_key=True),
        sql.Column("title", sql.String(200), nullable=False),
        sql.Column("created", sql.String(40), nullable=False),
        sql.Column("updated", sql.String(40), nullable=False),
        sql.Column("state", sql.String(30), nullable=False),
    )
    op.create_index("ix_conversations_updated", "conversations", ["updated"])
    op.create_table(
        "requests",
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=True),
        sql.Column("id", sql.String(200), nullable=False, unique=True),
        sql.Column("thread", sql.String(200), nullable=False),
        sql.Column("digest", sql.String(64), nullable=False),
        sql.Column("given", sql.Text, nullable=False),
        sql.Column("status", sql.String(10), nullable=False),
        sql.Column("message", sql.Text, nullable=False),
        sql.Column("turn", sql.Text, nullable=True),
        sql.Column("spans", sql.Text, nullable=True),
        sql.Column("arrived", sql.String(40), nullable=False),
        sql.Column("ended", sql.String(40), nullable=True),
    )
    op.create_index("requests_of_a_thread", "requests", ["thread", "number"])
    op.create_table(
        "preferences",
        sql.Column("name", sql.String(60), primary_key=True),
        sql.Column("value", sql.Text, nullable=False),
    )
