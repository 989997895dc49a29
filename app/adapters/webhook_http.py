"""Sends webhooks by HTTP: one POST to a vetted address, limited in time and size, and its result in plain words."""

import re
import ssl
import time
from collections.abc import Iterable
from http.client import HTTPException

from requests.utils import DEFAULT_CA_BUNDLE_PATH

from app import metrics
from app.adapters import connect
from app.adapters.address_policy import NOT_ALLOWED, AddressRules
from app.adapters.deadlines import Deadline, Phase, Trace
from app.adapters.outgoing_http import HttpAnswer, HttpRequest, read_first_bytes, send
from app.adapters.vetted_hosts import Resolve, VettedHosts
from app.domain.sending import AddressNotAllowedError, AttemptOutcome, DeliveryRequest, DeliveryResult

VET_SECONDS = 3.0
"""Longest time that a customer who enters a URL waits for the look-up of its host."""
KEPT_HEADER_CHARACTERS = 8 * 1024
"""At most this much of the headers of an answer is stored."""

_FAILED_AT = {
    Phase.CONNECT: (AttemptOutcome.NOT_CONNECTED, "No connection could be made."),
    Phase.TLS: (AttemptOutcome.TLS_FAILED, "The TLS handshake failed."),
    Phase.ANSWER: (AttemptOutcome.BROKEN_ANSWER, "The answer is not complete and well-formed HTTP."),
}
_LATE_AT = {
    Phase.RESOLVE: "The host's name was not resolved within {:g} seconds.",
    Phase.CONNECT: "No connection within {:g} seconds.",
    Phase.TLS: "No end of the TLS handshake within {:g} seconds.",
    Phase.ANSWER: "No answer within {:g} seconds.",
}
# Error codes of OpenSSL for the verification of certificates.
_EXPIRED, _OTHER_NAME, _OTHER_ADDRESS, _UNKNOWN_ISSUER = 10, 62, 64, (18, 19, 20, 21)


class HttpTransport:
    """Implements app.domain.sending.WebhookTransport; threads may share it.

    `deadline_seconds` limits each attempt as a whole. `own_netloc`, the service's own host[:port], is refused as a
    target. Receivers' certificates are verified with the authorities in `ca_file`, by default those of `requests`;
    environment variables and .netrc are not read.
    """

    def __init__(
        self,
        deadline_seconds: float,
        allow_private: bool,
        own_netloc: str | None,
        user_agent: str,
        *,
        resolve: Resolve = connect.resolve,
        ca_file: str | None = None,
    ) -> None:
        self._deadline_seconds = deadline_seconds
        self._rules = AddressRules(allow_private, own_netloc)
        self._hosts = VettedHosts(self._rules, resolve)
        self._user_agent = user_agent
        self._trust = ssl.create_default_context(cafile=ca_file or DEFAULT_CA_BUNDLE_PATH)
        self._trust.set_alpn_protocols(["http/1.1"])

    def vet(self, url: str) -> None:
        """Raises AddressNotAllowedError for a URL to which nothing may be sent. Takes at most VET_SECONDS."""
        target = self._rules.parse(url)
        try:
            self._hosts.look_up(target, Deadline(min(VET_SECONDS, self._deadline_seconds)))
        except OSError:
            raise AddressNotAllowedError(NOT_ALLOWED) from None

    def send(self, request: DeliveryRequest) -> DeliveryResult:
        """Make one attempt, within the deadline whatever the receiver does; its faults are results, not exceptions.

        The host is looked up and vetted for each attempt, and the connection goes to one of these addresses.
        """
        begun = time.monotonic()
        result = self._attempt(request)
        metrics.ATTEMPT_SECONDS.labels(result.outcome.value).observe(time.monotonic() - begun)
        return result

    def _attempt(self, request: DeliveryRequest) -> DeliveryResult:
        trace = Trace(Deadline(self._deadline_seconds))
        try:
            target = self._rules.parse(request.url)
            with trace.at(Phase.RESOLVE):
                addresses = self._hosts.look_up(target, trace.deadline)
            headers = {"User-Agent": self._user_agent, **request.headers}
            with send(
                HttpRequest("POST", target, headers, request.body), addresses, trace, self._trust
            ) as response:
                answer = HttpAnswer(response.status, response.headers, read_first_bytes(response))
        except AddressNotAllowedError as refusal:
            # `phases` is left out, because the time of the look-up would reveal something about our network.
            return DeliveryResult(AttemptOutcome.ADDRESS_NOT_ALLOWED, str(refusal))
        except (OSError, HTTPException) as error:
            return _make_failure(trace, error)
        return _make_result(trace, answer)


def _make_result(trace: Trace, answer: HttpAnswer) -> DeliveryResult:
    outcome, message = AttemptOutcome.SUCCEEDED, ""
    if not 200 <= answer.status < 300:
        outcome, message = AttemptOutcome.REJECTED, f"The receiver answered {answer.status}."
    if 300 <= answer.status < 400:
        message = f"The receiver answered {answer.status}; redirects are not followed."
    headers = _select_headers(answer.headers.items())
    return DeliveryResult(outcome, message, answer.status, headers, answer.body, trace.address, {**trace.seconds})


def _make_failure(trace: Trace, error: OSError | HTTPException) -> DeliveryResult:
    if trace.deadline.is_over or isinstance(error, TimeoutError):
        late = _LATE_AT[trace.phase].format(trace.deadline.seconds)
        return DeliveryResult(AttemptOutcome.TIMEOUT, late, address=trace.address, phases={**trace.seconds})
    outcome, message = _FAILED_AT[trace.phase]
    if isinstance(error, ssl.SSLCertVerificationError):
        message = _certificate_fault(error.verify_code)
    elif isinstance(error, ConnectionRefusedError):
        message = "The connection was refused."
    elif trace.phase is Phase.ANSWER and isinstance(error, ConnectionError):
        message = "The connection was closed before there was an answer."
    return DeliveryResult(outcome, message, address=trace.address, phases={**trace.seconds})


def _certificate_fault(code: int) -> str:
    if code in (_OTHER_NAME, _OTHER_ADDRESS):
        return "Certificate not valid for this host."
    if code == _EXPIRED:
        return "Certificate expired."
    if code in _UNKNOWN_ISSUER:
        return "Certificate not issued by a known authority."
    return "Certificate not valid."


def _select_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The headers to store: repeated ones joined, without control characters, up to KEPT_HEADER_CHARACTERS."""
    kept: dict[str, str] = {}
    left = KEPT_HEADER_CHARACTERS
    for name, raw in headers:
        value = re.sub(r"[\x00-\x1f\x7f-\x9f]+ *", " ", str(raw)).strip()
        left -= len(name) + len(value) + 2
        if left < 0:
            break
        kept[name] = f"{kept[name]}, {value}" if name in kept else value
    return kept
