"""What every answer says about how a browser is to treat it."""

from __future__ import annotations

from functools import cache

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing from other hosts, no script and no style inside a page, no page inside another."""

PROTECTION = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

STRICT_TRANSPORT = "max-age=31536000"


def protection(*, secure: bool) -> dict[str, str]:
    """The headers of every answer; with HTTPS also that it is to stay so."""
    if secure:
        return PROTECTION | {"Strict-Transport-Security": STRICT_TRANSPORT}
    return PROTECTION


@cache
def raw_protection(*, secure: bool) -> tuple[tuple[bytes, bytes], ...]:
    """The same as they are sent."""
    return tuple(
        (name.lower().encode(), value.encode()) for name, value in protection(secure=secure).items()
    )
