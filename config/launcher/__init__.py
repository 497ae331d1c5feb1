"""Starts what the server needs on one machine, and keeps it running: `make run`, `make test`."""
