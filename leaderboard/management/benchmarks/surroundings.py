"""What a run was made on: without it, figures mean little."""

import os
import platform
from typing import Any

from leaderboard.management.benchmarks.connecting import Connection

SETTINGS = """
SELECT name, current_setting(name)
FROM pg_settings
WHERE name IN (
    'server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'wal_compression',
    'shared_buffers', 'effective_cache_size', 'max_wal_size', 'checkpoint_timeout', 'jit',
    'random_page_cost', 'plan_cache_mode', 'autovacuum', 'autovacuum_naptime', 'max_connections'
)
ORDER BY name
"""


def surroundings(connection: Connection) -> dict[str, Any]:
    """Return the machine, the versions and the settings that matter."""
    return {
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "postgres": dict(connection.execute(SETTINGS).fetchall()),
    }
