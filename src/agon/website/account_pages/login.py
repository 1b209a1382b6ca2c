"""The pages to register, log in and log out."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.exceptions import HTTPException

from agon.errors import AccountError, TakenError
from agon.website.accounts.lookalikes import normal_form
from agon.website.accounts.names import NAME_RULE
from agon.website.accounts.passwords import PASSWORD_RULE
from agon.website.accounts.policy import client_key, hold_up
from agon.website.accounts.registrar import Registrar
from agon.website.http.redirects import own_path, see
from agon.website.identity import current_user
from agon.website.render.pages import render
from agon.website.sessions import begin_session, end_session
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from agon.datastore.users import User

router = APIRouter(include_in_schema=False)

Field = Annotated[str, Form()]
WRONG = "The name or the password is wrong."


class SuspendedError(HTTPException):
    """An organiser keeps the user out."""

    def __init__(self, user: User) -> None:
        """Says why, in the organiser's words."""
        reason = f": {user.suspended_for}" if user.suspended_for else ""
        words = f"Your account is suspended{reason}. Ask an organiser of this site."
        super().__init__(HTTPStatus.FORBIDDEN, words)


def registrar_of(site: Site) -> Registrar:
    return Registrar(site.store, site.guard.passwords)


def check_log_in(request: Request, site: Site, name: str, password: str) -> User | None:
    """The user of that name and password; None if they do not fit, 429 after too many attempts.

    A suspended user is told so, if the password is right. An attempt counts for the address from
    which it comes, and for the name, known or not.
    """
    guard, now_ns = site.guard, site.now_ns()
    hold_up(guard.log_in_by_address, client_key(request), now_ns)
    key = normal_form(name[:200]).casefold()
    hold_up(guard.log_in_by_account, key, now_ns)
    user = registrar_of(site).open(name, password)
    if user is not None:
        guard.log_in_by_account.give_back(key)
        if user.suspended_ns is not None:
            raise SuspendedError(user)
    return user


@router.get("/login")
def show_log_in(request: Request, next: str = "/") -> Response:
    if current_user(request) is not None:
        return see(own_path(next))
    return _log_in_page(request, next, HTTPStatus.OK)


@router.post("/login")
def log_in(request: Request, name: Field = "", password: Field = "", next: Field = "/") -> Response:
    """Log in, and continue to the page that was asked for."""
    site = get_site(request)
    try:
        user = check_log_in(request, site, name, password)
    except SuspendedError as error:
        return _log_in_page(request, next, HTTPStatus.FORBIDDEN, name, error.detail)
    if user is None:
        return _log_in_page(request, next, HTTPStatus.UNPROCESSABLE_ENTITY, name, WRONG)
    response = see("/account" if user.password_is_temporary else own_path(next))
    begin_session(request, response, site, user)
    return response


def _log_in_page(
    request: Request, next: str, status: int, name: str = "", problem: str = ""
) -> Response:
    return render(
        request, "login.html", status=status, next=own_path(next), name=name, problem=problem
    )


@router.post("/logout")
def log_out(request: Request) -> Response:
    response = see("/")
    end_session(request, response, get_site(request))
    return response


@router.get("/register")
def show_register(request: Request, next: str = "/") -> Response:
    """The page on which to make an account."""
    _check_open(get_site(request))
    if current_user(request) is not None:
        return see(own_path(next))
    return _register_page(request, next, HTTPStatus.OK)


@router.post("/register")
def register(
    request: Request,
    name: Field = "",
    password: Field = "",
    again: Field = "",
    next: Field = "/",
) -> Response:
    """Create an account, and log in. That a name is taken cannot be kept a secret here."""
    site = get_site(request)
    _check_open(site)
    hold_up(site.guard.register, client_key(request), site.now_ns())
    try:
        if password != again:
            raise AccountError("The two passwords are not the same.")
        user = registrar_of(site).register(name, password, site.now_ns())
    except TakenError:
        problem = f"The name {name!r} is taken. Choose another one."
        return _register_page(request, next, HTTPStatus.CONFLICT, name, problem)
    except AccountError as error:
        return _register_page(request, next, HTTPStatus.UNPROCESSABLE_ENTITY, name, str(error))
    response = see(own_path(next))
    begin_session(request, response, site, user)
    return response


def _register_page(
    request: Request, next: str, status: int, name: str = "", problem: str = ""
) -> Response:
    return render(
        request,
        "register.html",
        status=status,
        next=own_path(next),
        name=name,
        problem=problem,
        name_rule=NAME_RULE,
        password_rule=PASSWORD_RULE,
    )


def _check_open(site: Site) -> None:
    if not site.settings.open_registration:
        raise HTTPException(
            HTTPStatus.FORBIDDEN, "Accounts are made by the organisers of this site: ask them."
        )
