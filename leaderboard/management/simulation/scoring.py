"""Scores as matches give them: a few great, many poor, ties, and most no better than before."""

from random import Random

from leaderboard.management.simulation.season import Season

IMPROVING = 0.3
ROUNDED = 0.3


class Scoring:
    """Draws scores in a season's range."""

    def __init__(self, season: Season, random: Random) -> None:
        """Draw in the range of this season."""
        self._low, self._high = season.score_min, season.score_max
        self._random = random

    def result(self, best: int | None) -> int:
        """Return the score of a match of somebody with this best."""
        random, span = self._random, self._high - self._low
        if best is None:
            score = self._low + int(span * random.random() ** 3)
        elif random.random() < IMPROVING:
            score = best + 1 + int(random.expovariate(1.0) * span / 500)
        else:
            score = self._low + int((best - self._low) * random.random() ** 0.5)
        return self._clip(self._round(score))

    def other(self, score: int) -> int:
        """Return a score that differs from this one."""
        return self._low if score == self._high else score + 1

    def corrected(self, best: int | None) -> int:
        """Return what a correction sets: mostly less, sometimes more."""
        if best is None or self._random.random() < 0.3:
            return self.result(best)
        return self._clip(self._low + int((best - self._low) * self._random.random()))

    def _round(self, score: int) -> int:
        """Round now and then, so that ties happen."""
        grain = max(1, (self._high - self._low) // 1000)
        return score - score % grain if self._random.random() < ROUNDED else score

    def _clip(self, score: int) -> int:
        return min(self._high, max(self._low, score))
