"""A headless Chromium with WebGL 2 in software, driven by the DevTools protocol over a pair of pipes."""

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = "chromium", "chromium-browser", "google-chrome"
EXECUTABLE = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # containers run as root
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
    "--no-first-run",
    "--remote-debugging-pipe",  # commands on descriptor 3, answers on 4, each ended by a zero byte
)


class Page:
    """One page. Messages that the page writes to its console, errors and refusals of its policy are in `messages`."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = os.fdopen(commands, "wb", 0), os.fdopen(answers, "rb", 0)
        self._count, self._buffer, self._session = 0, b"", ""
        self.messages: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        self._commands.close()
        self._answers.close()

    def call(self, method: str, **parameters: Any) -> Any:
        """Return the result of a command of the protocol. Raises RuntimeError with the browser's message."""
        self._count += 1
        command = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        self._commands.write(json.dumps(command).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._note(answer)

    def _read(self) -> Any:
        while b"\0" not in self._buffer:
            part = os.read(self._answers.fileno(), 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self._buffer += part
        text, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(text)

    def _note(self, event: Any) -> None:
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(one.get("value", "")) for one in parameters["args"]))
        elif event.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif event.get("method") == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"])

    def open(self, path: Path, fragment: str = "") -> None:
        self.call("Page.navigate", url="about:blank")
        while self.run("location.href") != "about:blank":  # the last page may still answer
            time.sleep(0.01)
        self.call("Page.navigate", url=path.resolve().as_uri() + fragment)

    def run(self, script: str) -> Any:
        """Return the value of an expression, awaited if it is a promise. Raises RuntimeError if the script throws."""
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["exception"].get("description", "the script has failed"))
        return found["result"].get("value")

    def size(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def chromium(folder: Path) -> Iterator[Page]:
    """Yield a page of a browser whose profile lies in a folder, and end the browser."""
    assert EXECUTABLE
    read, commands = os.pipe()
    answers, write = os.pipe()

    def connect() -> None:
        os.dup2(read, 10)
        os.dup2(write, 11)
        os.dup2(10, 3)
        os.dup2(11, 4)

    browser = subprocess.Popen(
        [EXECUTABLE, *FLAGS, f"--user-data-dir={folder}"],
        preexec_fn=connect,
        close_fds=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(read)
    os.close(write)
    page = Page(commands, answers)
    try:
        yield page
    finally:
        page.close()
        browser.terminate()
        browser.wait(timeout=300)
