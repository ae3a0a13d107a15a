# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Threads that start programs and wait for them."""
from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from . import guard


class Pool(ThreadPoolExecutor):
    """A pool of threads. An exception in its `with`, such as a signal to the command, ends all programs below this process."""
    ended = False   # true from that exception on

    def __exit__(self, kind: Any, *_: Any) -> None:
        self.ended = kind is not None
        waiting = threading.Thread(target=self.shutdown)
        waiting.start()
        last = time.monotonic() + guard.GRACE_SECONDS
        while self.ended and waiting.is_alive():   # a thread may start a program after that which has just ended
            guard.tell_all(0, signal.SIGINT if time.monotonic() < last else signal.SIGKILL)
            waiting.join(0.05)
        waiting.join()
