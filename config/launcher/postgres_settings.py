"""How the embedded PostgreSQL is set: durable for `make run`, fast and forgetful for tests."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

MEBIBYTE = 1024 * 1024
CGROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)

Settings = Mapping[str, str]

COMMON = {
    "listen_addresses": "127.0.0.1",
    # A path to a socket has at most 107 bytes, which a deep folder exceeds; TCP always works.
    "unix_socket_directories": "",
    "max_connections": "200",
    "jit": "off",
    "random_page_cost": "1.1",
    "log_line_prefix": "%m [%p] ",
}

# 10,000 rows are changed a second, so vacuum has to come often and may not dawdle. pglz, all
# that the embedded server can compress the log with, takes longer over a page than all else
# that a result needs, and the first change of a page after a checkpoint writes it whole.
DURABLE = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "wal_compression": "off",
    "wal_buffers": "32MB",
    "min_wal_size": "1GB",
    "checkpoint_timeout": "15min",
    "checkpoint_completion_target": "0.9",
    "autovacuum_naptime": "10s",
    "autovacuum_vacuum_cost_limit": "2000",
    "autovacuum_vacuum_cost_delay": "1ms",
}

EPHEMERAL = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "128MB",
    "max_wal_size": "2GB",
    "log_checkpoints": "off",
}


def durable(memory: int, room: int) -> Settings:
    """Return the settings of a server that keeps all, with so many bytes of memory and disk."""
    return {
        **COMMON,
        **DURABLE,
        **_of_this_system(),
        "max_wal_size": f"{log_size(room)}MB",
        "shared_buffers": f"{shared_buffers(memory)}MB",
        "effective_cache_size": f"{memory * 6 // 10 // MEBIBYTE}MB",
        "maintenance_work_mem": f"{_within(64, memory // 16 // MEBIBYTE, 1024)}MB",
    }


def ephemeral() -> Settings:
    """Return the settings of a server whose data is thrown away at its end."""
    return {**COMMON, **EPHEMERAL, **_of_this_system()}


def shared_buffers(memory: int) -> int:
    """Return a quarter of `memory` (bytes) in MiB, at least 128 and at most 2048."""
    return _within(128, memory // 4 // MEBIBYTE, 2048)


def log_size(room: int) -> int:
    """
    Return how much log (MiB) may come between two checkpoints: a quarter of the free `room`.

    Where that is little, checkpoints come before their time, and whole pages into the log anew.
    """
    return _within(4096, room // 4 // MEBIBYTE, 65_536)


def free_room(folder: Path) -> int:
    """Return the bytes that are free on the disk of a folder."""
    return shutil.disk_usage(folder).free


def available_memory() -> int:
    """Return the bytes of memory that this machine, or the container on it, may use."""
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([physical, *_container_limits()])


def _container_limits() -> list[int]:
    texts = [path.read_text().strip() for path in CGROUP_LIMITS if path.is_file()]
    return [int(text) for text in texts if text.isdigit()]


def _of_this_system() -> dict[str, str]:
    # Without it a start after a crash opens every file of the cluster one by one.
    return {"recovery_init_sync_method": "syncfs"} if sys.platform == "linux" else {}


def _within(lowest: int, value: int, highest: int) -> int:
    return max(lowest, min(value, highest))
