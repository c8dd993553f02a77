"""The thread that computes amplitudes while the old sea runs on. Knows no GPU."""

from concurrent.futures import Future, ThreadPoolExecutor, wait

from ocean.sea.blend import SeaChange, SeaSpectrum, make_sea_change
from ocean.settings import Settings


class SpectrumWorker:
    """A thread that makes one change at a time. A new request replaces a waiting one."""

    SLICE = 0.005  # longest wait of a poll [s]

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="spectrum")
        self._running: tuple[Future[SeaChange], SeaSpectrum] | None = None
        self._waiting: tuple[Settings, float] | None = None

    @property
    def is_busy(self) -> bool:
        return self._running is not None

    def request(self, settings: Settings, current: SeaSpectrum, duration: float) -> None:
        """Request the change to the sea of these settings, with a blend of `duration` seconds."""
        if self._running is None:
            self._running = self._executor.submit(make_sea_change, settings, current, duration), current
        else:
            self._waiting = settings, duration

    def poll(self) -> SeaChange | None:
        """Return a finished change, or None, and start the waiting request. Raises the errors of making the change.

        While a change is being made, each call waits for up to SLICE seconds: moderngl holds Python's global lock in
        every call, and on a slow GPU the worker would starve.
        """
        if self._running is None:
            return None
        future, current = self._running
        if not wait([future], timeout=self.SLICE).done:
            return None
        self._running = None
        try:
            change = future.result()
            current = change.wanted
        finally:
            if self._waiting is not None:
                (settings, duration), self._waiting = self._waiting, None
                self.request(settings, current, duration)
        return change

    def forget(self) -> None:
        self._running = self._waiting = None

    def shutdown(self) -> None:
        self.forget()
        self._executor.shutdown(cancel_futures=True)
