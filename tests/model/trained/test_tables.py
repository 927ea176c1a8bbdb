"""The committed tables: whole, consistent, made from the published weights; and how tables are compared."""

import re

import numpy as np
import pytest

from residual_stream.__main__ import main
from residual_stream.commands import trained as command
from residual_stream.model import trained
from residual_stream.model.trained import tables
from residual_stream.model.trained.measured import AT, LEFT_OUT, MASSIVE, PLACES, SHORT, TRACED
from residual_stream.model.trained.tables import LAYOUTS, committed, difference, parsed, place, table, text_of
from residual_stream.model.trained.texts import texts
from residual_stream.model.weights import KINDS

LAYERS = {"smollm2-135m": 30, "minilm": 6}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_table_says_how_it_was_made_and_from_which_weights(name):
    head = [line for line in place(name).read_text("utf-8").split("\n") if line.startswith("# ")]
    assert head[0] == f"# {LAYOUTS[name].about}"
    told = "\n".join(head)
    assert "python -m residual_stream trained --write" in told and re.search(r"numpy \d+\.\d+", told)
    for model in trained.MODELS.values():
        assert model.FILE.sha256 in told and re.search(rf"{model.FILE.distribution} \d+\.\d+", told)


def test_the_trace_is_whole_and_every_token_s_account_adds_up():
    whole = committed("trace")
    wanted = [(model, text, str(at), str(layer), kind) for model, layers in LAYERS.items() for text in TRACED
              for at in ("rest", *range(PLACES)) for layer in range(layers) for kind in KINDS]
    assert [(model, text, at, layer, kind) for model, text, _, at, layer, kind in whole.rows] == wanted
    for at in range(PLACES):
        stream, branch, cov, corr, total = (whole.column(name, place=at) for name in LAYOUTS["trace"].numbers)
        assert (np.abs(total - stream - branch - 2 * cov) < 1e-5 * (stream + branch)).all()
        np.testing.assert_allclose(corr, cov / np.sqrt(stream * branch), rtol=1e-4, atol=1e-6)
    assert max(map(int, whole.column("tokens"))) == 512


@pytest.mark.parametrize("at", ["rest", *range(PLACES)])
@pytest.mark.parametrize("text", TRACED)
def test_what_leaves_an_addition_enters_the_next_where_no_norm_stands_between(text, at):
    columns = [committed("trace").column(name, model="smollm2-135m", text=text, place=at)
               for name in ("var_sum", "var_stream")]
    np.testing.assert_allclose(columns[0][:-1], columns[1][1:], rtol=1e-5)


def test_the_other_tables_are_whole():
    assert list(dict.fromkeys(committed("channels").column("text"))) == list(SHORT)
    assert len(committed("channels").rows) == len(SHORT) * 61
    assert len(committed("lens").rows) == len(texts()["prompts"]) * 61 * 5
    assert committed("reading").column("text") == list(texts()["texts"])
    wanted = [(model, str(layer), name) for model, layers in LAYERS.items()
              for layer, name in [(-1, "none"), *((layer, name) for layer in range(layers) for name in LEFT_OUT)]]
    apart = [("smollm2-135m", str(MASSIVE), f"feed-forward, {name}") for name in AT]
    rows = list(committed("ablation").rows)
    assert [row for row in rows if row not in apart] == wanted and set(apart) < set(rows)


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_table_is_read_as_it_was_written(name):
    again = parsed(name, text_of(committed(name), ["made by a test"]))
    assert again.rows.keys() == committed(name).rows.keys() and difference(again, committed(name)) == 0


def test_words_with_commas_and_quotes_survive():
    rows = [("p", 0, " a", 1, 1, word, 0.5, 0.25) for word in (',', '"', '#', '# x', ' "', "\ufffd", "é")]
    made = table("lens", rows)
    assert parsed("lens", text_of(made, ["x"])).rows.keys() == made.rows.keys()


def test_a_column_is_picked_by_its_keys():
    values = committed("trace").column("var_sum", model="minilm", text="tokyo", place=0, kind="attention")
    assert values.shape == (6,)
    assert committed("trace").column("layer", model="minilm", text="tokyo", place=0, kind="attention") == list("012345")


def changed(name, key, **numbers):
    rows = {k: v.copy() for k, v in committed(name).rows.items()}
    for number, factor in numbers.items():
        rows[key][LAYOUTS[name].numbers.index(number)] *= factor
    return tables.Table(LAYOUTS[name], rows)


@pytest.mark.parametrize("number", ["var_stream", "var_branch", "var_sum"])
def test_a_changed_number_is_found_at_its_size(number):
    key = next(iter(committed("trace").rows))
    assert difference(changed("trace", key, **{number: 1.01}), committed("trace")) == pytest.approx(0.01, rel=0.02)


def test_a_correlation_is_measured_against_one_and_a_covariance_against_the_deviations():
    key, values = next((k, v) for k, v in committed("trace").rows.items() if 0.01 < abs(v[3]) < 0.02 and k[3] == "0")
    assert difference(changed("trace", key, correlation=2), committed("trace")) == pytest.approx(abs(values[3]))
    assert difference(changed("trace", key, covariance=2), committed("trace")) == pytest.approx(abs(values[3]), rel=1e-3)


def test_other_rows_are_refused():
    rows = dict(committed("ablation").rows)
    gone = rows.popitem()
    with pytest.raises(ValueError, match="different rows: .'minilm', '5', 'layer'"):
        difference(tables.Table(LAYOUTS["ablation"], rows), committed("ablation"))
    with pytest.raises(ValueError, match="the order of the rows"):
        difference(tables.Table(LAYOUTS["ablation"], dict([gone, *rows.items()])), committed("ablation"))


@pytest.fixture
def measuring(monkeypatch):
    """``measuring(name, table)``: the command measures ``table`` where it would take minutes."""
    def prepare(name, made):
        rows = [(*key, *values) for key, values in made.rows.items()]
        monkeypatch.setattr(command, "ROWS", {name: lambda: iter(rows)})
        monkeypatch.setattr(command, "MODELS", {})
    return prepare


def test_the_command_compares_and_names_the_table_that_differs(measuring, capsys):
    measuring("reading", committed("reading"))
    assert main(["trained"]) == 0
    assert capsys.readouterr().out.startswith("reading: 5 rows, largest difference 0.0e+00 (")
    for factor, status in ((1.0005, 0), (1.002, 1)):
        measuring("reading", changed("reading", ("hindi-long", "508"), loss=factor))
        assert main(["trained"]) == status
        assert ("differs from the committed table by more than 0.001: reading" in capsys.readouterr().out) == bool(status)


def test_the_command_writes_what_it_measured(measuring, monkeypatch, tmp_path, capsys):
    measuring("reading", committed("reading"))
    monkeypatch.setattr(command, "place", lambda name: tmp_path / f"{name}.csv")
    monkeypatch.setattr(command, "version", lambda package: "1.2.3")
    assert main(["trained", "--write"]) == 0
    text = (tmp_path / "reading.csv").read_text("utf-8")
    assert parsed("reading", text).rows.keys() == committed("reading").rows.keys() and "numpy 1.2.3" in text
