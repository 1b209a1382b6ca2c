"""What people write is shown as Markdown, and can do no harm."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.website.render.user_markdown import show_remark

TAG = re.compile(r"<(/?)([a-z0-9]+)([^>]*)>")
KNOWN = {
    "p", "strong", "em", "code", "pre", "a", "ul", "ol", "li", "br", "hr", "blockquote",
    "div", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


def test_bold_lists_and_lines_as_typed() -> None:
    shown = show_remark("**Friday**, at noon.\nBring a bot.\n\n- one\n- two")
    assert "<strong>Friday</strong>" in shown
    assert re.search(r"noon\.<br\s*/?>\s*Bring", shown)
    assert shown.count("<li>") == 2


def test_a_heading_is_no_heading_of_the_page() -> None:
    assert show_remark("# Prizes") == "<p><strong>Prizes</strong></p>\n"


def test_links_are_marked_as_written_by_users() -> None:
    shown = show_remark("[rules](/learn/hive) and [us](https://club.example/)")
    assert 'href="/learn/hive"' in shown
    assert 'href="https://club.example/"' in shown
    assert shown.count('rel="nofollow noreferrer ugc"') == 2


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,hello)",
        "[x](//evil.example/)",
        "[x](matches)",
        "<javascript:alert(1)>",
    ],
)
def test_no_link_leads_where_it_should_not(text: str) -> None:
    assert "<a" not in show_remark(text)


def test_html_is_text_and_pictures_are_their_words() -> None:
    shown = show_remark("<script>alert(1)</script> ![a **board**](https://evil.example/x.png)")
    assert "&lt;script&gt;" in shown
    assert "<script" not in shown
    assert "<img" not in shown
    assert "evil.example" not in shown
    assert "a <strong>board</strong>" in shown


@given(st.text(alphabet=st.sampled_from("<>&\"'[]()!#*_`|-\n :/a\\1"), max_size=80))
def test_whatever_is_written_there_are_only_known_tags(text: str) -> None:
    shown = show_remark(text)
    for _, name, attributes in TAG.findall(shown):
        assert name in KNOWN, shown
        assert not re.search(r"\bon\w+=|style=", attributes), shown


def test_what_stands_in_a_picture_is_mended_too() -> None:
    assert "evil" not in show_remark("![[x](//evil.example)](y)")
    assert "<img" not in show_remark("![ ![a](https://evil.example/t.png) ](x)")
