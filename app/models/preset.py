"""Presets: choices that an account keeps under a name, to use them for any order."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, ModelJson, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.domain.presets import MAX_PRESET_NAME, PresetContent
from app.models.leased import partial_index


class Preset(Base):
    """One preset of an account. New drafts begin with the account's default preset, if it has one."""

    __tablename__ = "preset"
    __table_args__ = (
        UniqueConstraint("account_id", "name"),
        partial_index("uq_preset_default", "is_default", "account_id", unique=True),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.PRESET))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    name: Mapped[str] = mapped_column(String(MAX_PRESET_NAME))
    content: Mapped[PresetContent] = mapped_column(ModelJson(PresetContent))
    is_default: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
