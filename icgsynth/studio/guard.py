"""The guard of the server: it admits pages of this studio, in a browser that has the token."""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1_000_000  # most bytes of a request
_POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_FRESH = "open the address that 'icgsynth studio' printed"


def new_token() -> str:
    """Return a new token: 256 random bits as text for an address, which nobody can guess."""
    return secrets.token_urlsafe(32)


class Guard:
    """An ASGI application that passes on requests of this studio's own pages and refuses others.
    The host must be this machine by number or by name, with the right ``port``; the origin, which
    browsers send with every POST, must be the same; the token comes once in the address, and then
    in a cookie that only this site gets back and no script can read."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._cookie = f"icgsynth_{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no page opens a web socket
            return
        headers = Headers(scope=scope)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        refusal = self._refusal(scope["method"], headers, given)
        sending = _Sending(send, self._cookie, self._token if self._fits(given) else "")
        if refusal is not None:
            code, text = refusal
            await PlainTextResponse(text + "\n", code)(scope, receive, sending)
            return
        await self._app(scope, _Bounded(receive), sending)

    def _refusal(self, method: str, headers: Headers, given: str) -> tuple[int, str] | None:
        """Return (status, reason) by which a request is refused, or None; ``given`` is the token in
        its address, "" without one."""
        host = headers.get("host", "")
        if host not in self._hosts:
            return 403, f"This server does not answer for the host {host[:80]!r}; {_FRESH}."
        origin = headers.get("origin")
        if origin is None and method not in ("GET", "HEAD"):
            return 403, "This request does not say where it comes from (Origin)."
        # An address that is typed, or followed from elsewhere, has no Origin; the token speaks for
        # it.
        if origin is not None and origin != f"http://{host}":
            return 403, f"This server takes no request from another site ({origin[:80]!r})."
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not given:
            return 403, f"This server takes no request from another site; {_FRESH}."
        if not self._fits(given) and not self._fits(self._keep(headers)):
            return 403, f"The token is missing or wrong; {_FRESH}."
        if not 0 <= _length(headers) <= MOST_BYTES:
            return 413, _SIZE
        return None

    def _fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _keep(self, headers: Headers) -> str:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return ""
        return "" if found is None else found.value


_SIZE = f"A request may have {MOST_BYTES:,} bytes at most."


def _length(headers: Headers) -> int:
    """Return the content length that ``headers`` state, in bytes; -1 where it is no number."""
    text = headers.get("content-length", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else -1


class _Bounded:
    """Receives the body of a request up to the limit, whatever length the header says."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._left = MOST_BYTES

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(413, _SIZE)
        return message


class _Sending:
    """Sends an answer with security headers, and the cookie where the address had the token."""

    def __init__(self, send: Send, cookie: str, token: str) -> None:
        self._send = send
        self._cookie = cookie
        self._token = token

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            if self._token:
                kept = f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
                headers.append("set-cookie", kept)
        await self._send(message)
