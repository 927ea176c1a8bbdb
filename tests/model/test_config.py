"""A configuration is checked once, and refused by the name of the field."""

import dataclasses

import numpy as np
import pytest

import residual_stream as rs


def test_the_defaults_are_the_public_interface():
    assert dataclasses.asdict(rs.Config()) == {
        "layers": 12, "width": 64, "heads": 4, "ff": 256, "tokens": 32, "wrapping": "pre-ln", "init": "xavier",
        "residual_scale": False, "causal": True, "seed": 0, "dtype": "float64",
        "activation": "gelu", "bias": False, "vocabulary": 64, "kv_heads": None, "rotary_base": None,
        "eps": 1e-5,
    }  # fmt: skip
    assert rs.Config(width=128).ff == 512 and rs.Config(ff=100).ff == 100


def test_rotary_positions_need_pairs_of_coordinates():
    with pytest.raises(ValueError, match="rotary_base turns pairs of coordinates, but a head has 3: choose an even"):
        rs.Config(width=12, heads=4, rotary_base=1e4)


def test_a_configuration_is_a_frozen_value():
    config = rs.Config(seed=3)
    assert config == rs.Config(seed=3) and hash(config) == hash(rs.Config(seed=3)) and config != rs.Config()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.seed = 4
    assert dataclasses.replace(config, layers=np.int64(5)).layers == 5
    assert type(rs.Config(layers=np.int64(5)).layers) is int


@pytest.mark.parametrize(
    "field, value, said, remedy",
    [
        ("width", 63, "63", "choose heads=3 or width=64"),
        ("heads", 5, "5 does not divide 64", "choose heads=4 or width=65"),
        ("heads", 100, "100 does not divide 64", "choose heads=64 or width=100"),
        ("layers", -3, "-3", "at least 1"),
        ("layers", 0, "0", "at least 1"),
        ("layers", 2.0, "2.0", "whole number"),
        ("layers", True, "True", "whole number"),
        ("layers", "12", "'12'", "whole number"),
        ("width", 0, "0", "at least 1"),
        ("width", None, "None", "whole number"),
        ("heads", 0, "0", "at least 1"),
        ("ff", 0, "0", "at least 1"),
        ("ff", 1.5, "1.5", "whole number"),
        ("tokens", -1, "-1", "at least 1"),
        ("seed", -1, "-1", "at least 0"),
        ("seed", 0.5, "0.5", "whole number"),
        ("vocabulary", 1, "1", "at least 2"),
        ("wrapping", "preln", "'preln'", "did you mean 'pre-ln'"),
        ("wrapping", "Post-LN", "'Post-LN'", "did you mean 'post-ln'"),
        ("wrapping", "zzz", "'zzz'", "choose one of pre-ln, pre-ln-no-final, post-ln"),
        ("wrapping", None, "None", "choose one of"),
        ("wrapping", ["pre-ln"], "pre-ln", "choose one of"),
        ("init", "xaviar", "'xaviar'", "did you mean 'xavier'"),
        ("dtype", "float16", "'float16'", "float32"),
        ("dtype", np.float32, "float32", "choose one of float64, float32"),
        ("activation", "gelo", "'gelo'", "did you mean 'gelu'"),
        ("causal", 1, "1", "True or False"),
        ("residual_scale", "yes", "'yes'", "True or False"),
        ("bias", None, "None", "True or False"),
        ("kv_heads", 3, "3 does not divide 4", "choose kv_heads=2"),
        ("kv_heads", 0, "0", "at least 1"),
        ("kv_heads", 2.0, "2.0", "whole number"),
        ("rotary_base", 0, "0", "above 0"),
        ("rotary_base", float("inf"), "inf", "finite number"),
        ("rotary_base", True, "True", "finite number"),
        ("eps", -1e-5, "-1e-05", "at least 0"),
        ("eps", None, "None", "finite number"),
        ("eps", 10**400, "1000", "finite number"),
        ("eps", np.complex64(1), "1", "finite number"),
        ("rotary_base", 10**400, "1000", "finite number"),
        ("layers", 10**400, "10**40", "a smaller layers"),
        ("seed", 10**41, "10**40", "a smaller seed"),
    ],
)
def test_a_bad_field_is_refused_with_its_value_and_the_remedy(field, value, said, remedy):
    with pytest.raises(ValueError) as refused:
        rs.Config(**{field: value})
    message = str(refused.value)
    assert said in message and remedy in message and "\n" not in message
    assert field in message
