#!/usr/bin/env bash
# Trains the bundled models again, from nothing, with the program itself. Takes about ten minutes on two cores; a run that
# was stopped goes on where it was. The figures are in each folder's README.md.
#   sample_models/train.sh [NAME...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
headlight=${HEADLIGHT:-../build/release/headlight}

train() {
  local name=$1 task=$2 architecture=$3
  shift 3
  [[ ${#wanted[@]} -gt 0 && " ${wanted[*]} " != *" $name "* ]] && return
  local resume=()
  [[ -f $name/checkpoint.safetensors ]] && resume=(--resume)
  "$headlight" train "$task" --architecture "$architecture" "$@" --out "$name" "${resume[@]}"
}

wanted=("$@")
train date-plain date_wide seq2seq --epochs 8 --set train_size=60000
train date-peeky date_wide seq2seq_peeky --epochs 14 --set train_size=60000
train date-attention date_wide attn_seq2seq --epochs 8 --set train_size=60000
train addition-attention addition attn_seq2seq --epochs 40
