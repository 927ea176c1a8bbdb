"""The labs: solutions pass their own checks, usual mistakes get their sentence, exercises are cut and unanswered."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import residual_stream as rs
from residual_stream import notebooks
from residual_stream.__main__ import main
from residual_stream.model.wrappings import WRAPPINGS, Placement, Wrapping
from residual_stream.recall.bank import book_bank
from residual_stream.recall.labs import LABS, TASKS
from residual_stream.recall.labs.cutting import cut

ROOT = Path(__file__).parents[2]


def committed(folder, chapter):
    return notebooks.read(ROOT / folder / f"lab-{chapter}.ipynb")


def printed(notebook):
    return "".join(output.text for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
                   if output.output_type == "stream")


# The notebooks. nbval runs them all and compares what they print.

@pytest.mark.parametrize("chapter", LABS)
def test_solutions_pass_and_exercises_are_unanswered(chapter):
    for folder, says in (("solutions", "1/1 correct"), ("exercises", "not answered yet (0/1)")):
        text = printed(committed(folder, chapter))
        assert [f"{task.label}  {says}" in text for task in LABS[chapter]] == [True] * len(LABS[chapter])
        done = len(LABS[chapter]) if folder == "solutions" else 0
        assert re.search(rf"^{chapter} +{done} of {len(LABS[chapter])}$", text, flags=re.M)


@pytest.mark.parametrize("chapter", LABS)
def test_the_exercise_is_what_is_cut_from_the_solution(chapter):
    """All but the outputs, which nbval compares; otherwise: python -m residual_stream recall practice"""
    exercise = committed("exercises", chapter)
    for cell in exercise.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    solution = committed("solutions", chapter)
    assert notebooks.text_of(cut(solution, chapter)) == notebooks.text_of(exercise)


@pytest.mark.parametrize("chapter", LABS)
def test_every_task_has_hints_and_nothing_of_its_solution(chapter):
    exercise, solution = committed("exercises", chapter), committed("solutions", chapter)
    text = notebooks.text_of(exercise)
    assert "SOLUTION" not in text and text.count("Hint 1</b></summary>") == len(LABS[chapter])
    assert text.count("<details>") == text.count("</details>") >= 2 * len(LABS[chapter])
    for cell in exercise.cells:
        assert "</details>\n<details>" not in cell.source, "JupyterLab opens the second of two without a line between"
    asked = re.findall(r'rs\.check\("([^"]+)", (\w+)=', "\n".join(cell.source for cell in exercise.cells))
    assert [name for name, _ in asked] == [task.id for task in LABS[chapter]]
    assert [name for _, name in asked] == [task.name for task in LABS[chapter]]
    for cell in solution.cells:
        for block in re.findall(r"BEGIN SOLUTION.*\n((?:.*\n)+?).*END SOLUTION", cell.source):
            assert block not in "\n".join(other.source for other in exercise.cells)


# Cutting.

def little(*cells):
    for number, cell in enumerate(cells):
        cell.id = f"c{number}"
    return new_notebook(cells=list(cells), metadata=nbformat.from_dict(notebooks.NOTEBOOK_METADATA))


def test_what_is_cut():
    made = cut(little(
        new_markdown_cell("<!-- BEGIN SOLUTION -->\nThe answer is 2.\n<!-- END SOLUTION -->"),
        new_markdown_cell("Before.\n<!-- BEGIN SOLUTION -->\nThe answer.\n<!-- END SOLUTION -->\nAfter."),
        new_code_cell("def f():\n    ### BEGIN SOLUTION: return ...\n    return 2\n    ### END SOLUTION\n"
                      "### BEGIN SOLUTION\na = 3\n### END SOLUTION\nb = 4", execution_count=3),
        new_code_cell("f()"),
    ), "x")
    assert [cell.source for cell in made.cells] == [
        "Before.\nAfter.", "def f():\n    return ...\n...\nb = 4", "f()"]
    assert made.cells[1].execution_count is None and [cell.id for cell in made.cells] == ["c1", "c2", "c3"]


@pytest.mark.parametrize("source, words", [
    ("### BEGIN SOLUTION\nx = 1", "the solution that begins at line 1 never ends"),
    ("x = 1\n### END SOLUTION", "line 2: a solution ends that never began"),
    ("### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION\n### END SOLUTION",
     "inside the one that began at line 1"),
    ("## BEGIN SOLUTION\nx = 1\n### END SOLUTION", "line 1: '## BEGIN SOLUTION' looks like a marker"),
    ("### BEGIN SOLUTION\nx = 1\n### END SOLUTIONS", "line 3: '### END SOLUTIONS' looks like a marker"),
    ("### begin solution\nx = 1\n### END SOLUTION", "looks like a marker"),
    ("### BEGIN SOLUTION x = ...\nx = 1\n### END SOLUTION", "looks like a marker"),
    ("<!-- BEGIN SOLUTION -->\nx = 1\n<!-- END SOLUTION -->", "looks like a marker"),
    ("x = 1", "marks no solution"),
])
def test_a_marker_that_is_off_stops_the_cut(source, words, tmp_path, monkeypatch, capsys):
    with pytest.raises(ValueError, match="lab-x") as refusal:
        cut(little(new_code_cell(source)), "solutions/lab-x.ipynb")
    assert words in str(refusal.value)
    for folder in ("exercises", "solutions"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path)
    notebooks.write(little(new_code_cell(source)), Path("solutions/lab-x.ipynb"))
    assert main(["recall", "practice"]) == 2
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1 and not [*Path("exercises").iterdir()]


def test_a_solution_cell_that_fails_is_named(tmp_path, monkeypatch, capsys):
    for folder in ("exercises", "solutions"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path)
    notebooks.write(little(new_code_cell("### BEGIN SOLUTION\n1 / 0\n### END SOLUTION")), Path("solutions/lab-x.ipynb"))
    assert main(["recall", "practice"]) == 2
    assert "solutions/lab-x.ipynb, cell 1" in capsys.readouterr().err


# What is said. The wrong functions are written here as a learner would write them.

def says(identity, answer):
    task = TASKS[identity]
    total = task.grade({task.name: answer}).total
    assert "\n" not in total
    return total


def test_tasks_and_questions_have_names_of_their_own():
    assert not set(TASKS) & set(book_bank()) and len(TASKS) == sum(map(len, LABS.values())) == 12


def annotated(x, eps=1e-5):
    return (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True, ddof=1) + eps)


def one_row_at_a_time(x, eps=1e-5):
    if x.ndim > 1:
        return np.stack([one_row_at_a_time(row, eps) for row in x])
    deviations = [entry - sum(x) / len(x) for entry in x]
    return [d / (sum(e * e for e in deviations) / len(x) + eps) ** 0.5 for d in deviations]


def stepped(step):
    def stack(x, branches):
        for f in branches:
            x = step(x, f)
        return x
    return stack


LN = rs.layer_norm
MISTAKES = [
    ("write-layer-norm",
     lambda x, eps: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True, ddof=1) + eps),
     "taken with n - 1"),
    ("write-layer-norm", lambda x, eps: (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + eps),
     "eps is added to the standard deviation"),
    ("write-layer-norm", annotated, "taken with n - 1, and layer norm divides by n; and eps is added"),
    ("write-layer-norm", lambda x, eps: x / np.sqrt(x.var(-1, keepdims=True) + eps),
     "the mean is not taken away from x"),
    ("write-layer-norm", lambda x, eps: x / np.sqrt((x**2).mean(-1, keepdims=True) + eps), "this is the RMS norm"),
    ("write-layer-norm", lambda x, eps: (x - x.mean()) / np.sqrt(x.var() + eps), "norms the whole array at once"),
    ("write-layer-norm", lambda x, eps: (x - x.mean(0)) / np.sqrt(x.var(0) + eps), "norms over the first axis"),
    ("write-layer-norm", lambda x, eps: (x - x.mean(-1)) / np.sqrt(x.var(-1) + eps), "add keepdims=True"),
    ("write-layer-norm", lambda x, eps: (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + eps),
     "the root is missing"),
    ("write-layer-norm", lambda x, eps: (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True), "eps is left out"),
    ("write-layer-norm", lambda x, eps: LN(x), "eps = 1e-5 whatever"),
    ("write-layer-norm", lambda x: LN(x), "unexpected keyword argument 'eps'"),
    ("write-layer-norm", lambda x, eps: 2 * LN(x, eps=eps), "on [1, -1, 2, -2] the number at [0] is 1.26"),
    ("write-layer-norm", lambda x, eps: LN(x, eps=eps).ravel(), "gives the shape (16,), and (4, 4) is expected"),
    ("account-for-a-sum", lambda x, f: (x.var(), f.var(), 2 * np.cov(x, f)[0, 1]), "np.cov needs ddof=0"),
    ("account-for-a-sum", lambda x, f: (x.var(), f.var(), np.cov(x, f, ddof=0)[0, 1]), "the covariance counts twice"),
    ("account-for-a-sum", lambda x, f: (x.var(), f.var(), 2 * np.mean(x * f)), "take each mean away first"),
    ("account-for-a-sum", lambda x, f: (x.var(), f.var(), np.var(x + f)), "the third number is the whole sum"),
    ("account-for-a-sum", lambda x, f: (x.var(), f.var()), "gives the shape (2,), and (3,) is expected"),
    ("find-the-doubling-a", lambda x: x.std(), "the covariance adds to it"),
    ("find-the-doubling-a", lambda x: -(1 + np.sqrt(2)) * np.std(x), "turns the stream over"),
    ("find-the-doubling-a", lambda x: 0.6549, "the a of the worked example for every stream"),
    ("find-the-doubling-a", lambda x: 1.0, "a = 1 takes the variance from 2.5 to 6.662, and not to 5"),
    ("find-the-doubling-a", lambda x: np.sqrt(2 * x.var()), "a is what to add"),
    ("repeat-the-addition", lambda std0, a, n: (std0 + n * a) ** 2, "this is the variance"),
    ("repeat-the-addition", lambda std0, a, n: np.sqrt(std0**2 + n * a**2), "it adds variances"),
    ("repeat-the-addition", lambda std0, a, n: std0 * 1.5**n, "is expected"),
    ("move-the-norm", stepped(lambda x, f: LN(x) + f(x)), "norms the stream alone"),
    ("move-the-norm", stepped(lambda x, f: x + f(LN(x))), "this is still pre-LN"),
    ("move-the-norm", stepped(lambda x, f: x + LN(f(x))), "this is res-post-norm"),
    ("move-the-norm", stepped(lambda x, f: LN(x + f(LN(x)))), "the norm inside the branch is still there"),
    ("move-the-norm", lambda x, fs: LN(stepped(lambda x, f: x + f(LN(x)))(x, fs)), "pre-LN with a final norm"),
    ("move-the-norm", lambda x, fs: LN(x + fs[3](x)), "with one branch it stops with IndexError"),
    ("name-the-boxes", {"A": "pre-LN", "B": "pre-LN", "C": "sandwich", "D": "post-LN"}, "box A is not pre-LN"),
    ("name-the-boxes", {"A": "res-post-norm", "B": "pre-LN", "C": "sandwich", "D": "sandwich"},
     "gives rows of variance 1, whatever goes in; this one does"),
    ("name-the-boxes", {"A": "res-post-norm"}, "box B has no name yet"),
    ("name-the-boxes", {"A": "preln"}, "the names are post-LN, pre-LN, res-post-norm, sandwich"),
    ("name-the-boxes", ["pre-LN"], "a dict is expected"),
    ("follow-a-nudge", lambda s, x, v, h: np.linalg.norm(s(x + h * v) - s(x - h * v)) / np.linalg.norm(h * v),
     "divide by 2 h"),
    ("follow-a-nudge", lambda s, x, v, h: np.linalg.norm(s(x + h * v) - s(x)) / np.linalg.norm(h * v),
     "to one side only"),
    ("follow-a-nudge", lambda s, x, v, h: np.linalg.norm(s(x + h * v) - s(x - h * v)) / (2 * h),
     "how long v itself is"),
    ("warm-up-schedule", lambda step, peak, steps: peak * min(1, step / max(steps, 1)), "is expected"),
    ("warm-up-schedule", lambda step, peak, steps: peak * min(1, step / steps), "the first step has the rate 0"),
    ("warm-up-schedule", lambda step, peak, steps: peak * min(1, (step + 1) / steps), "(steps = 0) it divides by 0"),
    ("warm-up-schedule", lambda step, peak, steps: peak * (step + 1) / steps if steps else peak, "keeps growing"),
    ("deepnorm-step", lambda x, f, alpha: x + alpha * f(x), "norms nothing"),
    ("deepnorm-step", lambda x, f, alpha: LN(x + alpha * f(x)), "alpha is on the branch"),
    ("deepnorm-step", lambda x, f, alpha: alpha * x + f(LN(x)), "pre-LN with alpha"),
    ("deepnorm-step", lambda x, f, alpha: LN(alpha * x + f(alpha * x)), "the branch reads x, and not alpha x"),
    ("alpha-and-beta", lambda n: ((8 * n) ** -0.25, (2 * n) ** 0.25), "have changed places"),
    ("alpha-and-beta", lambda n: ((2 * n) ** 0.5, (2 * n) ** -0.5), "GLM-130B"),
    ("alpha-and-beta", lambda n: ((3 * n) ** 0.25, (12 * n) ** -0.25), "a decoder that has an encoder"),
    ("alpha-and-beta", lambda n: ((2 * n) ** 0.25, (8 * n) ** 0.25), "its exponent is -1/4"),
    ("scale-the-weights", lambda w, b: {k: b * m for k, m in w.items()}, "query and key are left alone"),
    ("scale-the-weights", lambda w, b: {k: b * m if k in ("out", "down") else m for k, m in w.items()},
     "this is GPT-2's choice"),
    ("scale-the-weights", lambda w, b: {k: b * m for k, m in w.items() if k not in ("query", "key")},
     "query is missing"),
    ("scale-the-weights", lambda w, b: {k: m + b for k, m in w.items()}, "the matrix query is not what it was"),
    ("scale-the-weights", lambda w, b: [*w.values()], "a dict like the one"),
    ("two-hundred-layers", "deepnorm", "a Wrapping is expected"),
    ("two-hundred-layers", WRAPPINGS["post-ln"], "alpha is 1, and has to be above 1"),
    ("two-hundred-layers", WRAPPINGS["pre-ln"], "nothing norms the sum"),
    ("two-hundred-layers",
     Wrapping("", "", "", lambda layer, layers: Placement(alpha=(2 * layers) ** 0.25, sum="layer")),
     "weight_gain is 1"),
    ("two-hundred-layers", Wrapping("", "", "", lambda layer: Placement()), "stops with TypeError"),
]


@pytest.mark.parametrize("identity, answer, words", MISTAKES)
def test_a_usual_mistake_gets_its_sentence(identity, answer, words):
    total = says(identity, answer)
    assert words in total and "0/1" in total


def test_each_function_has_three_mistakes_at_least():
    told = [identity for identity, _, _ in MISTAKES]
    assert all(told.count(identity) >= 3 for identity in TASKS)


def test_beta_alone_is_not_enough():
    beta_alone = Wrapping("", "", "", lambda layer, layers: Placement(sum="layer"),
                          weight_gain=lambda layers: (8 * layers) ** -0.25)
    assert "alpha is 1" in says("two-hundred-layers", beta_alone) and "under trial" not in WRAPPINGS


def test_other_right_ways_are_right():
    assert "correct" in says("write-layer-norm", one_row_at_a_time)
    assert "correct" in says("account-for-a-sum",
                             lambda x, f: np.array([x.var(), f.var(), (x + f).var() - x.var() - f.var()]))
    assert "correct" in says("find-the-doubling-a", lambda x: round(0.41421 * float(x.std()), 6))
    assert "correct" in says("warm-up-schedule",
                             lambda step, peak, steps: peak if step >= steps else peak / steps * (step + 1))


class Odd:
    def __array__(self, *arguments, **options):
        raise RuntimeError("no array of me")

    def __repr__(self):
        raise RuntimeError("no words for me")


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError


def raises(error):
    def function(*arguments, **options):
        raise error
    return function


def endless(*arguments, **options):
    return endless(*arguments, **options)


def in_place(x, eps):
    x -= x.mean(-1, keepdims=True)
    return LN(x, eps=eps)


@pytest.mark.parametrize("answer, words", [
    (raises(ValueError("two\nlines")), "it stops with ValueError: two"), (raises(SystemExit(3)),
     "it stops with SystemExit"),
    (raises(Unspeakable()), "it stops with"), (endless, "it stops with RecursionError"), (raises(MemoryError()),
     "MemoryError"),
    (lambda x, eps: None, "gives back None: what a function gives back stands after return"),
    (lambda x, eps: "0.5", "gives back str, and numbers are expected"), (lambda x, eps: Odd(), "gives back Odd"),
    (lambda x, eps: [[1], [1, 2]], "gives back list, and numbers are expected"), (lambda x, eps: 1j * x,
     "numbers are expected"),
    (in_place, "changes the array that it is given"), (3.5, "a function is expected, and not a value of type float"),
    (lambda x, eps: x / 0, "is inf"), (lambda x, eps: x * np.nan, "is nan"),
])
def test_nothing_that_a_function_does_leaves_its_check(answer, words):
    assert words in says("write-layer-norm", answer)


@pytest.mark.parametrize("identity", TASKS)
def test_unanswered(identity):
    name = TASKS[identity].name
    assert all(says(identity, blank).endswith("not answered yet (0/1)") for blank in (..., None))
    assert TASKS[identity].grade({}).blank
    if identity not in ("name-the-boxes", "two-hundred-layers"):
        assert says(identity, lambda *arguments, **options: ...).endswith("not answered yet (0/1)")
    with pytest.raises(ValueError, match=f"asks for no {name}s; did you mean {name}"):
        TASKS[identity].grade({f"{name}s": ...})


def test_boxes_without_names_are_unanswered():
    assert says("name-the-boxes", dict.fromkeys("ABCD", ...)).endswith("not answered yet (0/1)")


def test_the_boxes_are_what_the_table_of_wrappings_calls_them():
    from residual_stream.recall.labs.pre_post import BOXES, branch
    x, f = np.random.default_rng(0).normal(size=(4, 6)), branch(0)
    formulas = {"pre-LN": x + f(LN(x)), "post-LN": LN(x + f(x)), "res-post-norm": x + LN(f(x)),
                "sandwich": x + LN(f(LN(x)))}
    for name, box in BOXES.values():
        assert np.allclose(box(x, f), formulas[name])


def test_what_is_said_of_the_boxes_can_be_seen_in_them():
    from residual_stream.recall.labs.pre_post import BOXES, TRAITS, branch
    x, f = np.random.default_rng(0).normal(2, 3, size=(4, 6)), branch(0)
    one_variance, large, loud = TRAITS
    for name, box in BOXES.values():
        seen = {
            one_variance: np.allclose(box(x, f).var(-1), 1, atol=1e-3),
            large: np.allclose(box(10 * x, f) - 10 * x, box(x, f) - x, atol=1e-3),
            loud: np.allclose(box(x, lambda x: 10 * f(x)), box(x, f), atol=1e-3),
        }
        assert seen == {trait: name in names for trait, names in TRAITS.items()}, name


def test_check_prints_and_returns(capsys):
    assert rs.check("write-layer-norm", layer_norm=LN).points == 1
    assert capsys.readouterr().out == "Write layer norm  1/1 correct\n"
    with pytest.raises(ValueError, match="there is no question"):
        rs.check("write-layer-norms", layer_norm=LN)
