"""The book's bank is sound, and a bank with a fault says in one sentence where it is."""

import math
import re
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.closed_form import X0
from residual_stream.model.presets import PRESETS
from residual_stream.recall import bank as banks
from residual_stream.recall.bank import BANK, BankError, book_bank, close, read_bank
from residual_stream.recall.grader import grade_text, grade_values
from residual_stream.recall.keys import KEYS, MISTAKES

FIELDS = [(item.id, field) for item in book_bank().values() for field in item.question().fields]


@pytest.mark.parametrize("identity, field", FIELDS, ids=lambda value: getattr(value, "name", value))
def test_no_two_values_of_a_field_can_be_confused(identity, field):
    """Beyond the grader's own overlap: a reader who gives four significant digits meets exactly one verdict.

    Where the tolerance is below 0.1 % whole things are counted, and all their digits are given.
    """
    values = [field.key, *(value for value, _ in field.mistakes)]
    for value in values:
        typed = float(f"{value:.4g}" if field.tolerance >= 0.001 else f"{value:.6g}")
        assert [other for other in values if close(typed, other, field.tolerance)] == [value]


@pytest.mark.parametrize("identity, field", FIELDS, ids=lambda value: getattr(value, "name", value))
def test_the_stated_tolerance_counts(identity, field):
    """The tolerance that the page states is the one that counts."""
    for step, kind in ((0.9, "correct"), (-0.9, "correct"), (1.2, "close"), (-1.2, "close")):
        factor = 1 + step * float(field.percent) / 100
        verdicts = grade_values(identity, {field.name: factor * field.key}).verdicts
        assert [verdict.kind for verdict in verdicts if verdict.name == field.name] == [kind]


def test_mistakes_that_coincide_are_never_named():
    """At a = 1 a forgotten square changes nothing, so the key wins; the same mistake is named at a = 0.5."""
    hidden = {(identity, field.name): field.hidden for identity, field in FIELDS if field.hidden}
    assert hidden == {
        ("q2", "var_f"): ("branch_variance_not_squared",),
        ("q3", "ratio"): ("aligned_ratio", "independent_ratio_squared_addition"),
        ("both-additions", "std"): ("ratio_of_both_aligned",),
    }
    assert grade_values("q2", {"var_f": 1.0}).points == 1
    half = book_bank()["q2"].question(a=0.5)
    assert "multiplies a variance by a squared" in grade_values(half, {"var_f": 0.5}).verdicts[0].sentence


@settings(deadline=None, max_examples=60)
@given(st.floats(0.05, 3).map(lambda a: round(a, 2)))
def test_for_any_coefficient_every_mistake_gets_its_own_words(a):
    question = book_bank()["q2"].question(a=a)
    for field in question.fields:
        assert grade_values(question, {field.name: field.key}).points == 1
        for value, says in field.mistakes:
            assert says in " ".join(grade_values(question, {field.name: value}).lines)


def test_the_values_at_the_old_coefficient_are_told_apart_for_every_variant():
    item = book_bank()["q2"]
    says = "off: this is the value at the old coefficient"
    old = {"var_f": 0.25, "cov": 0.7906, "var_x1": 4.3311}
    assert [verdict.sentence for verdict in grade_values("q2", old).verdicts] == [says] * 3
    drawn = item.table["variants"]["a"]
    count = round((drawn["to"] - drawn["from"]) / drawn["step"]) + 1
    for number in range(count):
        question = item.question(a=drawn["from"] + number * drawn["step"])
        for field in question.fields:
            assert not [name for name in field.hidden if name.endswith("_before")]
            values = {field.key: "the key", **dict(field.mistakes)}
            near = [words for value, words in values.items() if close(old[field.name], value, field.tolerance)]
            assert near == [says.removeprefix("off: ")]


def test_keys_by_hand():
    """The keys against the sums written out here."""
    x0 = np.array(X0)
    for a in (0.5, 1.0):
        f = a * x0 / 2.5**0.5 + 1
        fields = {field.name: field.key for field in book_bank()["q2"].question(a=a).fields}
        assert fields["var_f"] == pytest.approx(((f - f.mean()) ** 2).sum() / 4, rel=1e-12)
        assert fields["cov"] == pytest.approx((x0 * f).sum() / 4, rel=1e-12)
        assert fields["var_x1"] == pytest.approx(((x0 + f - 1) ** 2).sum() / 4, rel=1e-12)
    assert {field.name: round(field.key, 6) for field in book_bank()["q2"].question().fields} == \
        {"var_f": 1.0, "cov": 1.581139, "var_x1": 6.662278}


def test_the_bank_speaks_of_the_worked_example():
    for item in book_bank().values():
        if "x0" in item.parameters:
            assert tuple(item.parameters["x0"]) == X0


def test_every_function_is_used():
    text = BANK.read_text(encoding="utf-8")
    assert [name for name in {**KEYS, **MISTAKES} if not re.search(rf"\b{name}\b", text)] == []


