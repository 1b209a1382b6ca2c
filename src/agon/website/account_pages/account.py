"""A user's own page: password, tokens, sessions, and the end of the account."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Form, Request, Response

from agon.errors import AccountError
from agon.website.account_pages.login import registrar_of
from agon.website.accounts.passwords import PASSWORD_RULE
from agon.website.accounts.policy import hold_up
from agon.website.http.errors import not_found
from agon.website.http.redirects import see
from agon.website.identity import Account, LoggedIn, identify
from agon.website.render.pages import render
from agon.website.sessions import end_session
from agon.website.site import get_site

if TYPE_CHECKING:
    from agon.datastore.users import User

router = APIRouter(prefix="/account", include_in_schema=False)

Field = Annotated[str, Form()]
WRONG = "This is not your password."
DONE = {
    "password": "Your password is changed. You are logged out everywhere else.",
    "sessions": "You are logged out everywhere else.",
    "token": "The token is revoked.",
}


@router.get("")
def show_account(request: Request, user: Account, done: str = "") -> Response:
    return _page(request, user, notice=DONE.get(done, ""))


@router.post("/password")
def change_password(
    request: Request, user: Account, old: Field = "", new: Field = "", again: Field = ""
) -> Response:
    """Another password; the user's other sessions end."""
    site, session = get_site(request), identify(request).session
    try:
        _check_password(request, user, old)
        if new != again:
            raise AccountError("The two new passwords are not the same.")
        but = None if session is None else session.id
        registrar_of(site).change_password(user, new, but=but)
    except AccountError as error:
        return _page(request, user, password_problem=str(error))
    return see("/account?done=password")


@router.post("/sessions/end")
def end_other_sessions(request: Request, user: Account) -> Response:
    """Log out everywhere else."""
    session = identify(request).session
    get_site(request).store.sessions.end_all(user.id, but=None if session is None else session.id)
    return see("/account?done=sessions")


@router.post("/tokens")
def add_token(request: Request, user: LoggedIn, name: Field = "") -> Response:
    """A new token; its secret is on this answer and nowhere else."""
    site = get_site(request)
    try:
        token, secret = registrar_of(site).new_token(
            user, name, site.now_ns(), site.guard.most_tokens
        )
    except AccountError as error:
        return _page(request, user, token_problem=str(error), token_name=name)
    return _page(request, user, new_token=token, new_secret=secret)


@router.post("/tokens/{token_id}/revoke")
def revoke_token(request: Request, user: LoggedIn, token_id: int) -> Response:
    """From now on the token opens nothing."""
    site = get_site(request)
    if not registrar_of(site).revoke_token(user, token_id, site.now_ns()):
        raise not_found(f"You have no token {token_id}.")
    return see("/account?done=token")


@router.post("/close")
def close_account(request: Request, user: Account, password: Field = "") -> Response:
    """The end of the account: its bots play no more, its name stays taken."""
    site = get_site(request)
    try:
        _check_password(request, user, password)
        if user.organiser and _organisers(request) == 1:
            raise AccountError("You are the only organiser: first make another user organiser.")
    except AccountError as error:
        return _page(request, user, close_problem=str(error))
    site.store.users.remove(user.id, site.now_ns())
    response = see("/")
    end_session(request, response, site)
    return response


def _check_password(request: Request, user: User, password: str) -> None:
    """Check the password again, with the limits of a log-in: a browser may be left open."""
    site = get_site(request)
    key = user.name.casefold()
    hold_up(site.guard.log_in_by_account, key, site.now_ns())
    if not registrar_of(site).is_password(user, password):
        raise AccountError(WRONG)
    site.guard.log_in_by_account.give_back(key)


def _organisers(request: Request) -> int:
    users = get_site(request).store.users.all()
    return sum(user.organiser and user.is_present for user in users)


def _page(request: Request, user: User, **shown: Any) -> Response:
    """The page, with what is to be said beside one of its forms."""
    site = get_site(request)
    said: dict[str, Any] = {
        "notice": "",
        "password_problem": "",
        "token_problem": "",
        "token_name": "",
        "close_problem": "",
        "new_token": None,
        "new_secret": "",
    }
    wrong = any(shown.get(name) for name in said if name.endswith("_problem"))
    return render(
        request,
        "account.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        tokens=registrar_of(site).tokens(user),
        sessions=site.store.sessions.of_user(user.id),
        session=identify(request).session,
        password_rule=PASSWORD_RULE,
        **(said | shown),
    )
