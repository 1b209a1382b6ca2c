"""The API's accounts: log in for a token, who am I, the tokens."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  pydantic reads it
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import Request  # noqa: TC002  FastAPI reads it
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from agon.website.account_pages.login import WRONG, check_log_in, registrar_of
from agon.website.accounts.names import LONGEST_TITLE
from agon.website.http.api_router import FOR_USERS, MISSING, ApiUser, api_router, moment
from agon.website.http.errors import not_found
from agon.website.http.lookup import Id  # noqa: TC001  FastAPI reads it
from agon.website.identity import PasswordNeededError
from agon.website.site import get_site

if TYPE_CHECKING:
    from agon.datastore.tokens import Token
    from agon.datastore.users import User

router = api_router("Accounts")

TokenName = Annotated[
    str, Field(min_length=1, max_length=LONGEST_TITLE, description="What the token is for.")
]


class Credentials(BaseModel):
    """A name and a password, for a token."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=4096)
    token_name: TokenName = "command line"  # noqa: S105


class NewTokenBody(BaseModel):
    """A token that is wanted."""

    name: TokenName


class UserBody(BaseModel):
    """An account."""

    name: str
    organiser: bool
    created: datetime


class TokenBody(BaseModel):
    """A token, without its secret."""

    id: int
    name: str
    created: datetime
    last_used: datetime | None


class SecretBody(TokenBody):
    """A new token with its secret, which is told this once."""

    token: str
    user: UserBody


@router.post("/login", responses=FOR_USERS)
def log_in(request: Request, body: Credentials) -> SecretBody:
    """Log in: a new token, to be sent as `Authorization: Bearer TOKEN` from now on."""
    site = get_site(request)
    user = check_log_in(request, site, body.name, body.password)
    if user is None:
        raise HTTPException(HTTPStatus.UNAUTHORIZED, WRONG, {"WWW-Authenticate": "Bearer"})
    if user.password_is_temporary:
        raise PasswordNeededError
    return _new_token(request, user, body.token_name)


@router.get("/me", responses=FOR_USERS)
def show_me(user: ApiUser) -> UserBody:
    """Who is logged in."""
    return _user_body(user)


@router.get("/tokens", responses=FOR_USERS)
def show_tokens(request: Request, user: ApiUser) -> list[TokenBody]:
    """The user's tokens that are not revoked."""
    return [_token_body(token) for token in registrar_of(get_site(request)).tokens(user)]


@router.post("/tokens", status_code=HTTPStatus.CREATED, responses=FOR_USERS)
def add_token(request: Request, user: ApiUser, body: NewTokenBody) -> SecretBody:
    """A new token for another program or machine."""
    return _new_token(request, user, body.name)


@router.delete(
    "/tokens/{token_id}",
    status_code=HTTPStatus.NO_CONTENT,
    responses=FOR_USERS | MISSING,
)
def revoke_token(request: Request, user: ApiUser, token_id: Id) -> None:
    """From now on the token opens nothing; it may be the one that this call shows."""
    site = get_site(request)
    if not registrar_of(site).revoke_token(user, token_id, site.now_ns()):
        raise not_found(f"token {token_id}: you have none of that id")


def _new_token(request: Request, user: User, name: str) -> SecretBody:
    site = get_site(request)
    token, secret = registrar_of(site).new_token(user, name, site.now_ns(), site.guard.most_tokens)
    return SecretBody(**_token_body(token).model_dump(), token=secret, user=_user_body(user))


def _token_body(token: Token) -> TokenBody:
    last = token.last_used_ns
    return TokenBody(
        id=token.id,
        name=token.name,
        created=moment(token.created_ns),
        last_used=None if last is None else moment(last),
    )


def _user_body(user: User) -> UserBody:
    return UserBody(name=user.name, organiser=user.organiser, created=moment(user.created_ns))
