"""The two trained models themselves, where their packages are installed: they are the real ones, and measured right."""

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.__main__ import main
from residual_stream.model import trained
from residual_stream.model.trained import measured, minilm
from residual_stream.model.trained.readout import log_probabilities, stream_loss
from residual_stream.model.trained.tables import Table, committed, difference, table
from residual_stream.model.trained.texts import texts

SENTENCES = ["The bridge was finished two years early.", "हर आदमी उस पर लिखा पता पढ़ता है", "a"]


@pytest.fixture(scope="module")
def language(loaded):
    return loaded("smollm2-135m")


@pytest.fixture(scope="module")
def encoder(loaded):
    return loaded("minilm")


def test_the_capital_of_japan_follows(language):
    ids = language.encode("The capital of France is Paris. The capital of India is New Delhi. The capital of Japan is")
    chances = log_probabilities(language, language.stream(ids)[-1])
    assert language.words([chances.argmax()]) == [" Tokyo"] and np.exp(chances.max()) > 0.9


def test_prose_is_likely_and_shuffled_prose_is_not(language):
    """Against ln 49152 = 10.8 nats for a guess: good prose costs a third of that, its shuffled tokens far more."""
    ids = language.encode(texts()["texts"]["english-short"])
    mixed = np.random.default_rng(7).permutation(ids)
    assert 2 < stream_loss(language, language.stream(ids), ids) < 4.5
    assert stream_loss(language, language.stream(mixed), mixed) > 7


def test_tokens_are_bytes_digits_and_pieces(language):
    for text in ("In 2024, it's  17!\n\tOK", "मुंबई में", "é — “x”"):
        ids = language.encode(text)
        assert language.tokenizer.decode(ids.tolist()) == text
    assert language.words(language.encode("12 abc")) == ["1", "2", " abc"]


def test_the_shape_is_smollm2_s(language):
    """134,515,008 parameters: the 49,152 x 576 embedding (tied), 30 layers, the final norm."""
    layers = sum(array.size for weights in language.layers for own in weights.values() for array in own.values())
    assert layers + language.embedding.size + language.final_gamma.size == 134_515_008
    config = language.config
    assert (config.layers, config.width, config.heads, config.kv_heads) == (30, 576, 9, 3)
    assert config.rotary_base == 100_000 and config.eps == pytest.approx(1e-5)


def test_a_sentence_s_vector_is_pytorch_s(encoder, torch):
    """The same file in torch.nn's encoder: its own attention, its own layer norm, its own GELU."""
    from safetensors.torch import load_file

    tensors = load_file(minilm.FILE.path())

    def part(prefix):
        return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}

    layers = []
    for index in range(6):
        own = part(f"encoder.layer.{index}.")
        layer = torch.nn.TransformerEncoderLayer(384, 12, 1536, 0.0, "gelu", 1e-12, batch_first=True)
        packed = {f"self_attn.in_proj_{kind}": torch.cat([own[f"attention.self.{which}.{kind}"]
                                                          for which in ("query", "key", "value")])
                  for kind in ("weight", "bias")}
        names = {"self_attn.out_proj": "attention.output.dense", "linear1": "intermediate.dense",
                 "linear2": "output.dense", "norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}
        named = {f"{ours}.{kind}": own[f"{theirs}.{kind}"] for ours, theirs in names.items()
                 for kind in ("weight", "bias")}
        layer.load_state_dict(packed | named)
        layers.append(layer.eval())
    embeddings = part("embeddings.")
    for sentence in SENTENCES:
        ids = torch.tensor(encoder.encode(sentence))
        with torch.no_grad():
            x = (embeddings["word_embeddings.weight"][ids] + embeddings["position_embeddings.weight"][: len(ids)]
                 + embeddings["token_type_embeddings.weight"][0])
            x = torch.nn.functional.layer_norm(
                x, (384,), embeddings["LayerNorm.weight"], embeddings["LayerNorm.bias"], 1e-12)[None]
            for layer in layers:
                x = layer(x)
            expected = torch.nn.functional.normalize(x[0].mean(dim=0), dim=0).numpy()
        assert np.abs(minilm.sentence_embedding(encoder, sentence) - expected).max() < 1e-5


def test_sentences_of_one_meaning_are_near(encoder):
    near, far = (minilm.sentence_embedding(encoder, other) @ minilm.sentence_embedding(encoder, "A man is eating food.")
                 for other in ("Somebody has his meal.", "The stock market fell."))
    assert near > 0.5 > 0.2 > far


# A slice of each committed table, measured anew: both models, short texts.
SLICES = {
    "trace": [measured.trace_rows, ("minilm",), ("english-short", "hindi-long")],
    "lens": [measured.lens_rows, ("tokyo",)],
    "reading": [measured.reading_rows, ("english-short",)],
    "ablation": [measured.ablation_rows, ("minilm",), (5,)],
}


def agrees(name, rows):
    """Whether the rows are those of the committed table, to its tolerance."""
    found, whole = table(name, rows), committed(name)
    slice_ = Table(whole.layout, {key: whole.rows[key] for key in found.rows})
    assert found.rows
    return difference(found, slice_) <= 1e-3


@pytest.mark.parametrize("name", SLICES)
def test_a_slice_of_the_committed_table_is_measured_again(language, encoder, name):
    function, *arguments = SLICES[name]
    assert agrees(name, function(*arguments))


def test_smollm2_s_trace_and_ablation_are_measured_again(language):
    assert agrees("trace", measured.trace_rows(("smollm2-135m",), ("english-short", "tokyo")))
    assert agrees("ablation", measured.ablation_rows(("smollm2-135m",), (measured.MASSIVE, 29)))


def test_the_public_call_gives_medians_and_the_first_token(language, capsys):
    text = texts()["prompts"]["tokyo"]
    traced = rs.model.trained.trace("smollm2-135m", text)
    picked = {"model": "smollm2-135m", "text": "tokyo"}
    for place, one in (("rest", traced), (0, traced.first_token)):
        np.testing.assert_allclose(one.var_sum, committed("trace").column("var_sum", place=place, **picked), rtol=2e-3)
    assert main(["trained", "--model", "smollm2-135m", "--text", text]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 61 and float(lines[-1].split()[-1]) == pytest.approx(traced.first_token.var_sum[-1], rel=1e-3)


@pytest.mark.parametrize("name", trained.MODELS)
@pytest.mark.parametrize("text, said", [("", "text is empty"), ("word " * 100_000, "text is too long: 100,00")])
def test_a_bad_text_gets_one_line(loaded, capsys, name, text, said):
    loaded(name)
    assert main(["trained", "--model", name, "--text", text]) == 2
    told = capsys.readouterr()
    assert said in told.err and told.err.count("\n") == 1 and told.out == ""
