"""The thread that evaluates spectra while the old sea runs on. Knows no GPU."""

from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace

from ocean.sea.blend import Change, SeaSpectrum, make_change
from ocean.settings import Settings


class SpectrumWorker:
    """Makes changes in a thread, one at a time; a request that comes while one is being made replaces those waiting."""

    SLICE = 0.005

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="spectrum")
        self._running: tuple[Future[Change], SeaSpectrum, float] | None = None
        self._waiting: tuple[Settings, float] | None = None

    @property
    def is_busy(self) -> bool:
        return self._running is not None

    def request(self, settings: Settings, current: SeaSpectrum, duration: float) -> None:
        """Ask for the change to the sea of these settings, to take `duration` seconds."""
        if self._running is None:
            self._running = self._executor.submit(make_change, settings, current), current, duration
        else:
            self._waiting = settings, duration

    def poll(self) -> Change | None:
        """A change that is ready; raises what making it raised. Either way the request that waits comes next.

        While one is being made, each call leaves Python to the worker for SLICE seconds: moderngl keeps Python's lock
        through every call, and on a slow GPU the worker would starve.
        """
        if self._running is None:
            return None
        future, current, duration = self._running
        if not wait([future], timeout=self.SLICE).done:
            return None
        self._running = None
        try:
            change = replace(future.result(), duration=duration)
            current = change.wanted
        finally:
            if self._waiting is not None:
                (settings, duration), self._waiting = self._waiting, None
                self.request(settings, current, duration)
        return change

    def forget(self) -> None:
        """Drop all requests."""
        self._running = self._waiting = None

    def shutdown(self) -> None:
        self.forget()
        self._executor.shutdown(cancel_futures=True)
