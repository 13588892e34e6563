#!/usr/bin/env bash
# The comparisons of the notes on attention, one command each. Trains what it needs in build/experiments (goes on where it
# was stopped), and writes a picture and a table there.
#
#   sample_models/experiments.sh dates      note 001: plain, Peeky and attention on dates, accuracy by epoch
#   sample_models/experiments.sh scores     note 003: the bundled date models, one for each score function
#   sample_models/experiments.sh copy       note 000: accuracy by length, beyond the lengths of training
#   sample_models/experiments.sh parallel TRAIN.de TRAIN.en   note 004: Bahdanau and ConvS2S on sentence pairs, both
#                                           perplexities; the files are yours (Multi30k, say)
#   sample_models/experiments.sh scaling | complexity | no-causal-mask | lengths | ablation MODEL
#                                           about the Transformer: headlight experiment NAME
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
headlight=${HEADLIGHT:-$here/../build/release/headlight}
out=$here/../build/experiments
mkdir -p "$out"

train() {
  local name=$1
  shift
  local resume=()
  [[ -f $out/$name/checkpoint.safetensors ]] && resume=(--resume)
  "$headlight" train "$@" --out "$out/$name" "${resume[@]}"
}
compare() {
  local name=$1
  shift
  (cd "$out" && "$headlight" compare "$@" --out "$name.svg" --csv "$name.csv")
  echo "$out/$name.svg, $out/$name.csv"
}

case ${1:-} in
  dates)
    for model in seq2seq seq2seq_peeky attn_seq2seq; do
      train "date-$model" date --architecture $model --epochs 10 --title "$model"
    done
    compare dates date-seq2seq date-seq2seq_peeky date-attn_seq2seq --metric exact_match \
      --title "Dates: exact match after each epoch, H = 128"
    ;;
  scores)
    compare scores "$here"/date-{dot,scaled-dot,general,additive,mlp,location,cosine} --metric exact_match \
      --title "Dates: exact match after each epoch, by score function, H = 64"
    ;;
  copy)
    settings=(--epochs 12 --set train_size=20000 --set test_size=2000 --set batch=64)
    train copy-plain copy --architecture seq2seq "${settings[@]}" --set hidden_size=64 --set embedding_size=32 \
      --set reverse_source=true --title "no attention"
    train copy-peeky copy --architecture seq2seq_peeky "${settings[@]}" --set hidden_size=64 --set embedding_size=32 \
      --title "Peeky"
    train copy-attention copy --architecture attn_seq2seq "${settings[@]}" --set hidden_size=64 \
      --set embedding_size=32 --title "attention (dot)"
    train copy-bahdanau copy --architecture bahdanau "${settings[@]}" --set init=fan_in --set clip=1 --title "Bahdanau"
    train copy-luong copy --architecture luong "${settings[@]}" --set init=fan_in --title "Luong"
    train copy-gnmt copy --architecture gnmt "${settings[@]}" --set init=fan_in --title "GNMT"
    train copy-convs2s copy --architecture convs2s "${settings[@]}" --set optimiser=adam --set clip=1 --title "ConvS2S"
    compare copy copy-{plain,peeky,attention,bahdanau,luong,gnmt,convs2s} --by length --task copy \
      --title "Copying: exact match by length; trained on 1 to 10"
    ;;
  parallel)
    files=(--files "$2" --files "$3" --set tokenizer=words --set lower_case=true --set min_frequency=2)
    size=(--set batch=128 --set embedding_size=256 --set hidden_size=256 --set train_size=29000 --set test_size=1000)
    train parallel-bahdanau pairs --architecture bahdanau_m30k --epochs "${EPOCHS:-4}" "${files[@]}" "${size[@]}" \
      --set attention.hidden_size=256 --set dropout=0.2 --set init=fan_in --set clip=1 --title "Bahdanau"
    train parallel-convs2s pairs --architecture convs2s --epochs "${EPOCHS:-4}" "${files[@]}" "${size[@]}" \
      --set out_size=256 --set dropout=0.1 --set optimiser=adam --set learning_rate=5e-4 --set clip=1 --title "ConvS2S"
    compare parallel-forced parallel-bahdanau parallel-convs2s --metric ppl_tf \
      --title "Perplexity, fed the right words"
    compare parallel-free parallel-bahdanau parallel-convs2s --metric ppl_free --title "Perplexity, fed its own words"
    ;;
  scaling | complexity | no-causal-mask | lengths | ablation)
    "$headlight" experiment "$@" --out "$out/$1"
    ;;
  *)
    sed -n '2,14s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
