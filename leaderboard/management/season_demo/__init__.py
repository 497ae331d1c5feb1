"""
A whole season on a running server, from its opening to a correction after it is final.

`model` says what everything must be, from what was sent alone; only `operator` touches the
server otherwise than over HTTP.
"""
