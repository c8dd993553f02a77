"""The search over all settings: its field, and the settings that match."""

from functools import lru_cache
from itertools import groupby

from imgui_bundle import imgui
from pydantic.fields import FieldInfo

from ocean.common.explanations import nearest
from ocean.common.parameters import unit_of
from ocean.settings import Settings
from ocean.window.ui import theme
from ocean.window.ui.theme import em, tooltip
from ocean.window.ui.widgets import HIDDEN as HIDDEN
from ocean.window.ui.widgets import Editor, choices_of, kinds_of, leaves

MOST = 40  # most settings that are shown


class Search:
    """Field for words, and the settings that match them."""

    def __init__(self) -> None:
        self.words = ""
        self.only_changed = False
        self._wants_focus = False

    def focus(self) -> None:
        """Put the keyboard into the field from the next frame on."""
        self._wants_focus = True

    @property
    def is_active(self) -> bool:
        """Return whether matching settings stand in place of the panel."""
        return bool(self.words.strip()) or self.only_changed

    def end(self) -> None:
        """Show the panel again."""
        self.words, self.only_changed = "", False

    def draw(self, edit: Editor) -> bool:
        """Draw the field, the switch beside it, and matching settings; return whether these stand in place of the
        panel."""
        if self._wants_focus:
            imgui.set_keyboard_focus_here()
            self._wants_focus = False
        has_words = bool(self.words)  # words from this frame come too late for the field's width
        imgui.set_next_item_width(-em(8.4 if has_words else 6.5))
        _, self.words = imgui.input_text_with_hint("##search", "Find a setting: foam, m/s …", self.words)
        if imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape):
            imgui.set_nav_cursor_visible(False)  # keys go back to the view
        if not imgui.is_item_active():  # else it would cover the matches
            tooltip("Type words of a setting's name, key, unit, help or choices. A setting matches all words. Ctrl+F")
        if has_words:
            imgui.same_line(0.0, em(0.3))
            if imgui.button("×##search", (em(1.5), 0)):
                self.words = ""
        imgui.same_line()
        _, self.only_changed = imgui.checkbox("changed", self.only_changed)
        tooltip("Show only settings that are not at their defaults.")
        if not self.is_active:
            return False
        found = matches(edit.settings, self.words)
        if self.only_changed:
            found = [path for path in found if edit.is_changed(path)]
        for group, paths in groupby(found[:MOST], group_of):
            imgui.separator_text(heading(group))
            for path in paths:
                edit.field(path, nested=False)  # matching fields of its kind have rows of their own
        if len(found) > MOST:
            theme.coloured(f"{len(found) - MOST} more match; add a word", theme.FAINT)
        if not found:
            names = [path.rpartition(".")[2] for path, _ in leaves(edit.settings)]
            hint = f"no setting has {self.words!r}{nearest(self.words, names)}" if self.words else "all are at defaults"
            theme.wrapped(hint, theme.FAINT)
        return True


@lru_cache(maxsize=4)
def matches(settings: Settings, words: str) -> list[str]:
    """Return the key paths of the settings that have all words, group by group; settings with the words in their names
    come first."""
    wanted = words.lower().split()
    found = [(path, text(path, info)) for path, info in leaves(settings)]
    hits = [path for path, words_of in found if all(word in words_of for word in wanted)]
    hits.sort(key=lambda path: not all(word in path.replace("_", " ") for word in wanted))
    groups = list(dict.fromkeys(map(group_of, hits)))
    return sorted(hits, key=lambda path: groups.index(group_of(path)))


def group_of(path: str) -> str:
    return path.rpartition(".")[0]


def heading(group: str) -> str:
    return " · ".join(part.upper() if part == "fft" else part.capitalize() for part in group.split("."))


def text(path: str, info: FieldInfo) -> str:
    """Return the text that is searched."""
    choices = [str(choice) for choice in choices_of(info)]
    choices += [str(kind.model_fields["kind"].default) for kind in kinds_of(info)]
    return " ".join([path, path.replace("_", " "), info.description or "", unit_of(info), *choices]).lower()