def test_the_worked_answers_hold_the_keys():
    for item in book_bank().values():
        question = item.question()
        for field in question.fields:
            numbers = re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3})", "", question.answer))
            assert any(close(float(number), abs(field.key), 1e-4) for number in numbers)


def test_typed_keys_are_right():
    for item in book_bank().values():
        question = item.question()
        if question.kind == "prose":
            continue
        answers = {field.name: repr(field.key) for field in question.fields}
        answers |= {"choice": option.letter for option in question.options if not option.reason}
        assert grade_text(question, answers).total.endswith("correct")


VARIED = [item for item in book_bank().values() if item.variants]


@pytest.mark.parametrize("item", VARIED, ids=lambda item: item.id)
def test_students_get_numbers_of_their_own(item):
    drawn = [item.draw(f"student{number}") for number in range(200)]
    assert len({repr(sorted(parameters.items())) for parameters in drawn}) >= 150
    assert item.draw("student7") == drawn[7]
    keys = {tuple(field.key for field in item.question(**parameters).fields) for parameters in drawn}
    assert len(keys) >= (150 if item.id != "gated-width" else 50), "a width that is rounded to 256 has fewer values"


@pytest.mark.parametrize("item", VARIED, ids=lambda item: item.id)
def test_drawn_numbers_make_sound_questions(item):
    """The key is never among the mistakes, and rarely does a mistake coincide with another one."""
    hidden = 0
    for number in range(100):
        question = item.question(**item.draw(f"s{number}"))
        for field in question.fields:
            assert math.isfinite(field.key)
            assert not any(close(value, field.key, field.tolerance) for value, _ in field.mistakes)
            hidden += len(field.hidden)
        assert "<<" not in question.prompt + question.answer
    assert hidden <= 100


def test_the_draw_is_the_hash_that_is_promised():
    item = book_bank()["q3"]
    number = int(sha256(b"depth-width:q3:ada").hexdigest(), 16)
    layers, added = number % 107 + 24, number // 107 % 27
    assert item.draw("ada") == {"layers": layers, "added": pytest.approx(1.1 + 0.05 * added)}


def test_depth_keys_by_hand():
    """A real sum of independent columns has the variance that the key computes."""
    rows = np.linalg.qr(np.random.default_rng(5).normal(size=(200, 97)))[0] * 200**0.5
    assert np.mean(rows.sum(axis=1) ** 2) == pytest.approx(book_bank()["q3"].question().fields[0].key ** 2, rel=1e-9)


def test_shape_keys_by_hand():
    d_ff, weights = (field.key for field in book_bank()["q4"].question().fields)
    assert (d_ff, weights) == (3072, 768 * 3072 + 3072 * 768)


def test_keys_that_are_known():
    """Constants that the papers print, and sums done by hand."""
    known = {
        "additions-of-a-stack": (1000, 1500, 2500), "attention-weights": (2_359_296, 2), "whole-layer": (7_087_872,),
        "gradient-and-depth": (0.5,), "shrinking-branch": (0.49, -1, (2.5**0.5 - 0.7) ** 2), "errors-per-million": (0.125, 27.2),
        "without-the-norm": (2.5 * 2.25**3,), "growth-at-first": (7, 145**0.5), "both-additions": (192, 193**0.5),
        "scaled-init": (96**-0.5, 2**0.5), "gpt3-size": (128, 12 * 96 * 12288**2 / 1e9), "gated-width": (11008,),
        "layernorm-scaling": (48**-0.5, 1 + sum(1 / layer for layer in range(1, 49))), "three-norms": (3**0.5, 1.5, 2),
        "deepnorm-constants": (192**0.25, 768**-0.25),
        "deepnorm-encoder-decoder": (0.81 * 500 ** (5 / 16), 0.87 * 500 ** (-5 / 16), 1500**0.25, 6000**-0.25),
    }
    for identity, values in known.items():
        fields = book_bank()[identity].question().fields
        assert [field.key for field in fields] == pytest.approx(values, rel=1e-6), identity
    assert (192**0.25, 768**-0.25) == pytest.approx((3.722, 0.190), rel=1e-3)


def test_the_bank_is_as_large_as_it_says():
    assert len(book_bank()) >= 30
    assert sum(item.table["kind"] == "numeric" for item in VARIED) >= 12
    for item in book_bank().values():
        for field in item.question().fields:
            assert field.mistakes


SOUND = BANK.read_text(encoding="utf-8")

