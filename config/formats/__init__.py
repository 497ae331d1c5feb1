"""How times are written where Django itself writes them: in UTC, to the second."""
