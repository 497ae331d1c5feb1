"""What is measured: each module one thing, beside its yardstick where it has one."""
