"""The same stack in PyTorch, eager, as its users write it: fused attention, fused GELU, autograd."""

import torch
import torch.nn.functional as F


class Layer(torch.nn.Module):
    """A pre-LN layer without biases, like the package's."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norms = torch.nn.ModuleList([torch.nn.LayerNorm(width, bias=False) for _ in range(2)])
        self.qkv = torch.nn.Linear(width, 3 * width, bias=False)
        self.out = torch.nn.Linear(width, width, bias=False)
        self.up = torch.nn.Linear(width, 4 * width, bias=False)
        self.down = torch.nn.Linear(4 * width, width, bias=False)

    def attention(self, x):
        q, k, v = (z.unflatten(-1, (self.heads, -1)).transpose(0, 1) for z in self.qkv(x).chunk(3, -1))
        read = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0]
        return self.out(read.transpose(0, 1).flatten(1))

    def feed_forward(self, x):
        return self.down(F.gelu(self.up(x), approximate="tanh"))

    def draw(self):
        for matrix in (self.qkv, self.out, self.up, self.down):
            torch.nn.init.xavier_normal_(matrix.weight)


def forward(layers, x, record=None):
    for layer in layers:
        for norm, sublayer in zip(layer.norms, (layer.attention, layer.feed_forward), strict=True):
            branch = sublayer(norm(x))
            if record is not None:
                record.append(account(x, branch))
            x = x + branch
    return x


def account(stream, branch):
    """The same five numbers and the tokens' similarity as the package's trace, on tensors."""
    x, f = stream - stream.mean(-1, keepdim=True), branch - branch.mean(-1, keepdim=True)
    var_x, var_f, covariance = (x * x).mean(-1), (f * f).mean(-1), (x * f).mean(-1)
    total = stream + branch
    unit = F.normalize(total, dim=-1).sum(-2)
    tokens = total.shape[-2]
    values = var_x, var_f, covariance, covariance / (var_x * var_f).sqrt(), total.var(-1, correction=0)
    return [*(float(v.mean()) for v in values), float((unit @ unit - tokens) / (tokens * (tokens - 1)))]


def trace(layers, x):
    rows = []
    with torch.no_grad():
        forward(layers, x, rows)
    return rows


def trace_drawing(layer, depth, x):
    """A trace of ``depth`` layers drawn one after the other into one layer's memory."""
    rows = []
    with torch.no_grad():
        for _ in range(depth):
            layer.draw()
            x = forward([layer], x, rows)
    return rows


def gradients(layers, x):
    """Forward and backward from the sum of the last stream; the gradients stay on the parameters."""
    for layer in layers:
        layer.zero_grad(set_to_none=True)
    forward(layers, x).sum().backward()
