/** What can go wrong: one class for each group of refusals, and those of this package itself. */

import type { components } from "./api.js";

export type ErrorAnswer = components["schemas"]["ErrorAnswer"];
export type ErrorCode = ErrorAnswer["code"];

/** The base class of all errors of this package. */
export class BrightlistError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service could not be reached, or the connection broke; `cause` says why. */
export class NoAnswerError extends BrightlistError {}

/** The answer is not one of this API: often `baseUrl` leads elsewhere. */
export class UnexpectedAnswerError extends BrightlistError {}

/** A webhook was not sent by the service, was changed on its way, or is too old. */
export class InvalidSignatureError extends BrightlistError {}

/** The time to wait is over, and the job is not decided yet. */
export class NotDecidedError extends BrightlistError {}

/** A refusal. Decide by `code`; `docUrl` says what to do about it. Codes of newer services come as they are. */
export class ApiError extends BrightlistError {
  readonly code: ErrorCode;
  readonly docUrl: string | undefined;
  readonly requestId: string | undefined;
  /** By the path of each field in your request, its fault; with 402 the amounts. */
  readonly details: Readonly<Record<string, string | number>>;

  constructor(
    readonly status: number,
    /** The whole answer. */
    readonly body: Readonly<Record<string, unknown>>,
    /** Seconds that the service asks to wait before the same is sent again. */
    readonly retryAfter?: number,
  ) {
    const said = body as Partial<ErrorAnswer>;
    super([said.error ?? `HTTP ${status}`, said.message].filter(Boolean).join(": "));
    this.code = said.code ?? `http_${status}`;
    this.docUrl = said.docUrl;
    this.requestId = said.requestId;
    this.details = said.details ?? {};
  }
}

/** A field is missing or wrong; `details` names each. Also where a job has nothing to download yet. */
export class InvalidRequestError extends ApiError {}
/** No valid key. */
export class UnauthorizedError extends ApiError {}
/** The balance is below the cost; `details` has `required`, `current` and `shortfall`. */
export class InsufficientCreditsError extends ApiError {}
/** The key may not do this. */
export class ForbiddenError extends ApiError {}
/** It does not exist, belongs to another account, or is no longer kept. */
export class NotFoundError extends ApiError {}
/** The request conflicts with an earlier one. */
export class ConflictError extends ApiError {}
/** The URL has expired, or the files are no longer kept. */
export class GoneError extends ApiError {}
/** More bytes than allowed. */
export class TooLargeError extends ApiError {}
/** The file is not a photo that the service takes. */
export class UnsupportedMediaError extends ApiError {}
/** The idempotency key was used for another request. */
export class IdempotencyMismatchError extends ApiError {}
/** Too many requests; `retryAfter` says when to go on. */
export class RateLimitedError extends ApiError {}
/** A fault of the service. */
export class ServerError extends ApiError {}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  402: InsufficientCreditsError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: TooLargeError,
  415: UnsupportedMediaError,
  422: IdempotencyMismatchError,
  429: RateLimitedError,
};

/** The error for a refusal, by its status: codes may be new, statuses are those of HTTP. */
export async function readRefusal(response: Response): Promise<ApiError> {
  const content: unknown = await response.json().catch(() => undefined);
  const body = isObject(content) ? content : {};
  const kind = BY_STATUS[response.status] ?? (response.status >= 500 ? ServerError : ApiError);
  return new kind(response.status, body, readRetryAfter(response.headers.get("Retry-After")));
}

/** Seconds, from a number of them or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
