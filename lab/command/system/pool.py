# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Threads that start programs and wait for them."""
from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Callable, Iterable, Iterator

from . import guard

WAKE_SECONDS = 0.2   # the longest time for which a signal waits that comes just before a wait begins


class Pool(ThreadPoolExecutor):
    """A pool of threads. An exception in its `with`, such as a signal to the command, ends all programs below this process."""
    ended = False   # true from that exception on

    def results(self, function: Callable, items: Iterable) -> Iterator:
        """Yield the result of each item, in their order."""
        for future in [self.submit(function, item) for item in items]:
            while wait([future], WAKE_SECONDS).not_done:
                pass
            yield future.result()

    def __exit__(self, kind: Any, *_: Any) -> None:
        self.ended = kind is not None
        waiting = threading.Thread(target=self.shutdown, kwargs={"cancel_futures": self.ended})
        waiting.start()
        last = time.monotonic() + guard.GRACE_SECONDS
        while self.ended and (waiting.is_alive() or guard.descendants(0)):   # a thread may start a program after that which has ended
            guard.tell_all(0, signal.SIGINT if time.monotonic() < last else signal.SIGKILL)
            waiting.join(0.05)
        waiting.join()
