"""Links to stored files, to which forms redirect."""

from urllib.parse import urlsplit

from app.web.context import container


def strip_own_host(url: str) -> str:
    """Shorten a link to this site to its path; other links stay as they are.

    The browser may have opened this site under another host name than that of BASE_URL, and the content security
    policy lets a form redirect only to the host name of its own page.
    """
    parts = urlsplit(url)
    own = parts.netloc == urlsplit(container().settings.base_url).netloc
    return parts._replace(scheme="", netloc="").geturl() if own else url
