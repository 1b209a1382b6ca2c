"""A site on another machine, as commands reach it: its address, a token, and JSON in and out.

~/.config/agon/sites.json   the sites that you are logged in to, with their tokens; for the
                            owner's eyes alone
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agon.errors import RemoteError, SettingError
from agon.strict_json import load_json

FILE = "sites.json"
FILE_MODE = 0o600
FOLDER_MODE = 0o700
API = "/api/v1"
SECONDS = 60


@dataclass(frozen=True, slots=True)
class Remote:
    """A site, and the token that opens it; empty before the log-in."""

    url: str
    token: str = ""
    advice: str = ""
    """What to do if the token opens nothing any more."""

    def get(self, path: str, **query: str | int) -> Any:
        return self._send("GET", path, params=query)

    def post(self, path: str, body: Any) -> Any:
        return self._send("POST", path, json=body)

    def upload(self, path: str, data: bytes, **query: str) -> Any:
        kind = {"Content-Type": "application/zip"}
        return self._send("POST", path, params=query, content=data, headers=kind)

    def _send(self, method: str, path: str, **given: Any) -> Any:
        """The answer's JSON. Redirects are not followed: a token is for this site alone."""
        import httpx

        given["headers"] = {"User-Agent": "agon", **given.get("headers", {})}
        if self.token:
            given["headers"]["Authorization"] = f"Bearer {self.token}"
        try:
            answer = httpx.request(method, f"{self.url}{API}{path}", timeout=SECONDS, **given)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise RemoteError(f"{self.url} cannot be reached: {error}") from None
        try:
            told = answer.json()
        except ValueError:
            told = None
        if answer.is_success:
            if told is None:
                raise RemoteError(f"{self.url} is not an Agon site: it does not answer in JSON")
            return told
        reason = told.get("error") if isinstance(told, dict) else None
        reason = reason or answer.reason_phrase
        if answer.status_code == httpx.codes.UNAUTHORIZED and self.advice:
            reason = f"{reason} ({self.advice})"
        raise RemoteError(f"{self.url}: {reason}")


def parse_url(text: str) -> str:
    """The address of a site, without what stands after its host.

    >>> parse_url("https://agon.test/"), parse_url("localhost:8000")
    ('https://agon.test', 'http://localhost:8000')
    """
    whole = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(whole)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_good = is_good and (parts.port is None or parts.port > 0)
    except ValueError:
        is_good = False
    if not is_good or parts.username or parts.query or parts.fragment:
        raise SettingError(f"address {text!r}: expected one such as https://agon.example.org")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def config_folder() -> Path:
    wanted = os.environ.get("XDG_CONFIG_HOME")
    return (Path(wanted) if wanted else Path.home() / ".config") / "agon"


def load_sites() -> dict[str, str]:
    """The sites with their tokens; the one that was logged in to last stands last."""
    path = config_folder() / FILE
    try:
        sites = load_json(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SettingError(f"{path}: {error}; remove it and log in again") from None
    if not isinstance(sites, dict) or not all(isinstance(one, str) for one in sites.values()):
        raise SettingError(f"{path}: expected addresses with tokens; remove it and log in again")
    return sites


def save_site(remote: Remote) -> Path:
    """Remember a site and its token, in a file that only its owner can read."""
    folder = config_folder()
    sites = {url: token for url, token in load_sites().items() if url != remote.url}
    sites[remote.url] = remote.token
    path = folder / FILE
    try:
        folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        new = folder / f".{FILE}.{os.getpid()}"
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "w") as file:
            json.dump(sites, file, indent=1)
        new.chmod(FILE_MODE)
        new.replace(path)
    except OSError as error:
        raise SettingError(f"{path}: {error.strerror}") from None
    return path


def find_remote(url: str | None) -> Remote:
    """The site of that address, or the one that was logged in to last."""
    sites = load_sites()
    if not sites:
        raise SettingError("you are not logged in to any site: `agon login URL`")
    wanted = next(reversed(sites)) if url is None else parse_url(url)
    if wanted not in sites:
        raise SettingError(
            f"you are not logged in to {wanted}, but to {', '.join(sites)}: `agon login {wanted}`"
        )
    return Remote(wanted, sites[wanted], f"log in again: `agon login {wanted}`")
