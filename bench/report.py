"""The report: what was measured, against what it should be."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple


class Target(NamedTuple):
    """A bound for a ratio; `aim` is a better one that is hoped for."""

    bound: float
    at_most: bool
    aim: float | None = None

    def __str__(self) -> str:
        words = f"{'at most' if self.at_most else 'at least'} {self.bound:g}"
        return words if self.aim is None else f"{words}, aim {self.aim:g}"

    def verdict(self, ratio: float) -> str:
        """Return whether a ratio meets the target, in a word or two."""
        if not self._holds(ratio, self.bound):
            return "MISSED"
        return "met" if self.aim is None or self._holds(ratio, self.aim) else "met, not the aim"

    def _holds(self, ratio: float, bound: float) -> bool:
        return ratio <= bound if self.at_most else ratio >= bound


class Finding(NamedTuple):
    """A ratio, round by round, and its target if it has one."""

    what: str
    ratios: Sequence[float]
    target: Target | None = None


class Section(NamedTuple):
    """What one benchmark found."""

    title: str
    facts: Sequence[str]
    findings: Sequence[Finding]


def print_facts(section: Section) -> None:
    """Print what was measured in absolute terms: it tells about the machine, and has no target."""
    print(f"\n{section.title}")
    for fact in section.facts:
        print(f"  {fact}")
    print(end="", flush=True)


def print_table(sections: Sequence[Section]) -> None:
    """Print every ratio: the median of the rounds, the lowest and the highest, the target and the verdict."""
    rows = [("ratio", "median", "rounds", "target", "")]
    for section in sections:
        rows += [_row(finding) for finding in section.findings]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    print()
    for what, middle, spread, target, verdict in rows:
        line = f"{what:<{widths[0]}}  {middle:>{widths[1]}}  {spread:>{widths[2]}}  {target:<{widths[3]}}  {verdict}"
        print(line.rstrip())


def _row(finding: Finding) -> tuple[str, str, str, str, str]:
    ratio, target = median(finding.ratios), finding.target
    spread = f"{_short(min(finding.ratios))} to {_short(max(finding.ratios))}"
    if target is None:
        return finding.what, _short(ratio), spread, "", ""
    return finding.what, _short(ratio), spread, str(target), target.verdict(ratio)


def _short(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio < 100 else f"{ratio:.0f}"
