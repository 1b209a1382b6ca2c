"""The audit log for organisers: a page, the latest entries first, and all of it as JSON."""

from __future__ import annotations

import json

from fastapi import APIRouter, Request, Response

from agon.datastore.enums import AuditAction
from agon.website.http.lookup import SomeId  # noqa: TC001  FastAPI reads it
from agon.website.identity import Organiser  # noqa: TC001  FastAPI reads it
from agon.website.render.filters import date
from agon.website.render.pages import render
from agon.website.site import get_site

router = APIRouter(include_in_schema=False)

PAGE = 50
WORDS = {
    AuditAction.ADD_USER: "created the account of",
    AuditAction.RESET_PASSWORD: "reset the password of",
    AuditAction.GIVE_RIGHTS: "gave organiser rights to",
    AuditAction.TAKE_RIGHTS: "took organiser rights from",
    AuditAction.SUSPEND_USER: "suspended",
    AuditAction.REINSTATE_USER: "reinstated",
    AuditAction.REMOVE_USER: "removed",
    AuditAction.WITHDRAW_VERSION: "withdrew the bot",
    AuditAction.DELETE_BOT: "deleted the bot",
    AuditAction.ADD_CONTEST: "created the contest",
    AuditAction.EDIT_CONTEST: "edited the contest",
    AuditAction.MOVE_CONTEST: "changed the state of",
    AuditAction.PUBLISH_CONTEST: "published",
    AuditAction.HIDE_CONTEST: "hid",
    AuditAction.REMOVE_CONTEST: "deleted the contest",
    AuditAction.ENTER_BOT: "entered a bot in",
    AuditAction.TAKE_OUT_BOT: "took a bot out of",
}
"""What stands between the organiser and the user, bot or contest."""


@router.get("/audit")
def show_audit_log(request: Request, organiser: Organiser, before: SomeId = None) -> Response:
    found = get_site(request).store.audit_log.find(PAGE + 1, before)
    return render(
        request,
        "audit.html",
        entries=found[:PAGE],
        words=WORDS,
        before=before,
        older=found[PAGE - 1].id if len(found) > PAGE else None,
    )


@router.get("/audit.json")
def download_audit_log(request: Request, organiser: Organiser) -> Response:
    """All of it, the latest first."""
    entries = [
        {
            "id": entry.id,
            "at": date(entry.at_ns),
            "by": entry.by,
            "action": entry.action,
            "target": entry.target,
            "target_id": entry.target_id,
            "detail": entry.detail,
        }
        for entry in get_site(request).store.audit_log.find()
    ]
    headers = {"Content-Disposition": 'attachment; filename="agon-audit.json"'}
    return Response(json.dumps(entries, indent=1), 200, headers, "application/json")
