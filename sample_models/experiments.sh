#!/usr/bin/env bash
# Comparisons of ways to attend, one command each. Trains what it needs in build/experiments (goes on where it
# was stopped), and writes a picture and a table there.
#
#   sample_models/experiments.sh dates      note 001: plain, Peeky and attention on dates, accuracy by epoch
#   sample_models/experiments.sh scores     note 003: the bundled date models, one for each score function
#   sample_models/experiments.sh positions  the Transformer with sinusoids, a learned table, and no positions
#   sample_models/experiments.sh copy       note 000: accuracy by length, beyond the lengths of training
#   sample_models/experiments.sh parallel TRAIN.de TRAIN.en [TEST.de TEST.en]   note 004: Bahdanau, ConvS2S and the
#                                           Transformer on sentence pairs, both perplexities, and BLEU on the test
#                                           sentences; the files are yours (Multi30k, say)
#   sample_models/experiments.sh scaling | complexity | no-causal-mask | lengths | ablation MODEL
#                                           about the Transformer: headlight experiment NAME
# SEEDS="1 2 3" in front trains dates, scores and positions with these seeds as well and prints the last epoch of each.
set -euo pipefail
shopt -s nullglob
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
headlight=${HEADLIGHT:-$here/../build/release/headlight}
out=$here/../build/experiments
mkdir -p "$out"
# The recipe of the bundled Transformers.
noam=(--set optimiser=adam --set beta2=0.98 --set schedule=noam --set clip=1 --set batch=64 --set warmup=200 --set dropout=0
  --set tie=all)

train() {
  local name=$1
  shift
  local resume=()
  [[ -f $out/$name/checkpoint.safetensors ]] && resume=(--resume)
  "$headlight" train "$@" --out "$out/$name" "${resume[@]}"
}
# for_seeds NAME ARGUMENTS...: NAME-2, NAME-3, ... for the seeds but $own (1), which has a folder of its own.
for_seeds() {
  local name=$1 seed
  shift
  for seed in ${SEEDS:-1}; do
    [[ $seed == "${own:-1}" ]] || train "$name-$seed" "$@" --seed "$seed"
  done
}
# last_epochs FOLDER...: the exact match after the last epoch of each.
last_epochs() {
  local folder
  for folder in "$@"; do
    awk -F, -v name="$(basename "$folder")" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "exact_match") column = i }
      END { print name, "exact match", $column, "after epoch", $1 }' "$folder/training.csv"
  done
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
      for_seeds "date-$model" date --architecture $model --epochs 10
    done
    last_epochs "$out"/date-*seq2seq*
    compare dates date-seq2seq date-seq2seq_peeky date-attn_seq2seq --metric exact_match \
      --title "Dates: exact match after each epoch, H = 128"
    ;;
  scores)
    for score in dot scaled_dot general additive mlp location cosine; do
      settings=()
      [[ $score == location ]] && settings=(--set attention.longest_source=29)
      [[ $score == cosine ]] && settings=(--set attention.learn_beta=true)
      own=1
      [[ $score == additive ]] && own=6
      for_seeds "date-${score/_/-}" date_wide --architecture attn_seq2seq --epochs 20 --half --set hidden_size=64 \
        --set attention.hidden_size=64 --set "attention.score=$score" "${settings[@]}"
    done
    last_epochs "$here"/date-{dot,scaled-dot,general,additive,mlp,location,cosine} \
      "$out"/date-{dot,scaled-dot,general,additive,mlp,location,cosine}-*
    compare scores "$here"/date-{dot,scaled-dot,general,additive,mlp,location,cosine} --metric exact_match \
      --title "Dates: exact match after each epoch, by score function, H = 64"
    ;;
  positions)
    for positions in sinusoid learned none; do
      for_seeds "copy-$positions" copy --architecture transformer --epochs 14 --half --set positions=$positions "${noam[@]}" \
        --set train_size=12800 --set test_size=1000 --set average=4
    done
    last_epochs "$here"/copy-{transformer,learned,nowhere} "$out"/copy-{sinusoid,learned,none}-*
    compare positions "$here"/copy-{transformer,learned,nowhere} --by length \
      --title "Copying with sinusoids, a learned table, no positions: exact match by length"
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
    train copy-hard copy --architecture hard_attention "${settings[@]}" --set init=fan_in --set clip=1 --title "hard attention"
    train copy-ntm copy --architecture ntm "${settings[@]}" --set optimiser=adam --set learning_rate=0.001 --set clip=0 \
      --set clip_value=10 --title "NTM"
    train copy-transformer copy --architecture transformer "${settings[@]}" "${noam[@]}" --title "Transformer"
    compare copy copy-{plain,peeky,attention,bahdanau,luong,gnmt,convs2s,hard,ntm,transformer} --by length --task copy \
      --title "Copying: exact match by length; trained on 1 to 10"
    ;;
  parallel)
    files=(--files "$2" --files "$3" --set tokenizer=words --set lower_case=true --set min_frequency=2 --set batch=64
      --set train_size=28000 --set test_size=1000 --half)
    size=(--set embedding_size=256 --set hidden_size=256)
    train parallel-bahdanau pairs --architecture bahdanau_m30k --epochs "${EPOCHS:-4}" "${files[@]}" "${size[@]}" \
      --set attention.hidden_size=256 --set dropout=0.2 --set init=fan_in --set clip=1 --title "Bahdanau"
    train parallel-convs2s pairs --architecture convs2s --epochs "${EPOCHS:-4}" "${files[@]}" "${size[@]}" \
      --set out_size=256 --set dropout=0.1 --set optimiser=adam --set learning_rate=5e-4 --set clip=1 --title "ConvS2S"
    train parallel-transformer pairs --architecture transformer --epochs "${EPOCHS:-4}" "${files[@]}" --set encoder_layers=3 \
      --set decoder_layers=3 --set heads=8 --set model_size=256 --set ff_size=1024 --set optimiser=adam --set beta2=0.98 --set schedule=noam \
      --set warmup=400 --set clip=1 --set dropout=0.1 --title "Transformer"
    families=(parallel-bahdanau parallel-convs2s parallel-transformer)
    if [[ $# -ge 5 ]]; then
      for family in "${families[@]}"; do "$headlight" evaluate "$out/$family" --task pairs --files "$4" --files "$5"; done
    fi
    compare parallel-forced "${families[@]}" --metric ppl_tf \
      --title "Perplexity, fed the right words"
    compare parallel-free "${families[@]}" --metric ppl_free --title "Perplexity, fed its own words"
    ;;
  scaling | complexity | no-causal-mask | lengths | ablation)
    "$headlight" experiment "$@" --out "$out/$1"
    ;;
  *)
    sed -n '2,17s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
