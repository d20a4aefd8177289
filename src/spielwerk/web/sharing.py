"""How other people reach this server: what a link needs that is sent to them."""

from __future__ import annotations

import socket
from typing import Any
from urllib.parse import urlsplit

from spielwerk.web.security import ANY, is_local


def name_for_others(host: str) -> str:
    """The name of a server that listens at `host`, as other machines write it."""
    return socket.gethostname() if host in ANY else f"[{host}]" if ":" in host else host


def sharing_facts(asked: str, host: str, token: str) -> dict[str, Any]:
    """The address of the server for others, of which a browser may know one that only it can use, and its token."""
    known = urlsplit(asked)
    alone = is_local(host)
    name, port = known.netloc, f":{known.port}" if known.port else ""
    if not alone and is_local(known.hostname or ""):
        name = name_for_others(host) + port
    return {"origin": f"{known.scheme}://{name}", "token": token, "alone": alone}
