"""Who may talk to the server: Host and Origin are checked, bodies bounded; beyond this machine a token is due."""

from __future__ import annotations

import hmac
import ipaddress
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from spielwerk.data import json_text
from spielwerk.web.limits import MOST_BODY

API = "/api/"  # addresses that scripts ask, and answer in JSON
COOKIE = "spielwerk"
LOCAL = ("localhost", "127.0.0.1", "::1")
ANY = ("0.0.0.0", "::", "")
POLICY = "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
App = Any  # of ASGI, which types nothing


def is_local(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    return host in LOCAL or _is_loopback(host)


class Guard:
    """Stands before the application, for requests and WebSockets alike."""

    def __init__(self, app: App, host: str, token: str) -> None:
        self.app, self.host, self.token = app, host, token

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Lets pass what may pass."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refusal(scope, headers)
        if refused:
            await _refuse(scope, receive, send, *refused)
            return
        await self.app(scope, _bounded(receive) if scope["type"] == "http" else receive, self._marked(scope, send))

    def _refusal(self, scope: Any, headers: dict[str, str]) -> tuple[int, str] | None:
        host = _split(f"//{headers.get('host', '')}")
        if not self._known(host.hostname or ""):
            return 421, "This server does not answer to that name."
        origin = headers.get("origin")
        if origin is not None and _split(origin).netloc.lower() != headers.get("host", "").lower():
            return 403, "Pages of other sites cannot use this server."
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "Pages of other sites cannot use this server."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > MOST_BODY:
            return 413, f"This is too large; the server takes at most {MOST_BODY >> 10} kB at once."
        if self.token and not self._has_token(scope, headers):
            return 401, "This server needs its token; open the address that it printed."
        return None

    def _known(self, name: str) -> bool:
        """A name under which a browser of ours can know this server; a token makes every name safe."""
        return bool(self.token) or is_local(name) or name == self.host

    def _has_token(self, scope: Any, headers: dict[str, str]) -> bool:
        given = [*_query(scope), _cookie(headers.get("cookie", ""))]
        return any(hmac.compare_digest(one.encode(), self.token.encode()) for one in given)

    def _marked(self, scope: Any, send: Any) -> Any:
        """Adds the headers that protect the page, and the cookie for a browser that came with the token."""
        cookie = self.token in _query(scope) if self.token else False

        async def marked(message: Any) -> None:
            if message["type"] == "http.response.start":
                added = {**HEADERS, "Cache-Control": "no-cache"}
                if cookie:
                    added["Set-Cookie"] = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
                pairs = [(name.lower().encode(), value.encode()) for name, value in added.items()]
                message = {**message, "headers": [*message.get("headers", []), *pairs]}
            await send(message)

        return marked


def _split(address: str) -> SplitResult:
    """The parts of an address; none of nonsense."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _query(scope: Any) -> list[str]:
    return parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [])


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _bounded(receive: Any) -> Any:
    """Ends a body that is longer than any may be, whatever its header says."""
    read = 0

    async def bounded() -> Any:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        return message if read <= MOST_BODY else {"type": "http.disconnect"}

    return bounded


async def _refuse(scope: Any, receive: Any, send: Any, status: int, sentence: str) -> None:
    """Says why: as JSON to scripts, which show it; as plain text to who opens an address."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status, "reason": sentence})
        return
    scripted = scope["path"].startswith(API)
    kind = "application/json" if scripted else "text/plain; charset=utf-8"
    headers = [(name.lower().encode(), value.encode()) for name, value in {"Content-Type": kind, **HEADERS}.items()]
    body = json_text({"detail": sentence}) if scripted else sentence
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})
