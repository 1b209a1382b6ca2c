"""The organisers' page of users: make accounts, reset passwords, give rights, suspend, remove."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from starlette.exceptions import HTTPException

from agon.datastore.enums import AuditAction
from agon.errors import AccountError, TakenError
from agon.website.account_pages.login import registrar_of
from agon.website.accounts.names import LONGEST_REASON, NAME_RULE, check_reason, is_user_name
from agon.website.http.errors import not_found
from agon.website.http.redirects import see
from agon.website.identity import Organiser  # noqa: TC001  FastAPI reads it
from agon.website.render.pages import render
from agon.website.sessions import read_cookie
from agon.website.site import get_site

if TYPE_CHECKING:
    from agon.datastore.users import User

router = APIRouter(prefix="/users", include_in_schema=False)

Field = Annotated[str, Form()]
TOLD = "agon_told"
"""The cookie with a password on its way to the page that tells it."""
TOLD_SECONDS = 60
DONE = {
    "removed": "The user is removed.",
    "suspended": "The user is suspended: logged out everywhere, and the bots do not play.",
    "reinstated": "The user may log in again, and the bots play again.",
    "organiser": "The user is an organiser now.",
    "user": "The user is no longer an organiser.",
}


@router.get("")
def show_users(request: Request, organiser: Organiser, done: str = "") -> Response:
    """All users; and a new password, once, if the organiser has just given one."""
    name, _, password = (read_cookie(request, TOLD) or "").partition(":")
    page = _page(request, notice=DONE.get(done, ""), reset=name, password=password)
    if password:
        page.delete_cookie(TOLD, path="/users", httponly=True, samesite="strict")
    return page


@router.post("")
def add_user(
    request: Request, organiser: Organiser, name: Field = "", rights: Field = "user"
) -> Response:
    """Create an account for another person, with a password that is shown once."""
    site = get_site(request)
    try:
        user, password = registrar_of(site).create_account(
            name, site.now_ns(), organiser=rights == "organiser"
        )
    except TakenError:
        return _page(request, HTTPStatus.CONFLICT, name=name, problem=f"{name!r} is taken.")
    except AccountError as error:
        return _page(request, HTTPStatus.UNPROCESSABLE_ENTITY, name=name, problem=str(error))
    site.note(organiser, AuditAction.ADD_USER, user.name, user.id, _rights(user))
    return _tell(request, user, password)


@router.post("/{name}/password")
def reset_password(request: Request, organiser: Organiser, name: str) -> Response:
    """A temporary password, which is told once."""
    site, user = get_site(request), _find_other(request, organiser, name)
    password = registrar_of(site).reset_password(user, site.now_ns())
    site.note(organiser, AuditAction.RESET_PASSWORD, user.name, user.id)
    return _tell(request, user, password)


@router.post("/{name}/organiser")
def set_organiser(
    request: Request, organiser: Organiser, name: str, rights: Field = "user"
) -> Response:
    """Make the user an organiser, or no organiser any more."""
    user = _find_other(request, organiser, name)
    if rights not in ("organiser", "user"):
        raise HTTPException(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"rights {rights[:40]!r}: expected organiser or user"
        )
    site, gives = get_site(request), rights == "organiser"
    site.store.users.set_organiser(user.id, gives)
    action = AuditAction.GIVE_RIGHTS if gives else AuditAction.TAKE_RIGHTS
    site.note(organiser, action, user.name, user.id)
    return see(f"/users?done={rights}")


@router.post("/{name}/suspend")
def suspend_user(request: Request, organiser: Organiser, name: str, reason: Field = "") -> Response:
    """Keep the user out for a while, with a reason that the user is told."""
    site, user = get_site(request), _find_other(request, organiser, name)
    why = check_reason(reason)
    site.store.users.suspend(user.id, why, site.now_ns())
    site.pages.forget()
    site.note(organiser, AuditAction.SUSPEND_USER, user.name, user.id, why)
    return see("/users?done=suspended")


@router.post("/{name}/reinstate")
def reinstate_user(request: Request, organiser: Organiser, name: str) -> Response:
    site, user = get_site(request), _find_other(request, organiser, name)
    site.store.users.reinstate(user.id)
    site.pages.forget()
    if site.workers is not None:
        site.workers.ring_checkers()
        for game in {bot.game for bot in site.store.bots.all(owner_id=user.id)}:
            site.workers.ring_ladder(game)
    site.note(organiser, AuditAction.REINSTATE_USER, user.name, user.id)
    return see("/users?done=reinstated")


@router.post("/{name}/remove")
def remove_user(request: Request, organiser: Organiser, name: str) -> Response:
    """Close the user's account; the bots play no more, their matches stay."""
    site, user = get_site(request), _find_other(request, organiser, name)
    site.store.users.remove(user.id, site.now_ns())
    site.note(organiser, AuditAction.REMOVE_USER, user.name, user.id)
    return see("/users?done=removed")


def _rights(user: User) -> str:
    return "organiser" if user.organiser else ""


def _find_other(request: Request, organiser: User, name: str) -> User:
    """The user of that name, but not the organiser who asks: one is always left."""
    user = get_site(request).store.users.find(name) if is_user_name(name) else None
    if user is None or user.removed_ns is not None:
        raise not_found(f"There is no user {name[:40]!r}.")
    if user.id == organiser.id:
        raise HTTPException(
            HTTPStatus.CONFLICT, "This is you: use your account page, or ask another organiser."
        )
    return user


def _tell(request: Request, user: User, password: str) -> Response:
    """Send the browser on to the page that tells the password: to load that again does nothing."""
    response = see("/users")
    response.set_cookie(
        TOLD,
        f"{user.name}:{password}",
        max_age=TOLD_SECONDS,
        path="/users",
        secure=get_site(request).settings.secure_cookies,
        httponly=True,
        samesite="strict",
    )
    return response


def _page(request: Request, status: int = HTTPStatus.OK, **shown: Any) -> Response:
    said: dict[str, Any] = {
        "notice": "",
        "problem": "",
        "name": "",
        "reset": "",
        "password": "",
    }
    return render(
        request,
        "users.html",
        status=status,
        users=get_site(request).store.users.all(),
        name_rule=NAME_RULE,
        longest_reason=LONGEST_REASON,
        **(said | shown),
    )
