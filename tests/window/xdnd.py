"""A program that drops a file on a window, as a file manager does (X Drag and Drop, version 5).

Run it as `python xdnd.py WINDOW X Y FILE TYPES`, with the point on the root window and the number of offered data
types.
"""

import sys
import time
from ctypes import POINTER as pointer_to
from ctypes import byref, c_ubyte, cast, create_string_buffer, sizeof
from pathlib import Path

from pyglet.libs.x11 import xlib

PROPERTY_REPLACE, ATOM = 0, 4
VERSION, HAS_A_LIST, MOST_WITHOUT = 5, 1, 3
TYPES = "text/uri-list", "text/plain", "STRING", "TEXT"


class Source:
    """Window that offers one file."""

    def __init__(self, path: Path, count: int) -> None:
        self.display = xlib.XOpenDisplay(None)
        self.window = xlib.XCreateSimpleWindow(self.display, xlib.XDefaultRootWindow(self.display), 0, 0, 1, 1, 0, 0, 0)
        self.text = f"{path.resolve().as_uri()}\r\n".encode()
        self.types = [self.atom(name) for name in TYPES[:count]]
        self._change(self.window, self.atom("XdndTypeList"), ATOM, 32, (xlib.Atom * count)(*self.types), count)
        xlib.XSetSelectionOwner(self.display, self.atom("XdndSelection"), self.window, xlib.CurrentTime)

    def atom(self, name: str) -> int:
        return xlib.XInternAtom(self.display, create_string_buffer(name.encode()), False)

    def _change(self, window, name, kind, bits, values, count) -> None:
        data = cast(values, pointer_to(c_ubyte))
        xlib.XChangeProperty(self.display, window, name, kind, bits, PROPERTY_REPLACE, data, count)

    def tell(self, target: int, name: str, *data: int) -> None:
        """Send one of the protocol's messages."""
        event = xlib.XEvent()
        event.xclient.type, event.xclient.window, event.xclient.format = xlib.ClientMessage, target, 32
        event.xclient.message_type = self.atom(name)
        for number, value in enumerate((self.window, *data)):
            event.xclient.data.l[number] = value
        xlib.XSendEvent(self.display, target, False, 0, byref(event))
        xlib.XFlush(self.display)

    def answer(self) -> None:
        """Wait for the request for the dropped data, and answer it."""
        event, end = xlib.XEvent(), time.monotonic() + 120
        while time.monotonic() < end:
            while xlib.XPending(self.display):
                xlib.XNextEvent(self.display, byref(event))
                if event.type == xlib.SelectionRequest:
                    self._give(event.xselectionrequest)
                    return
            time.sleep(0.02)
        raise SystemExit("nobody asked what is dropped")

    def _give(self, asked) -> None:
        buffer = create_string_buffer(self.text)
        self._change(asked.requestor, asked.property, asked.target, 8, buffer, sizeof(buffer) - 1)
        event = xlib.XEvent()
        event.xselection.type, event.xselection.requestor = xlib.SelectionNotify, asked.requestor
        event.xselection.selection, event.xselection.target = asked.selection, asked.target
        event.xselection.property, event.xselection.time = asked.property, asked.time
        xlib.XSendEvent(self.display, asked.requestor, False, 0, byref(event))
        xlib.XSync(self.display, False)


def main(target: int, x: int, y: int, path: Path, count: int) -> None:
    source = Source(path, count)
    flag = HAS_A_LIST if count > MOST_WITHOUT else 0
    source.tell(target, "XdndEnter", VERSION << 24 | flag, *source.types[:MOST_WITHOUT])
    source.tell(target, "XdndPosition", 0, x << 16 | y, 0, source.atom("XdndActionCopy"))
    source.tell(target, "XdndDrop", 0, 0)
    source.answer()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]), int(sys.argv[5]))
