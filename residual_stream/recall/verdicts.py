"""What is said of an answer: a verdict for each field, and a result for the question."""

from dataclasses import dataclass

from .sentences import CLAUSES, TOTALS, VERDICTS, fill


@dataclass(frozen=True)
class Verdict:
    """What is said of one field: ``kind`` is a key of VERDICTS."""

    name: str
    kind: str
    values: dict

    @property
    def sentence(self):
        """The verdict in words."""
        return fill(VERDICTS[self.kind], **self.values)

    def clause(self, alone):
        """The verdict as a part of the total; its remark only where it is the only one."""
        kind = self.kind if alone else {"mistake": "off", "refused": "short"}.get(self.kind, self.kind)
        return fill(CLAUSES[kind], name=self.name, **self.values)


@dataclass(frozen=True)
class Result:
    """A graded question. ``check`` has printed it; at the end of a cell it shows nothing more."""

    id: str
    label: str
    verdicts: tuple[Verdict, ...]

    @property
    def points(self):
        """One point for each correct field."""
        return sum(verdict.kind == "correct" for verdict in self.verdicts)

    @property
    def out_of(self):
        """The points that can be had."""
        return len(self.verdicts)

    @property
    def blank(self):
        """Whether nothing has been answered yet."""
        return all(verdict.kind == "blank" for verdict in self.verdicts)

    @property
    def total(self):
        """The whole question in one line."""
        open_ones = [verdict for verdict in self.verdicts if verdict.kind != "correct"]
        kind = "some"
        if not open_ones:
            kind = "correct"
        elif self.blank:
            kind = "blank"
        clauses = "; ".join(verdict.clause(len(open_ones) == 1) for verdict in open_ones)
        return fill(TOTALS[kind], label=self.label, points=self.points, fields=self.out_of, clauses=clauses)

    @property
    def lines(self):
        """One line a field, and the total; the total alone where it says everything."""
        if self.out_of == 1 or self.blank:
            return [self.total]
        width = max(len(verdict.name) for verdict in self.verdicts)
        return [*(f"{verdict.name:<{width}}  {verdict.sentence}" for verdict in self.verdicts), self.total]

    def _ipython_display_(self):
        pass


@dataclass(frozen=True)
class SelfMark(Result):
    """A prose answer: committed, and marked by its own writer. It is never called correct."""

    criteria: int

    @property
    def committed(self):
        """Whether there is a sentence to compare."""
        return self.verdicts[0].kind == "committed"

    @property
    def points(self):
        """How many criteria the writer finds met."""
        return self.verdicts[1].values.get("points", 0) if self.committed else 0

    @property
    def out_of(self):
        """The number of criteria."""
        return self.criteria

    @property
    def total(self):
        """The record in one line."""
        refused = [verdict for verdict in self.verdicts if verdict.kind == "refused"]
        kind = "unread" if refused else "open"
        if self.committed and not refused:
            kind = "self" if self.verdicts[1].kind == "ticked" else "committed"
        return fill(TOTALS[kind], label=self.label, points=self.points, fields=self.out_of,
                    clauses="; ".join(verdict.clause(True) for verdict in refused))

    @property
    def lines(self):
        """The total alone."""
        return [self.total]
