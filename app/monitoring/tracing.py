"""Traces by OpenTelemetry: a span for each request, each photo worked on and each attempt at a delivery.

All spans of a job belong to one trace. Its id is computed from the job's id, so it needs no column, and every
process that works on the job knows it. The trace has a link to the request that placed the job.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from flask import Response, g, request, request_finished, request_started
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Link, NonRecordingSpan, Span, SpanContext, SpanKind, StatusCode, TraceFlags
from sqlalchemy import event
from sqlalchemy.orm import Session

from app import metrics
from app.database import call_after_commit
from app.log_context import Ids, observe
from app.models import Job
from app.settings import Settings

EXPORT_SECONDS = 2.0
"""How long a process waits for the collector; then the spans are lost."""
_forced_context: ContextVar[SpanContext | None] = ContextVar("forced_span", default=None)


class _JobIds(RandomIdGenerator):
    """Gives the first span of a job the ids computed from the job's id, and all other spans random ids."""

    def generate_trace_id(self) -> int:
        """The trace id of `_forced_context`, or a random one."""
        forced = _forced_context.get()
        return forced.trace_id if forced else super().generate_trace_id()

    def generate_span_id(self) -> int:
        """The span id of `_forced_context`, or a random one."""
        forced = _forced_context.get()
        return forced.span_id if forced else super().generate_span_id()


def start(settings: Settings, program: str) -> None:
    """Start sending the spans of this process to OTLP_ENDPOINT."""
    exporter = OTLPSpanExporter(f"{settings.otlp_endpoint}/v1/traces", timeout=EXPORT_SECONDS)
    resource = Resource.create({"service.name": "brightlist", "service.component": program})
    provider = TracerProvider(resource=resource, id_generator=_JobIds())
    provider.add_span_processor(BatchSpanProcessor(exporter))
    tracer = provider.get_tracer("brightlist")
    event.listen(Session, "after_flush", partial(_begin_jobs_after_commit, tracer))
    observe(partial(_run_in_span, provider, tracer))
    request_started.connect(partial(_begin_request, tracer), weak=False)
    request_finished.connect(_end_request, weak=False)


def job_context(job_id: str) -> SpanContext:
    """The context of the first span of the job's trace, computed from the job's id."""
    digest = hashlib.sha256(job_id.encode()).digest()
    ids = int.from_bytes(digest[:16], "big"), int.from_bytes(digest[16:24], "big")
    return SpanContext(*ids, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))


def _begin_jobs_after_commit(tracer: trace.Tracer, session: Session, _context: Any) -> None:
    for each in session.new:
        if isinstance(each, Job):
            call_after_commit(session, partial(_begin_job, tracer, each.id, each.account_id))


def _begin_job(tracer: trace.Tracer, job_id: str, account_id: str) -> None:
    """Record the job's first span; link it to the request that placed the job, and the request to it."""
    context, placing = job_context(job_id), trace.get_current_span()
    token = _forced_context.set(context)
    try:
        links = [Link(placing.get_span_context())] if placing.is_recording() else []
        ids = {"job_id": job_id, "account_id": account_id}
        tracer.start_span("job", Context(), attributes=ids, links=links).end()
    finally:
        _forced_context.reset(token)
    placing.add_link(context, {"job_id": job_id})


@contextmanager
def _run_in_span(provider: TracerProvider, tracer: trace.Tracer, name: str, ids: Ids) -> Iterator[None]:
    attributes = {key: value for key, value in ids.items() if value is not None}
    job_id = ids.get("job_id")
    parent = trace.set_span_in_context(NonRecordingSpan(job_context(job_id))) if job_id else Context()
    try:
        with tracer.start_as_current_span(name, parent, attributes=attributes, kind=SpanKind.CONSUMER):
            yield
    finally:
        if metrics.is_work_horse():
            # A work-horse ends with os._exit(), which does not send waiting spans.
            provider.force_flush()


def _begin_request(tracer: trace.Tracer, _app: object, **_more: object) -> None:
    # Trace ids that clients send are ignored: with them clients could decide which spans form a trace.
    route = str(request.url_rule or "unknown")
    attributes = {"http.request.method": request.method, "http.route": route}
    span = tracer.start_span(f"{request.method} {route}", Context(), kind=SpanKind.SERVER, attributes=attributes)
    current = trace.use_span(span, end_on_exit=True)
    current.__enter__()
    g.trace = (span, current)


def _end_request(_app: object, response: Response, **_more: object) -> None:
    span, current = g.pop("trace", (None, None))
    if span is not None and current is not None:
        _set_attributes(span, response)
        current.__exit__(None, None, None)


def _set_attributes(span: Span, response: Response) -> None:
    span.set_attribute("http.response.status_code", response.status_code)
    span.set_attribute("request_id", response.headers.get("X-Request-Id", ""))
    if response.status_code >= 500:
        span.set_status(StatusCode.ERROR)
