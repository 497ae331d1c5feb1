"""Parts of the transactions that make versions."""
