"""Mail into a folder: one whole private file an e-mail."""

import stat
from pathlib import Path

import pytest

from app.adapters.mail_files import MailFiles
from app.domain.sending import Email, MailNotSentError
from tests.fakes import FakeClock

SENDER = "Brightlist <no-reply@brightlist.example>"
LETTER = Email("jo@example.com", "Hello", "Hello Jo\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "mail"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_letter_is_one_file_named_by_time_and_id_that_only_its_owner_reads(
    folder: Path, clock: FakeClock
) -> None:
    MailFiles(folder, SENDER, clock).send(LETTER, "mai_1")
    assert names(folder) == ["20261120T120000Z-mai_1.eml"]
    assert stat.S_IMODE((folder / names(folder)[0]).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_same_mail_again_takes_the_place_of_its_file(folder: Path, clock: FakeClock) -> None:
    mailer = MailFiles(folder, SENDER, clock)
    for mail_id in ("mai_1", "xmai_1", "mai_11"):
        mailer.send(LETTER, mail_id)
    clock.pass_(minutes=1)
    mailer.send(Email("jo@example.com", "Hello again", ""), "mai_1")
    mailer.send(LETTER, "mai_11")
    assert names(folder) == [
        "20261120T120000Z-xmai_1.eml",
        "20261120T120100Z-mai_1.eml",
        "20261120T120100Z-mai_11.eml",
    ]
    assert b"Hello again" in (folder / "20261120T120100Z-mai_1.eml").read_bytes()


def test_a_file_that_cannot_be_written_whole_leaves_nothing(
    folder: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailer = MailFiles(folder, SENDER, clock)
    mailer.send(LETTER, "mai_1")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    clock.pass_(minutes=1)
    with pytest.raises(MailNotSentError, match="No space left") as error:
        mailer.send(LETTER, "mai_1")
    assert not error.value.permanent
    assert names(folder) == ["20261120T120000Z-mai_1.eml"]


def test_a_folder_that_cannot_be_made_may_be_put_right(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "mail").touch()
    with pytest.raises(MailNotSentError) as error:
        MailFiles(tmp_path / "mail", SENDER, clock).send(LETTER, "mai_1")
    assert not error.value.permanent