FAULTS = {
    "no TOML": ("[[item]]\nid = ", "[[item]]\nid : ", "bank.toml is not TOML: "),
    "an unknown kind": ('kind = "numeric"', 'kind = "number"', "item q2: kind must be numeric, choice or prose, not 'number'"),
    "an unknown key": ('chapter = "var', 'chaptre = "var', "the key chaptre is not known; did you mean chapter"),
    "a missing key": ('label = "Q2"\n', "", "item q2: label is missing"),
    "an empty text": ('label = "Q2"', 'label = " "', "item q2: label is empty"),
    "a wrong type": ('label = "Q2"', "label = 2", "item q2: label must be a text, not 2"),
    "a wrong id": ('id = "q2"', 'id = "Q 2"', "an id is lower-case words joined by hyphens"),
    "an id twice": ('id = "constant-stream"', 'id = "q2"', "item q2 is there twice"),
    "an unknown key function": ('key = "covariance"', 'key = "covarianse"', "field cov: recall/keys has no function "
                                "covarianse; did you mean covariance"),
    "an unknown mistake": ('"covariance_none"', '"covariance_non"', "field cov: recall/keys has no function"),
    "a mistake as key": ('key = "covariance"', 'key = "covariance_twice"', "field cov: recall/keys has no function"),
    "a missing parameter": ('key = "coefficient_for"', 'key = "repeated_std"',
                            "repeated_std needs the parameter a, which the item does not have"),
    "a value that is not finite": ("x0 = [1, -1, 2, -2], a_before", "x0 = [1, 1, 1, 1], a_before", "is nan for these"),
    "a parameter of text": ("a = 1.0 }", 'a = "1" }', "the parameter a must be a lower-case name with a number"),
    "an unknown hole": ("<<stream_variance>>}", "<<stream_varience>>}", "<<stream_varience>> is neither a"),
    "an unknown format": ("<<covariance:.4f>>", "<<covariance:4d>>", "the format '4d' is not known"),
    "an open hole": ("[<<x0>>]", "[<<x0>]", "a hole is not closed"),
    "a tolerance of 0": ("tolerance = 0.001", "tolerance = 0.0", "tolerance must be above 0 and at most 0.1, not 0.0"),
    "a field twice": ('name = "cov"', 'name = "var_f"', "field var_f: the field is there twice"),
    "a field's name": ('name = "cov"', 'name = "Cov f"', "a field's name is a lower-case Python name"),
    "TeX in a mistake": ('says = "did', r'says = "did \\(x\\)', "what a mistake says is spoken as it is"),
    "TeX without plain form": (r"What are \(\operatorname{Var}(f)", r"What are \(\oint f", r"\oint has no plain form"),
    "braces in TeX": (r"What are \(\operatorname{Var}(f)", r"What are \(\operatorname{Var(f)", "braces do not match"),
    "no hint": ("hints = [\n  '''The closed form is", "hints = []\nmore = [\n  '''The closed form is", "more is not"),
    "two best options": ('reason = "the shift moves', 'best = true\nreason = "the shift moves', "best = true or"),
    "no reason": ('reason = "the shift moves every component alike, so it has no variance"\n', "",
                  "option c: an option has either best = true or a reason"),
    "a variant of nothing": ("a = { from = 1.36", "b = { from = 1.36", "variants are given for b, which is no parameter"),
    "a range without step": ("to = 2.73, step = 0.001", "to = 2.73", "the variants of a are written as { among"),
    "a range of one": ("to = 2.73, step = 0.001", "to = 1.36, step = 0.001", "need a step above 0 and two values"),
    "one value alone": ("among = [3, 5, 6, 7, 8, 9]", "among = [3]", "need two values at least"),
    "one criterion": ("[[item.criterion]]\ntext = '''It says that in post-LN", "[[item.criterio]]\ntext = '''It says",
                      "the key criterio is not known"),
    "no best option": ("best = true", 'reason = "none"', "one option is the best one, not 0"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_one_sentence(fault, tmp_path):
    before, after, words = FAULTS[fault]
    assert before in SOUND
    (tmp_path / "bank.toml").write_text(SOUND.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(BankError, match=re.escape(words)) as error:
        read_bank(tmp_path / "bank.toml")
    assert str(error.value).startswith("bank.toml") and "\n" not in str(error.value)


@pytest.mark.parametrize("content, words", [
    (b"", "item is missing"), (b"item = []", "at least one [[item]]"), (b"item = 3", "item must be a list, not 3"),
    (b"\xff\xfe", "is not UTF-8"), (b"[[item]]\n", "kind must be numeric, choice or prose, not None"),
    (b"x = 1", "key x is not"),
])
def test_files_that_are_no_bank(content, words, tmp_path):
    (tmp_path / "bank.toml").write_bytes(content)
    with pytest.raises(BankError, match=re.escape(words)):
        read_bank(tmp_path / "bank.toml")


def test_the_bank_stores_no_value_that_is_computed():
    """Keys to four significant digits do not stand in the bank's text."""
    for _, field in FIELDS:
        if len(f"{field.key:.4g}") > 4 and abs(field.key - round(field.key)) > 1e-9:
            assert f"{field.key:.4g}" not in SOUND


def test_the_bank_is_read_once():
    assert book_bank() is book_bank() and banks.find("q2") is not None


def test_the_shapes_that_a_question_names_are_the_published_ones():
    prompt = BANK.read_text("utf-8")
    for name, preset in (("BERT-base", PRESETS["bert-base"]), ("the original Transformer", PRESETS["vaswani-base"])):
        assert re.findall(rf"{name}: (\d+) and (\d+)", prompt) == [(str(preset.width), str(preset.ff // preset.width))]
