"""The search over all settings: its field, and the settings that match."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from imgui_bundle import imgui
from pydantic.fields import FieldInfo

from ocean.common.explanations import nearest
from ocean.common.parameters import Parameters, unit_of
from ocean.settings import Settings, value_at
from ocean.window.ui import theme
from ocean.window.ui.theme import em, tooltip
from ocean.window.ui.widgets import Editor, choices_of, kinds_of

HIDDEN = ("window.width", "window.height", "capture.width", "capture.height", "window.panel")
"""Sizes of pictures, which the mouse changes or nobody sees here, and the switch that would hide the search."""
MOST = 40  # settings that are shown


class Search:
    """Field for words, and the settings that match them."""

    def __init__(self) -> None:
        self.words = ""
        self._wants_focus = False

    def focus(self) -> None:
        """Put the keyboard into the field from the next frame on."""
        self._wants_focus = True

    def draw(self, edit: Editor) -> bool:
        """Draw the field and the settings that match; return whether there are words to look for."""
        if self._wants_focus:
            self._wants_focus = False
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-em(1.9) if self.words else -1)
        _, self.words = imgui.input_text_with_hint("##search", "Find a setting: foam, m/s, sun …", self.words)
        tooltip("Type words of a setting's name, key, unit, help or choices. A setting matches all words. Ctrl+F")
        if self.words:
            imgui.same_line(0.0, em(0.3))
            if imgui.button("×##search", imgui.ImVec2(em(1.5), 0)):
                self.words = ""
        if not self.words.strip():
            return False
        found = matches(edit.settings, self.words)
        for group, paths in groupby(found[:MOST], lambda path: path.rpartition(".")[0]):
            imgui.separator_text(group.replace(".", " · "))
            for path in paths:
                edit.field(path, nested=False)  # what matches of its kind has a row of its own
        if len(found) > MOST:
            theme.coloured(f"{len(found) - MOST} more match; add a word", theme.FAINT)
        if not found:
            names = [path.rpartition(".")[2] for path, _ in leaves(edit.settings)]
            imgui.push_text_wrap_pos(0.0)
            theme.coloured(f"no setting has {self.words!r}{nearest(self.words, names)}", theme.FAINT)
            imgui.pop_text_wrap_pos()
        return True


@lru_cache(maxsize=4)
def matches(settings: Settings, words: str) -> list[str]:
    """Return the key paths of the settings that have all words; those with the words in their names come first."""
    wanted = words.lower().split()
    found = [(path, text(path, info)) for path, info in leaves(settings)]
    hits = [path for path, words_of in found if all(word in words_of for word in wanted)]
    return sorted(hits, key=lambda path: not all(word in path.replace("_", " ") for word in wanted))


def leaves(model: Parameters, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield all fields with a value, by key path; those of a kind follow the field that chooses it."""
    for name, info in type(model).model_fields.items():
        value, path = value_at(model, name), f"{prefix}{name}"
        if name == "kind" or path in HIDDEN or info.exclude:
            continue
        if kinds_of(info) or not isinstance(value, Parameters):
            yield path, info
        if isinstance(value, Parameters):
            yield from leaves(value, f"{path}.")


def text(path: str, info: FieldInfo) -> str:
    """Return the text in which words are looked for."""
    choices = [str(choice) for choice in choices_of(info)]
    choices += [str(kind.model_fields["kind"].default) for kind in kinds_of(info)]
    return " ".join([path, path.replace("_", " "), info.description or "", unit_of(info), *choices]).lower()
