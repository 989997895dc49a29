"""The refusals of requests with a client token."""

from app.domain.errors import Forbidden, Unauthorized


class ClientTokenExpired(Unauthorized):
    """The client token is past its time.

    Ask your server for a new one, with the `uploadSessionId` of the old one to go on in the same upload session.
    Our upload element does so by itself where it has a `token-url`.
    """

    code = "client_token_expired"
    error = "Client token expired"

    def __init__(self) -> None:
        super().__init__("This client token has expired; ask your server for a new one.")


class OriginNotAllowed(Forbidden):
    """The page that sent the client token has an origin that the key which made the token does not list.

    Add the origin that `message` names to the key's list, under API keys; it holds at once, also for tokens that
    were made before.
    """

    code = "origin_not_allowed"
    error = "Origin not allowed"

    def __init__(self, origin: str) -> None:
        super().__init__(f"The API key of this client token does not list {origin}; add it to the key's web pages.")


class TooManyFiles(Forbidden):
    """The upload session would have more files than its client token allows; no URL was given out.

    Ask for fewer, or let your server make a token with a higher `maxFiles` for the same `uploadSessionId`.
    """

    code = "too_many_files"
    error = "Too many files"

    def __init__(self, max_files: int, files: int, requested: int) -> None:
        details = {"maxFiles": max_files, "files": files, "requested": requested}
        message = f"At most {max_files} files may be uploaded here; {files} were asked for before."
        super().__init__(message, details=details)
