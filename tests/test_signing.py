"""Whether results are signed, as the settings say, and what is refused at the start."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app import metrics
from app.domain.content_credentials import CredentialKind
from app.settings import SettingsError, load_settings
from app.signing import make_credentials
from tests.certificates import CertificateAuthority, key_pem, new_key

ROOT = Path(__file__).parents[1]
NOW = datetime.now(UTC)


def operator(folder: Path, days: int = 300) -> dict[str, str]:
    """Settings with a certificate of the operator's own, which ends in so many days."""
    key = new_key()
    (folder / "chain.pem").write_bytes(CertificateAuthority().certify(key, ends_at=NOW + timedelta(days=days)))
    (folder / "key.pem").write_bytes(key_pem(key))
    files = {"C2PA_CERT_CHAIN": str(folder / "chain.pem"), "C2PA_KEY": str(folder / "key.pem")}
    return {"DATA_DIR": str(folder), "CONTENT_CREDENTIALS": "certificate", **files}


def start(environ: dict[str, str], *command: str, lost: str = "") -> subprocess.CompletedProcess[str]:
    """A process of the service as it starts, with a package lost if any."""
    program = f"import sys; {lost}from app.cli.process_commands import processes; processes({list(command)!r})"
    whole = {**os.environ, **environ}
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=whole, capture_output=True, text=True, check=False
    )


def test_nothing_is_signed_unless_it_is_asked_for(tmp_path: Path) -> None:
    assert make_credentials(load_settings({"DATA_DIR": str(tmp_path)}), NOW) is None
    assert not any(tmp_path.iterdir())


def test_the_demo_signs_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    environ = {"DATA_DIR": str(tmp_path), "CONTENT_CREDENTIALS": "demo"}
    made = make_credentials(load_settings(environ), NOW)
    assert made is not None
    assert made.kind is CredentialKind.DEMO
    assert (tmp_path / "credentials" / "demo.pem").is_file()


def test_an_operators_certificate_signs_and_metrics_tell_when_it_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = make_credentials(load_settings(operator(tmp_path)), NOW)
    assert made is not None
    assert made.kind is CredentialKind.CERTIFICATE
    ends = metrics.REGISTRY.get_sample_value("brightlist_content_credentials_expiry_timestamp_seconds")
    assert ends is not None
    assert abs(ends - (NOW + timedelta(days=300)).timestamp()) < 2
    assert caplog.text == ""


def test_one_that_ends_within_a_month_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert make_credentials(load_settings(operator(tmp_path, days=29)), NOW) is not None
    assert f"ends on {NOW + timedelta(days=29):%Y-%m-%d}" in caplog.text


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"CONTENT_CREDENTIALS": "perhaps"}, "none, demo or certificate"),
        ({"CONTENT_CREDENTIALS": "certificate"}, "C2PA_CERT_CHAIN and C2PA_KEY must be set"),
        ({"CONTENT_CREDENTIALS": "certificate", "C2PA_KEY": "key.pem"}, "C2PA_CERT_CHAIN and C2PA_KEY must be set"),
        ({"CONTENT_CREDENTIALS": "demo", "C2PA_KEY": "key.pem"}, "it must be certificate"),
        ({"C2PA_CERT_CHAIN": "chain.pem"}, "it must be certificate"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(environ: dict[str, str], words: str) -> None:
    with pytest.raises(SettingsError, match=words) as refusal:
        load_settings(environ)
    assert str(refusal.value).startswith("CONTENT_CREDENTIALS: ")


def test_the_address_of_a_time_stamping_authority_is_a_web_address() -> None:
    with pytest.raises(SettingsError, match="C2PA_TSA_URL: it is not a web address"):
        load_settings({"C2PA_TSA_URL": "file:///etc/passwd"})


@pytest.mark.long
@pytest.mark.parametrize("command", [("work", "photos"), ("work", "previews"), ("work", "rooms"), ("up",)])
def test_no_process_that_signs_starts_with_a_certificate_that_is_over(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    done = start(operator(tmp_path, days=-1), *command)
    assert done.returncode == 2
    assert done.stderr.startswith("C2PA_CERT_CHAIN: a certificate in ")


def test_a_certificate_that_the_library_does_not_take_is_refused_at_the_start(tmp_path: Path) -> None:
    environ, key = operator(tmp_path), new_key()
    (tmp_path / "chain.pem").write_bytes(CertificateAuthority().certify(key, usages=[]))
    (tmp_path / "key.pem").write_bytes(key_pem(key))
    with pytest.raises(SettingsError, match="C2PA_CERT_CHAIN: nothing can be signed with this certificate"):
        make_credentials(load_settings(environ), NOW)


@pytest.mark.long
def test_without_the_package_the_start_is_refused_with_the_command_that_installs_it(tmp_path: Path) -> None:
    environ = {"DATA_DIR": str(tmp_path), "CONTENT_CREDENTIALS": "demo"}
    done = start(environ, "work", "photos", lost="sys.modules['c2pa'] = None; ")
    assert done.returncode == 2
    assert done.stderr.startswith("CONTENT_CREDENTIALS: the package c2pa is not installed; pip install -r deploy/")
    assert "requirements/credentials.txt" in done.stderr


@pytest.mark.long
def test_without_the_setting_nothing_needs_the_package(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['c2pa'] = None; from app.container import Container; "
        "from app.settings import load_settings; here = Container(load_settings()); "
        "print(here.credentials, here.previews is not None)"
    )
    environ = {**os.environ, "DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environ, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "None True"
