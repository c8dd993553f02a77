"""Messages name keys, wrong values and remedies; their sentences are free."""

import re


def part(words):
    """Return a pattern of some words, which are not parts of longer words or numbers."""
    before = r"(?<![\w.])" if re.match(r"\w", words) else ""
    after = r"(?!\w|[.,]\d)" if re.search(r"\w$", words) else ""
    return before + re.escape(words) + after


def naming(*named):
    """Return a pattern for messages that name all items, in any order; a string may hold several items."""
    return "".join(rf"(?=[\s\S]*{part(word)})" for text in named for word in str(text).split())


def unnamed(message, *named):
    """Return the items that a message does not name."""
    return [word for text in named for word in str(text).split() if not re.search(part(word), message)]


def assert_refused(done, *named):
    """Check that a command ended with status 2 and one line that names all items."""
    assert done.returncode == 2
    assert done.stderr.strip().count("\n") == 0
    assert unnamed(done.stderr, *named) == []
