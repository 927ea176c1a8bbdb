"""What is measured on a model, on random weights of both kinds: no package is needed here."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import residual_stream as rs
from residual_stream.model.attention import attention, rotary
from residual_stream.model.stack import forward
from residual_stream.model.sublayers import feed_forward, layer_norm, rms_norm
from residual_stream.model.trained import smollm2
from residual_stream.model.trained.ablation import without, without_at
from residual_stream.model.trained.model import Model
from residual_stream.model.trained.readout import log_probabilities, logit_lens, stream_loss
from residual_stream.model.trained.texts import fitting, texts
from residual_stream.model.trained.tracing import MEASURES, text_trace, token_accounts
from residual_stream.model.weights import KINDS

TEXT = "the quick brown fox jumps"


def test_the_trace_of_a_text_is_that_of_the_stack_token_by_token(small):
    ids = small.encode(TEXT)
    accounts = token_accounts(small, ids, np.float64)
    whole = rs.trace(small.config, x=small.embed(ids).astype(np.float64), layers=small.layers)
    for name in MEASURES:
        each = getattr(accounts, name)
        assert each.shape == (6, len(ids)) and each.dtype == np.float64
        np.testing.assert_allclose(each.mean(axis=1), getattr(whole, name), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(
        accounts.var_sum, accounts.var_stream + accounts.var_branch + 2 * accounts.covariance, rtol=1e-10)


def test_medians_leave_the_first_token_out_and_it_stands_beside(small):
    ids = small.encode(TEXT)
    traced, accounts = text_trace(small, TEXT), token_accounts(small, ids)
    for name in MEASURES:
        each = getattr(accounts, name)
        expected = [sorted(row[1:])[(len(ids) - 2) // 2] for row in each]
        below = [sorted(row[1:])[(len(ids) - 1) // 2] for row in each]
        np.testing.assert_allclose(getattr(traced, name), np.add(expected, below) / 2, rtol=1e-6)
        np.testing.assert_array_equal(getattr(traced.first_token, name), each[:, 0])
    assert traced.layer.tolist() == [0, 0, 1, 1, 2, 2] and traced.kind.tolist() == [*KINDS] * 3


def test_the_depths_are_the_streams_between_the_additions(small):
    ids = small.encode(TEXT)
    depths = small.depths(ids)
    assert len(depths) == 7
    np.testing.assert_array_equal(depths[0], small.embed(ids))
    np.testing.assert_array_equal(depths[-1], small.stream(ids))


def sublayer_without_branch(x, own):
    """The sublayer where nothing is added: x itself before pre-norm layers, LN(x) where the norm is on the sum."""
    return layer_norm(x, own["sum_gamma"], own["sum_beta"]) if "sum_gamma" in own else x


def feed_forward_sublayer(small, x, own):
    """The feed-forward sublayer written out for both wrappings."""
    branch = partial(feed_forward, activation=small.config.activation,
                     **{name: w for name, w in own.items() if name.startswith(("up", "down"))})
    if "sum_gamma" in own:
        return layer_norm(x + branch(x), own["sum_gamma"], own["sum_beta"])
    return x + branch(rms_norm(x, own["read_gamma"]))


@pytest.mark.parametrize("layer", range(3))
@pytest.mark.parametrize("kinds", [KINDS[:1], KINDS[1:], KINDS])
def test_a_handler_who_adds_nothing_leaves_the_stream_to_the_norm(small, layer, kinds):
    depths = small.depths(small.encode(TEXT))
    own = small.layers[layer]
    x = depths[2 * layer + 1] if kinds == KINDS[1:] else sublayer_without_branch(depths[2 * layer], own[KINDS[0]])
    second = own[KINDS[1]]
    x = sublayer_without_branch(x, second) if KINDS[1] in kinds else feed_forward_sublayer(small, x, second)
    expected = forward(x, small.layers[layer + 1:], small.config)
    found = without(small, depths, layer, kinds)
    np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-5)
    assert np.abs(found - depths[-1]).max() > 0.01


def test_a_network_may_add_nothing_at_some_tokens_only(small):
    if not small.predicts:
        return
    depths = small.depths(small.encode(TEXT))
    everywhere = without(small, depths, 1, KINDS[1:])
    np.testing.assert_allclose(without_at(small, depths, 1, slice(None)), everywhere, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(without_at(small, depths, 1, slice(0, 0)), depths[-1], rtol=1e-4, atol=1e-5)
    at_last = without_at(small, depths, 1, -1)
    np.testing.assert_allclose(at_last[:-1], depths[-1][:-1], rtol=1e-4, atol=1e-5)
    assert np.abs(at_last[-1] - depths[-1][-1]).max() > 0.01


def test_the_lens_reads_final_norm_and_output_matrix_at_each_depth(small):
    ids = small.encode(TEXT)
    if not small.predicts:
        with pytest.raises(ValueError, match="small predicts no next token"):
            logit_lens(small, ids)
        return
    lens = logit_lens(small, ids, n=3)
    for depth, stream in enumerate(small.depths(ids)):
        scores = rms_norm(stream[-1], small.final_gamma).astype(float) @ small.embedding.T.astype(float)
        chances = np.exp(scores) / np.exp(scores).sum()
        order = sorted(range(26), key=lambda token: -chances[token])
        assert lens.top[depth].tolist() == order[:3]
        np.testing.assert_allclose(lens.probability[depth], chances[order[:3]], rtol=1e-4)
        answer = lens.top[-1, 0]
        assert lens.rank[depth] == 1 + order.index(answer)
        assert lens.answer[depth] == pytest.approx(chances[answer], rel=1e-4)
    assert lens.rank[-1] == 1


def test_the_loss_is_that_of_each_token_after_those_before_it(small):
    if small.predicts:
        ids = small.encode(TEXT)
        chances = [log_probabilities(small, small.stream(ids[:n]))[-1] for n in range(1, len(ids))]
        expected = -np.mean([chance[token] for chance, token in zip(chances, ids[1:], strict=True)])
        assert stream_loss(small, small.stream(ids), ids) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("text, said", [
    ("", "text is empty: write at least one word"), (" \n\t", "text is empty"),
    (None, "text must be a string, not NoneType"), (b"bytes", "text must be a string, not bytes"),
    ("ab\udcff", "text holds no Unicode text at place 2"),
    ("a" * 41, "text is too long: 41 tokens, and small takes 40 at most"),
    ("a" * 100_000, "text is too long: 100,000 tokens"), ("a", "text must have at least two tokens"),
])
def test_a_bad_text_is_refused_in_one_line(small, text, said):
    with pytest.raises(ValueError, match=said) as refused:
        text_trace(small, text)
    assert "\n" not in str(refused.value)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=20), st.integers(6, 60))
def test_a_text_is_cut_to_the_longest_beginning_that_fits(letters, words, most):
    model = Model("small", "Small", None, [], None, letters)
    found = fitting(model, " ".join(words), most).split(" ")
    assert found == words[: len(found)] and len("".join(found)) <= most
    assert len(found) == len(words) or len("".join(words[: len(found) + 1])) > most


def test_the_file_s_rotary_order_becomes_the_engine_s():
    """Turning neighbouring coordinates, as the file means them, or halves of a permuted head: the same scores."""
    rng = np.random.default_rng(0)
    heads, head, tokens = 2, 8, 5
    query, key = rng.standard_normal((2, heads * head, 12))
    x = rng.standard_normal((tokens, 12))

    def turned(matrix):
        z = (x @ matrix.T).reshape(tokens, heads, head // 2, 2)
        angle = np.arange(tokens)[:, None] * 100.0 ** (-2 * np.arange(head // 2) / head)
        z = (z[..., 0] + 1j * z[..., 1]) * np.exp(1j * angle)[:, None]
        return np.stack([z.real, z.imag], -1).reshape(tokens, heads, head)

    scores = np.einsum("ihc,jhc->hij", turned(query), turned(key)) / head**0.5
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    value = rng.standard_normal((heads * head, 12))
    expected = np.einsum("hij,jhc->ihc", weights, (x @ value.T).reshape(tokens, heads, head)).reshape(tokens, -1)
    qkv = np.concatenate([smollm2.halves(query, heads), smollm2.halves(key, heads), value]).T
    found = attention(x, qkv, np.eye(heads * head), heads=heads, causal=False, rotation=rotary(tokens, head, 100.0))
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_the_texts_are_there():
    assert {"english-short", "english-long", "hindi-long"} <= texts()["texts"].keys()
    sentences = [sentence for pair in texts()["pairs"].values() for sentence in pair]
    assert len(set(sentences)) == len(sentences) == 24
