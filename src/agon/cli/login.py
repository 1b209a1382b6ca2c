"""`agon login`: a token for a site, stored for the commands that need one."""

from __future__ import annotations

import getpass
import socket
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from agon.errors import SettingError

if TYPE_CHECKING:
    from agon.cli.remote import Remote

Url = Annotated[str, typer.Argument(metavar="URL", help="The address of the site.")]
Name = Annotated[
    str | None, typer.Option(metavar="NAME", help="Your user name; without it you are asked.")
]
TokenStdin = Annotated[
    bool,
    typer.Option(
        "--token-stdin",
        metavar="",
        help="Read a token, created on the account page, from the first line of stdin.",
    ),
]


def login(url: Url, name: Name = None, token_stdin: TokenStdin = False) -> None:
    """Log in to a site: asks for name and password, and stores a token.

    The token is stored in a file that only you can read; the password is not stored.

    \b
    Examples:
      agon login http://localhost:8000
      agon login https://agon.example.org --name ada
      agon login https://agon.example.org --token-stdin < token.txt
    """
    from agon.cli.remote import Remote, parse_url, save_site

    site = Remote(parse_url(url))
    opened = Remote(site.url, read_token() if token_stdin else ask_token(site, name))
    user = opened.get("/me")
    path = save_site(opened)
    print(f"logged in to {opened.url} as {user['name']}; the token is in {path}")


def read_token() -> str:
    token = sys.stdin.readline().strip()
    if not token or not token.isascii() or not token.isprintable():
        raise SettingError("--token-stdin: expected a token on the first line of stdin")
    return token


def ask_token(site: Remote, name: str | None) -> str:
    """Ask for name and password on the terminal, and exchange them for a token."""
    if not sys.stdin.isatty():
        raise SettingError("there is no terminal to ask for a password on: use --token-stdin")
    name = name or input("Name: ").strip()
    password = getpass.getpass("Password: ")
    label = f"command line, {socket.gethostname()}"
    body = {"name": name, "password": password, "token_name": label[:100]}
    token: str = site.post("/login", body)["token"]
    return token
