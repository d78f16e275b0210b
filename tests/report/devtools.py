"""Drives headless Chromium by its DevTools protocol, over pipes: no port, no further package."""

import base64
import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chromium import CHROMIUM, FLAGS

_PATIENCE_SECONDS = 20


class Tab:
    """One page. Everything that its console said and that it asked the network for is kept."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._unread = b""
        self._number = 0
        self._session: str | None = None
        self.console: list[str] = []
        self.requests: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """The result of one command; events that come meanwhile are kept."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, page: Path, width: int = 1400, height: int = 900, *, dark: bool = False) -> None:
        """Load a file in a window of that size, and wait until it is loaded."""
        self.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Page.navigate", url=page.as_uri())
        self.wait_for("document.readyState === 'complete'")

    def resize(self, width: int, height: int) -> None:
        """Make the window that large, in CSS pixels."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, its promise awaited."""
        told = self.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Return once the expression is true."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < until, f"never true: {expression}"
            time.sleep(0.02)

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press and let go one key."""
        about = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **about)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **about)

    def mouse(self, kind: str, x: float, y: float, buttons: int = 0) -> None:
        """`mouseMoved`, `mousePressed` or `mouseReleased` at a place of the window."""
        button = "left" if kind != "mouseMoved" else "none"
        self.ask(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button=button,
            buttons=buttons,
            clickCount=1,
        )

    def picture(self, path: Path) -> None:
        """Write what the window shows as PNG."""
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def printed(self) -> bytes:
        """The page as PDF."""
        return base64.b64decode(self.ask("Page.printToPDF")["data"])

    def close_browser(self) -> None:
        """Let the browser end by itself: killed, it leaves files in the folder of temporary ones."""
        os.write(self._to, b'{"id": 0, "method": "Browser.close"}\0')

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            part = os.read(self._from, 1 << 20)
            assert part, "Chromium ended"
            self._unread += part
        text, _, self._unread = self._unread.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        self._keep(message.get("method", ""), message.get("params", {}))
        return message

    def _keep(self, method: str, told: dict[str, Any]) -> None:
        if method == "Log.entryAdded":
            self.console.append(told["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.console.append(json.dumps(told["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(json.dumps(told["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])


@contextmanager
def browser(profile: Path, *flags: str) -> Iterator[Tab]:
    """A tab of a Chromium of its own, which is ended behind."""
    assert CHROMIUM is not None
    read_by_browser, to_browser = os.pipe()
    from_browser, written_by_browser = os.pipe()

    # Chromium reads commands from 3 and writes to 4. Bash gives the pipes these
    # numbers; other shells take none of two digits.
    script = f'exec "$@" 3<&{read_by_browser} 4>&{written_by_browser}'
    process = subprocess.Popen(
        [
            "bash",
            "-c",
            script,
            "bash",
            CHROMIUM,
            *FLAGS,
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
            *flags,
        ],
        pass_fds=(read_by_browser, written_by_browser),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    os.close(read_by_browser)
    os.close(written_by_browser)
    try:
        tab = Tab(to_browser, from_browser)
        yield tab
        tab.close_browser()
        process.wait(_PATIENCE_SECONDS)
    finally:
        os.close(to_browser)
        os.close(from_browser)
        process.terminate()
        process.wait(timeout=20)
