"""Work on the items of one thread by several threads, in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def ahead(function: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """Yield the results of a function for items, in their order, while up to `threads` threads work on the items that
    follow. The calling thread makes the items, and does all the work if `threads` is 0.

    Raises:
        The function's errors, when its result is taken.
    """
    if threads == 0:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        begun: deque[Future[Result]] = deque()
        for item in items:
            begun.append(pool.submit(function, item))
            if len(begun) > threads:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()
