"""The setting that says which programs `up` runs on this host."""

from typing import Final

from pydantic import BaseModel, Field, field_validator

from app.domain.ports import QueueName

WEB: Final = "web"
SWEEPER: Final = "sweeper"
PROGRAMS = (WEB, *(each.value for each in QueueName), SWEEPER)


class ProgramSettings(BaseModel):
    """Which programs this host runs, for installations where several hosts share database, Redis and store."""

    programs: str | None = Field(
        default=None, description=f"any of {', '.join(PROGRAMS)}, with commas between them; all without it"
    )

    @field_validator("programs")
    @classmethod
    def _check_programs(cls, text: str | None) -> str | None:
        if text is not None and not set(_split(text)) <= set(PROGRAMS):
            raise ValueError("it names something that is no program")
        return text

    def runs(self, program: str) -> bool:
        """Whether `up` starts this program, one of PROGRAMS, on this host."""
        return self.programs is None or program in _split(self.programs)


def _split(text: str) -> list[str]:
    return [each.strip() for each in text.split(",")]
