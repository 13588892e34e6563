#!/usr/bin/env python3
"""Writes reference activations and gradients of the Neural Turing Machine, computed by PyTorch in float64.

    /usr/bin/python3 tests/reference/ntm.py        (from the root of the sources; needs python3-torch)

Nothing here knows the program: the machine is built from the equations of Graves et al. 2014, one example, one step and
one head at a time; gradients are PyTorch's. One file, three machines (RUN):
    RUN/param/NAME              parameters in the program's layout: [in x out], LSTM blocks in the order f, g, i, o
    RUN/input/source, decoder, target      token ids [S], [T], [T]
    RUN/site/NAME               the activation at every site
    RUN/loss                    mean cross-entropy;  RUN/grad/NAME: its gradient for every parameter
"""

import torch
import torch.nn.functional as F
from make_reference import OUT, write_safetensors

BITS, H, SLOTS, W, S, T = 3, 5, 6, 4, 4, 3
MACHINES = {  # controller, pairs of heads, tanh of keys and additions, learned first weightings; seed
    "lstm": ("lstm", 1, False, False, 56),
    "feedforward": ("feedforward", 1, False, False, 49),
    "two_heads": ("lstm", 2, True, True, 42),
}


def bits_of(token, bits):
    return torch.tensor([float(c) for c in format(int(token), f"0{bits}b")])


def parameter_shapes(controller, heads, learned_start):
    shapes, inputs = {}, BITS + 1 + heads * W
    if controller == "lstm":
        shapes.update({"controller.lstm.Wx": (inputs, 4 * H), "controller.lstm.Wh": (H, 4 * H),
                       "controller.lstm.b": (4 * H,), "controller.init.h": (H,), "controller.init.c": (H,)})
    else:
        shapes.update({"controller.W": (inputs, H), "controller.b": (H,)})
    shapes["memory.init"] = (SLOTS, W)
    for r in range(heads):
        for kind, width in (("read", W + 6), ("write", 3 * W + 6)):
            at = f"memory.head[{r}].{kind}."
            shapes.update({at + "W": (H, width), at + "b": (width,)})
            if learned_start:
                shapes[at + "start"] = (SLOTS,)
        shapes[f"memory.head[{r}].read.init"] = (W,)
    shapes.update({"output.W": (H + heads * W, BITS), "output.b": (BITS,)})
    return shapes


class Machine:
    def __init__(self, p, controller, heads, squash, learned_start):
        self.p, self.controller, self.heads, self.squash = p, controller, heads, squash
        self.sites, self.slots, self.width = {}, *p["memory.init"].shape
        self.h, self.c = p.get("controller.init.h"), p.get("controller.init.c")
        self.memory = p["memory.init"]
        self.reads = [p[f"memory.head[{r}].read.init"] for r in range(heads)]
        self.w = {}
        # What each source token has added to the memory and what is left of it; what stems from elsewhere.
        self.parts, self.source = {-1: self.memory, -2: torch.zeros_like(self.memory)}, -2
        for r in range(heads):
            for kind in ("read", "write"):
                start = p[f"memory.head[{r}].{kind}.start"] if learned_start else torch.zeros(self.slots)
                self.w[r, kind] = self.publish(f"memory.head[{r}].{kind}.w_start", start.exp() / start.exp().sum())

    def publish(self, name, value):
        self.sites[name] = value.reshape(-1) if value.dim() == 0 else value
        return value

    def control(self, x, place):
        p = self.p
        x = self.publish(place + "controller.input", torch.cat([x] + self.reads))
        if self.controller == "feedforward":
            self.h = self.publish(place + "controller.h", torch.tanh(x @ p["controller.W"] + p["controller.b"]))
            return
        pre = x @ p["controller.lstm.Wx"] + self.h @ p["controller.lstm.Wh"] + p["controller.lstm.b"]
        f, g, i, o = pre.chunk(4)
        f, g, i, o = f.sigmoid(), g.tanh(), i.sigmoid(), o.sigmoid()
        self.c = f * self.c + i * g
        self.h = o * torch.tanh(self.c)
        for name, value in (("pre", pre), ("gate.f", f), ("cand.g", g), ("gate.i", i), ("gate.o", o), ("c", self.c),
                            ("h", self.h)):
            self.publish(place + "lstm." + name, value)

    def address(self, pre, r, kind, place):
        W, slots = self.width, self.slots
        key = torch.tanh(pre[:W]) if self.squash else pre[:W]
        beta, gate = F.softplus(pre[W]), torch.sigmoid(pre[W + 1])
        shift, gamma = torch.softmax(pre[W + 2:W + 5], dim=0), 1 + F.softplus(pre[W + 5])
        # eq. 6, with the program's small number in the denominator
        similarity = torch.stack([key @ row / (key.norm() * row.norm() + 1e-8) for row in self.memory])
        content = torch.softmax(beta * similarity, dim=0)                                          # eq. 5
        gated = gate * content + (1 - gate) * self.w[r, kind]                                      # eq. 7
        shifted = torch.stack([sum(gated[j] * shift[(i - j + 1) % slots]                           # eq. 8
                                   for j in range(slots) if (i - j + 1) % slots < 3) for i in range(slots)])
        powers = (shifted + 1e-16) ** gamma
        w = powers / powers.sum()                                                                  # eq. 9
        self.w[r, kind] = w
        for name, value in (("pre", pre), ("key", key), ("beta", beta), ("gate", gate), ("shift", shift),
                            ("gamma", gamma), ("similarity", similarity), ("w_content", content), ("w_gated", gated),
                            ("w_shifted", shifted), ("w", w)):
            self.publish(place + name, value)
        return w

    def step(self, x, place):
        W, slots = self.width, self.slots
        self.control(x, place)
        for r in range(self.heads):
            at, name = f"{place}memory.head[{r}].read.", f"memory.head[{r}].read."
            w = self.address(self.h @ self.p[name + "W"] + self.p[name + "b"], r, "read", at)
            self.reads[r] = self.publish(at + "vector", sum(w[i] * self.memory[i] for i in range(slots)))  # eq. 2
            if r == 0:
                self.read_parts = {source: w @ part for source, part in self.parts.items()}
                assert torch.allclose(sum(self.read_parts.values()), self.reads[0], atol=1e-5)
            at, name = f"{place}memory.head[{r}].write.", f"memory.head[{r}].write."
            pre = self.h @ self.p[name + "W"] + self.p[name + "b"]
            w = self.address(pre, r, "write", at)
            erase, add = torch.sigmoid(pre[W + 6:2 * W + 6]), pre[2 * W + 6:]
            if self.squash:
                add = torch.tanh(add)
            erased = torch.stack([self.memory[i] * (1 - w[i] * erase) for i in range(slots)])      # eq. 3
            self.memory = torch.stack([erased[i] + w[i] * add for i in range(slots)])              # eq. 4
            left = 1 - w[:, None] * erase[None]
            self.parts = {source: part * left for source, part in self.parts.items()}
            self.parts[self.source] = self.parts.get(self.source, 0) + w[:, None] * add[None]
            for leaf, value in (("erase", erase), ("add", add), ("M", self.memory)):
                self.publish(at + leaf, value)


