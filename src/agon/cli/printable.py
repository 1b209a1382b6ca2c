"""Text from bots and files, made fit for a terminal."""


def printable(text: str) -> str:
    r"""The text with everything that would do something to a terminal spelled out.

    >>> print(printable("wS1\x1b[2J"))
    wS1\x1b[2J
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
