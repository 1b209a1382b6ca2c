"""A site on another machine, as commands reach it: its address, a token, and JSON in and out.

~/.config/agon/sites.json   the sites somebody is logged in to, with their tokens; for the
                            owner's eyes alone
"""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from agon.errors import RemoteError, SettingError

FILE = "sites.json"
FILE_MODE = 0o600
FOLDER_MODE = 0o700
API = "/api/v1"
SECONDS = 60
LARGEST_ANSWER = 16 << 20


@dataclass(frozen=True, slots=True)
class Remote:
    """A site, and the token that opens it; empty before somebody has logged in."""

    url: str
    token: str = ""
    advice: str = ""
    """What to do if the token opens nothing any more."""

    def get(self, path: str, **query: str | int) -> Any:
        """Ask for something."""
        return self._send("GET", path, query, None, "")

    def post(self, path: str, body: Any) -> Any:
        """Send a JSON object."""
        return self._send("POST", path, {}, json.dumps(body).encode(), "application/json")

    def upload(self, path: str, data: bytes, **query: str) -> Any:
        """Send a zip."""
        return self._send("POST", path, query, data, "application/zip")

    def _send(
        self, method: str, path: str, query: dict[str, Any], data: bytes | None, kind: str
    ) -> Any:
        address = f"{self.url}{API}{path}" + (f"?{urlencode(query)}" if query else "")
        headers = {"Accept": "application/json", "User-Agent": "agon"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if kind:
            headers["Content-Type"] = kind
        request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310
        try:
            with _OPENER.open(request, timeout=SECONDS) as answer:
                return _parse(self.url, answer.read(LARGEST_ANSWER))
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise RemoteError(f"{self.url} cannot be reached: {reason}") from None

    def _refusal(self, error: urllib.error.HTTPError) -> RemoteError:
        """What the site says, in its own words if it has any."""
        try:
            told = json.loads(error.read(LARGEST_ANSWER))["error"]
        except (ValueError, KeyError, TypeError, OSError):
            told = error.reason
        if error.code == HTTPStatus.UNAUTHORIZED and self.advice:
            told = f"{told} ({self.advice})"
        return RemoteError(f"{self.url}: {told}")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token goes to the site that it is for, and is not sent on to another."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _parse(url: str, data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        raise RemoteError(f"{url} is no site of Agon: it does not answer in JSON") from None


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
    """Where the user's own settings are."""
    wanted = os.environ.get("XDG_CONFIG_HOME")
    return (Path(wanted) if wanted else Path.home() / ".config") / "agon"


def load_sites() -> dict[str, str]:
    """The sites with their tokens; the one that was logged in to last stands last."""
    path = config_folder() / FILE
    try:
        sites = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SettingError(f"{path}: {error}; remove it and log in again") from None
    if not isinstance(sites, dict) or not all(isinstance(one, str) for one in sites.values()):
        raise SettingError(f"{path}: expected addresses with tokens; remove it and log in again")
    return sites


def save_site(remote: Remote) -> Path:
    """Remember a site and its token, in a file that nobody else can read."""
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
