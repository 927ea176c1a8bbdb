"""DeepNorm's constants, from the wrapping itself, and the constants that are taken for them."""

from ...model.wrappings import deepnorm_constants
from .registry import key, mistake


@key
def alpha(layers):
    return deepnorm_constants(decoder=layers)["decoder"][0]


@key
def beta(layers):
    return deepnorm_constants(decoder=layers)["decoder"][1]


@key
def alpha_of_encoder(encoder, decoder):
    return deepnorm_constants(encoder, decoder)["encoder"][0]


@key
def beta_of_encoder(encoder, decoder):
    return deepnorm_constants(encoder, decoder)["encoder"][1]


@key
def alpha_of_decoder(encoder, decoder):
    return deepnorm_constants(encoder, decoder)["decoder"][0]


@key
def beta_of_decoder(encoder, decoder):
    return deepnorm_constants(encoder, decoder)["decoder"][1]


@mistake
def alpha_of_layers_as_sublayers(layers):
    return layers**0.25


@mistake
def alpha_as_square_root(layers):
    return (2 * layers) ** 0.5


@mistake
def alpha_times_four(layers):
    return (8 * layers) ** 0.25


@mistake
def alpha_upside_down(layers):
    return (2 * layers) ** -0.25


@mistake
def beta_like_alpha(layers):
    return (2 * layers) ** -0.25


@mistake
def beta_as_square_root(layers):
    return (2 * layers) ** -0.5


@mistake
def beta_upside_down(layers):
    return (8 * layers) ** 0.25


@mistake
def alpha_of_encoder_alone(encoder):
    return deepnorm_constants(encoder=encoder)["encoder"][0]


@mistake
def beta_of_encoder_alone(encoder):
    return deepnorm_constants(encoder=encoder)["encoder"][1]


@mistake
def alpha_of_decoder_alone(decoder):
    return deepnorm_constants(decoder=decoder)["decoder"][0]


@mistake
def beta_of_decoder_alone(decoder):
    return deepnorm_constants(decoder=decoder)["decoder"][1]


@mistake
def alpha_of_encoder_without_factor(encoder, decoder):
    return (encoder**4 * decoder) ** (1 / 16)


@mistake
def beta_of_encoder_without_factor(encoder, decoder):
    return (encoder**4 * decoder) ** (-1 / 16)


# How many additions an encoder-decoder makes: two in each encoder layer, three in each decoder layer.

@key
def encoder_additions(encoder):
    return 2 * encoder


@key
def decoder_additions(decoder):
    return 3 * decoder


@key
def all_additions(encoder, decoder):
    return 2 * encoder + 3 * decoder


@mistake
def decoder_additions_without_cross_attention(decoder):
    return 2 * decoder


@mistake
def all_additions_without_cross_attention(encoder, decoder):
    return 2 * (encoder + decoder)


@mistake
def all_additions_three_each(encoder, decoder):
    return 3 * (encoder + decoder)


@mistake
def all_layers(encoder, decoder):
    return encoder + decoder


@mistake
def encoder_layers(encoder):
    return encoder


@mistake
def decoder_layers(decoder):
    return decoder


@mistake
def encoder_additions_with_cross_attention(encoder):
    return 3 * encoder
