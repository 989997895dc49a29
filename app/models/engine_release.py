"""Earlier releases of the engine that can make pictures beside the release of the running service."""

from datetime import datetime

from sqlalchemy import JSON, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime


class StoredRelease(Base):
    """A release of the engine that the operator added. `python`: the path of the interpreter that runs it, the same
    on every host of workers. `stable_from`: from then on it is the stable one, until another one follows; None
    where it was never named stable. `options`: the values that it knows of each option.
    """

    __tablename__ = "engine_release"

    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    python: Mapped[str] = mapped_column(String(300))
    options: Mapped[dict[str, list[str]]] = mapped_column(JSON)
    added_at: Mapped[datetime] = mapped_column(UtcDateTime)
    stable_from: Mapped[datetime | None] = mapped_column(UtcDateTime)
