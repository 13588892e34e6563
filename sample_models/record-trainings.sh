#!/usr/bin/env bash
# Records the trainings that come with the program, from nothing, into resources/recordings: what lessons of the course
# Learning to look show, and what the lab has beside its presets. Some five minutes on two cores. Without weights, but for
# those of the last moment.
#   sample_models/record-trainings.sh [NAME...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export OPENBLAS_NUM_THREADS=1  # so small, they only wait for one another
headlight=$(realpath "${HEADLIGHT:-../build/release/headlight}")
recordings=$(realpath -m ../resources/recordings)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir -p "$recordings"
wanted=("$@")

# NAME OPTIONS...
record() {
  local name=$1
  shift
  [[ ${#wanted[@]} -gt 0 && " ${wanted[*]} " != *" $name "* ]] && return
  "$headlight" train "$@" --quiet --out "$work/$name" --record "$recordings/$name.training" \
    --record-weights last
}

# 480 sentences of a class: three scores, three seeds each. Seeds 2 and 3 of dot learn more slowly.
for seed in 1 2 3; do
  record "class-dot-$seed" --preset class-dot --seed $seed --epochs $([[ $seed == 1 ]] && echo 30 || echo 60)
  record "class-bahdanau-$seed" --preset class-bahdanau --seed $seed
  record "class-none-$seed" --preset class-none --seed $seed
done

# Fewer sentences, more often: each training reads some 14,400.
record class-60 --preset class-dot --set train_size=60 --epochs 300
record class-120 --preset class-dot --set train_size=120 --epochs 120
record class-240 --preset class-dot --set train_size=240 --epochs 60

# The length of a step: too short, usual, too long (class-dot-1 has .005).
record rate-short --preset class-dot --set learning_rate=0.0003
record rate-long --preset class-dot --set learning_rate=0.3

# Copying with a Transformer that has its norm behind the sum, with and without a slow start.
for warmup in 0 200; do
  record "warm-up-$warmup" --preset copy-positions --set norm_place=post --set encoder_layers=3 --set decoder_layers=3 \
    --set schedule=constant --set learning_rate=0.01 --set warmup=$warmup
done

# What the lab shows beside its other presets.
record date-attention-1 --preset date-small
record copy-positions-1 --preset copy-positions
record copy-nowhere-1 --preset copy-nowhere
record head-scaled-1 --preset head-scaled
record head-unscaled-1 --preset head-unscaled
record toy-mt-1 toy_mt --architecture bahdanau --epochs 12 --set train_size=4000 --set test_size=200 --set batch=32 \
  --set hidden_size=48 --set embedding_size=32 --set init=fan_in --set optimiser=adam --set learning_rate=0.003 \
  --probe "the girl sees the big red house"

# A small text, by characters. Its file is named without a folder: recordings are the same everywhere.
cd ../resources/texts
record text-harbour-1 text --files harbour.txt --architecture decoder_only --epochs 20 --set batch=16 --set model_size=64 \
  --set heads=4 --set ff_size=256 --set decoder_layers=2 --set optimiser=adam --set learning_rate=0.003
