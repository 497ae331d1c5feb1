"""Write replies: JSON from Structs, and what caches may do with them."""

import hashlib
from collections.abc import Mapping

import msgspec
from django.http import HttpRequest, HttpResponse

from config.http.accept import takes_coding
from config.http.joined import Ending, joined, joined_gzip

JSON = "application/json"
encode = msgspec.json.Encoder().encode


def json_reply(value: object, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return a reply with a value as JSON."""
    return _with_headers(encode(value), headers or {})


def joined_reply(
    request: HttpRequest, head: object, end: Ending, headers: Mapping[str, str]
) -> HttpResponse:
    """Return a reply with a kept end after its head, compressed for a client that asks for it."""
    if not takes_coding(request.META.get("HTTP_ACCEPT_ENCODING", ""), "gzip"):
        return _with_headers(joined(encode(head), end), headers)
    compressed = joined_gzip(encode(head), end)
    return _with_headers(compressed, {**headers, "Content-Encoding": "gzip"})


def not_modified(headers: Mapping[str, str]) -> HttpResponse:
    """Return the reply to a client that has this content already."""
    response = HttpResponse(status=304, headers=headers)
    del response.headers["Content-Type"]
    return response


def weak_etag(*parts: object) -> str:
    """Return the weak ETag of whatever the parts determine."""
    text = "\0".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return f'W/"{hashlib.blake2b(text, digest_size=12).hexdigest()}"'


def has_etag(request: HttpRequest, etag: str) -> bool:
    """Return whether the client names this ETag as one that it has (weak comparison)."""
    named = request.META.get("HTTP_IF_NONE_MATCH")
    if not named:
        return False
    wanted = etag.removeprefix("W/")
    return any(
        tag.strip().removeprefix("W/") == wanted or tag.strip() == "*" for tag in named.split(",")
    )


def _with_headers(content: bytes, headers: Mapping[str, str]) -> HttpResponse:
    response = HttpResponse(content, content_type=JSON)
    response.headers["X-Content-Type-Options"] = "nosniff"
    for name, text in headers.items():
        response.headers[name] = text
    return response
