"""
A match service and its players over HTTP, and a model that knows what they must be told.

Nothing here imports the server: the package is one of its clients.
"""
