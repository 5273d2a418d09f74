"""The process that reads a file: `python -m rag.reading.child '{"path": …}'` tells a line of JSON a page on its output.

{"of": 14}   {"page": {…}} …   {"end": true}        or   {"refused": "a sentence"}
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rag.documents import Unreadable
from rag.reading.opening import opened


def main(given: Mapping[str, Any]) -> None:
    """Read what is asked and tell it."""
    _limit(given["memory"], given["seconds"])
    try:
        of, pages = opened(Path(given["path"]), given["kind"], given["first"], given["characters"])
        _tell({"of": of})
        for page in pages:
            if page.number > given["pages"]:
                break
            _tell({"page": asdict(page)})
    except Unreadable as refused:
        _tell({"refused": str(refused)})
    except MemoryError:
        _tell({"refused": "it needs more memory to read than it may take."})
    else:
        _tell({"end": True})


def _tell(told: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def _limit(memory: int, seconds: float) -> None:
    """Hold this process to so much memory and processor time, where the system can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
