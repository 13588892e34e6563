#!/usr/bin/env python3
"""Small folders that the transformers library itself writes and computes, of settings that elsewhere.py has no drawing of:

  library.py OUT     writes each of MODELS below into OUT (tests/data/drawn keeps them)

Needs transformers and torch; written with transformers 5.24 and torch 2.14. No test needs them."""

import json
import pathlib
import sys

import numpy as np
import torch
import transformers as t

BERT = dict(vocab_size=29, hidden_size=12, num_hidden_layers=2, num_attention_heads=2, intermediate_size=20,
            max_position_embeddings=24, type_vocab_size=2, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
ROBERTA = {**BERT, "type_vocab_size": 1, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
LLAMA = dict(vocab_size=29, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
             intermediate_size=20, max_position_embeddings=8, bos_token_id=1, eos_token_id=2)
OPT = dict(vocab_size=29, hidden_size=12, num_hidden_layers=2, num_attention_heads=2, ffn_dim=20,
           word_embed_proj_dim=12, max_position_embeddings=24, dropout=0.0, pad_token_id=1, bos_token_id=2, eos_token_id=2)
PADDED = [[0, 5, 1, 6, 7, 2], [1, 1, 4, 9, 1, 1], [0, 3, 2], [1]]  # 1 is the padding token of RoBERTa
PLAIN = [[3, 4, 5, 6, 7], [9]]
# name -> class, configuration, texts
MODELS = {
    "RobertaForMaskedLM-padding": (t.RobertaForMaskedLM, t.RobertaConfig(**ROBERTA), PADDED),
    "CamembertModel-padding-is-5": (t.CamembertModel, t.CamembertConfig(**{**ROBERTA, "pad_token_id": 5}),
                                    [[0, 5, 6, 5, 7, 2]]),
    "BertLMHeadModel-decoder": (t.BertLMHeadModel, t.BertConfig(**BERT, is_decoder=True, pad_token_id=0), PLAIN),
    "BertModel-decoder": (t.BertModel, t.BertConfig(**BERT, is_decoder=True, pad_token_id=0), PLAIN),
    "RobertaForCausalLM-decoder": (t.RobertaForCausalLM, t.RobertaConfig(**ROBERTA, is_decoder=True), PADDED + PLAIN),
    "ElectraForCausalLM-decoder": (t.ElectraForCausalLM, t.ElectraConfig(**BERT, embedding_size=8, is_decoder=True,
                                                                         pad_token_id=0), PLAIN),
    "OPTForCausalLM-no-affine": (t.OPTForCausalLM, t.OPTConfig(**OPT, layer_norm_elementwise_affine=False), PLAIN),
    "OPTForCausalLM-no-affine-post": (t.OPTForCausalLM, t.OPTConfig(**OPT, layer_norm_elementwise_affine=False,
                                                                    do_layer_norm_before=False), PLAIN),
    "LlamaForCausalLM-dynamic": (t.LlamaForCausalLM, t.LlamaConfig(
        **LLAMA, rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0}),
        [[3, 4, 5, 6, 7], [3, 4, 5, 6, 7, 8, 9, 10], list(range(3, 16))]),
}


def arrays_of(model, ids, types):
    batch = {"input_ids": torch.tensor([ids])}
    if types:
        batch["token_type_ids"] = torch.tensor([types])
    with torch.no_grad():
        out = model(**batch, output_hidden_states=True, output_attentions=True)
    arrays = {"input_ids": np.array(ids)}
    if getattr(out, "logits", None) is None:
        arrays["last_hidden_state"] = out.last_hidden_state[0].numpy()
    if types:
        arrays["token_type_ids"] = np.array(types)
    for i, state in enumerate(out.hidden_states):
        arrays[f"hidden_states.{i}"] = state[0].numpy()
    for i, weights in enumerate(out.attentions):
        arrays[f"attentions.{i}"] = weights[0].numpy()
    for name in ("logits", "pooler_output"):
        if getattr(out, name, None) is not None:
            arrays[name] = getattr(out, name)[0].numpy()
    return arrays


def main(out):
    for number, (name, (kind, config, texts)) in enumerate(MODELS.items()):
        torch.manual_seed(number)
        config._attn_implementation = "eager"
        model = kind(config).eval()
        with torch.no_grad():  # the library draws small weights, and zeros of padding: every one of them shall count
            for parameter in model.parameters():
                parameter.normal_(0.0 if parameter.dim() > 1 else 0.3, 0.4)
        writes = kind.__name__.endswith(("CausalLM", "LMHeadModel")) and "Masked" not in kind.__name__
        arrays = {}
        for i, ids in enumerate(texts):
            both = [[]] + ([[0] * (len(ids) // 2) + [1] * (len(ids) - len(ids) // 2)] if name.startswith("Bert") else [])
            for j, types in enumerate(both):
                for key, value in arrays_of(kind.from_pretrained(None, config=config, state_dict=model.state_dict(),
                                                                 attn_implementation="eager").eval()
                                            if "dynamic" in name else model, ids, types).items():
                    arrays[f"case{i}{'ab'[j]}.{key}"] = value
            if writes and 1 not in ids and "dynamic" not in name:
                torch.manual_seed(0)
                written = model.generate(torch.tensor([ids]), max_new_tokens=12, do_sample=False, num_beams=1)
                arrays[f"case{i}a.generated"] = written[0].numpy()
        folder = pathlib.Path(out) / name
        model.save_pretrained(folder)
        (folder / "generation_config.json").unlink(missing_ok=True)
        values = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(values, indent=1) + "\n")
        np.savez_compressed(folder / "reference.npz", **{k: v.astype(np.int64) if v.dtype == np.int64 else
                                                         v.astype(np.float32) for k, v in arrays.items()})
        print(name, sum(f.stat().st_size for f in folder.iterdir()), "bytes")


if __name__ == "__main__":
    main(sys.argv[1])
