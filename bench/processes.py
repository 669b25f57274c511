"""What a tree of processes used, read from /proc: CPU time in seconds, resident memory in MB."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the command's name: state first, then the parent's id."""
    return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()


def tree(root: int) -> list[int]:
    """The process and its descendants."""
    children: dict[int, list[int]] = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                children.setdefault(int(_stat(int(entry.name))[1]), []).append(int(entry.name))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, []))
    return found


def _nanoseconds(pid: int) -> int:
    """Time on a CPU of the threads alive, by the scheduler's own count; 0 where the kernel keeps none."""
    threads = (_PROC / str(pid) / "task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)


def _cpu(pid: int) -> float:
    with contextlib.suppress(OSError, IndexError):
        if nanoseconds := _nanoseconds(pid):
            return nanoseconds / 1e9
    with contextlib.suppress(OSError):
        return sum(map(int, _stat(pid)[11:13])) / _TICKS
    return 0.0


def cpu_seconds(pids: list[int]) -> float:
    """CPU time used so far: nanoseconds where the kernel has them, clock ticks elsewhere."""
    return sum(map(_cpu, pids))


def peak_mb(pids: list[int]) -> float:
    """Most resident memory since `forget_peak`, summed over the processes."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            lines = (_PROC / str(pid) / "status").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return total / 1024


def forget_peak(pids: list[int]) -> None:
    """Begin the peak anew, where the kernel lets us."""
    for pid in pids:
        with contextlib.suppress(OSError):
            (_PROC / str(pid) / "clear_refs").write_text("5")
