"""Commands of the scores."""