def run(p, machine, source, fed, target):
    controller, heads, squash, learned_start, _ = machine
    m, bits = Machine(p, controller, heads, squash, learned_start), len(p["output.b"])
    m.publish("input.src.ids", source)
    m.publish("input.src.display_index", torch.arange(len(source)))
    channels = [torch.cat([bits_of(token, bits), torch.zeros(1)]) for token in source]
    m.publish("encoder.channels", torch.stack(channels))
    channels.append(torch.cat([torch.zeros(bits), torch.ones(1)]))
    for j, x in enumerate(channels):
        m.source = j
        m.step(x, f"encoder.step[{j}].")
    losses, bit_losses = [], []
    table = torch.stack([bits_of(token, bits) for token in range(2 ** bits)])
    for t in range(len(target)):
        place = f"decoder.step[{t}]."
        m.publish(place + "input.id", fed[t:t + 1])
        m.source = len(channels) + t
        m.step(torch.zeros(bits + 1), place)
        readout = m.publish(place + "output.readout", torch.cat([m.h] + m.reads))
        z = m.publish(place + "output.bits", readout @ p["output.W"] + p["output.b"])
        m.publish(place + "output.bit_probs", torch.sigmoid(z))
        logits = m.publish(place + "output.logits", (table * z).sum(dim=1))
        m.publish(place + "output.probs", torch.softmax(logits, dim=0))
        norms = {source: part.norm() for source, part in m.read_parts.items()}
        m.publish(place + "memory.origin", torch.stack([norms[j] for j in range(len(source))]) / sum(norms.values()))
        losses.append(F.cross_entropy(logits[None], target[t:t + 1]))
        bit_losses.append(F.binary_cross_entropy_with_logits(z, bits_of(target[t], bits), reduction="sum"))
    loss, bit_loss = sum(losses) / len(losses), sum(bit_losses) / len(bit_losses)
    assert abs(loss - bit_loss) < (1e-12 if loss.dtype == torch.float64 else 1e-5)
    return m.sites, loss


def main():
    tensors = {}
    for label, machine in MACHINES.items():
        # Seeds with which some weightings are sharp and some are not, and gates lie on both sides of their middle.
        torch.manual_seed(machine[4])
        shapes = parameter_shapes(machine[0], machine[1], machine[3])
        # Large enough that heads leave the middle: some slots are preferred, and places move.
        p = {name: (2 if "head" in name else 1) * torch.randn(shape) for name, shape in shapes.items()}
        p = {name: value.requires_grad_() for name, value in p.items()}
        source, fed, target = (torch.randint(2 ** BITS, (n,)) for n in (S, T, T))
        sites, loss = run(p, machine, source, fed, target)
        single = {name: value.detach().float() for name, value in p.items()}
        torch.set_default_dtype(torch.float32)
        single_sites, _ = run(single, machine, source, fed, target)
        torch.set_default_dtype(torch.float64)
        worst = max((a.double() - single_sites[name].double()).abs().max().item() for name, a in sites.items())
        assert worst < 5e-6, worst
        gradients = torch.autograd.grad(loss, list(p.values()))
        assert all(g.abs().max() > 1e-6 for g in gradients)
        tensors.update({f"{label}/param/{name}": value for name, value in p.items()})
        for name, value in {"source": source, "decoder": fed, "target": target}.items():
            tensors[f"{label}/input/{name}"] = value
        tensors.update({f"{label}/site/{name}": value for name, value in sites.items()})
        tensors[f"{label}/loss"] = loss.reshape(1)
        tensors.update({f"{label}/grad/{name}": g for name, g in zip(p, gradients)})
        weights = sites["decoder.step[2].memory.head[0].read.w"]
        print(f"{label}: loss {loss.item():.6f}, {len(sites)} sites, float32 within {worst:.1e}, "
              f"largest weight {weights.max().item():.3f}")
    path = OUT / "ntm.safetensors"
    write_safetensors(path, tensors)
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
