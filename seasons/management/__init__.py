"""Commands of an operator."""
