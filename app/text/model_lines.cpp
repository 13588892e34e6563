#include "app/text/model_lines.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

#include "app/document/run_texts.h"
#include "model/io/model_folder.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct Line {
  const char *name, *line;
};

constexpr std::array kLines = {
    Line{"date-plain", QT_TRANSLATE_NOOP("ModelLines", "one vector for the whole text")},
    Line{"date-peeky", QT_TRANSLATE_NOOP("ModelLines", "no attention, but each step sees that vector")},
    Line{"date-attention", QT_TRANSLATE_NOOP("ModelLines", "looks back: a dot product compares")},
    Line{"date-additive", QT_TRANSLATE_NOOP("ModelLines", "a small network compares")},
    Line{"date-cosine", QT_TRANSLATE_NOOP("ModelLines", "only directions are compared")},
    Line{"date-dot", QT_TRANSLATE_NOOP("ModelLines", "a dot product compares, half the size")},
    Line{"date-general", QT_TRANSLATE_NOOP("ModelLines", "a learned matrix stands between the two")},
    Line{"date-location", QT_TRANSLATE_NOOP("ModelLines", "looks at places, whatever stands there")},
    Line{"date-mlp", QT_TRANSLATE_NOOP("ModelLines", "a network of two layers compares")},
    Line{"date-scaled-dot", QT_TRANSLATE_NOOP("ModelLines", "the dot product, divided by the root of its length")},
    Line{"date-transformer", QT_TRANSLATE_NOOP("ModelLines", "attention only: 2 + 2 layers of 4 heads")},
    Line{"toy-mt-bahdanau", QT_TRANSLATE_NOOP("ModelLines", "an invented language, read in both directions")},
    Line{"toy-mt-deep", QT_TRANSLATE_NOOP("ModelLines", "the same language, three layers")},
    Line{"toy-mt-local", QT_TRANSLATE_NOOP("ModelLines", "the same language, through a window that it moves")},
    Line{"toy-mt-luong", QT_TRANSLATE_NOOP("ModelLines", "the same language, a learned matrix compares")},
    Line{"toy-mt-convs2s", QT_TRANSLATE_NOOP("ModelLines", "the same language, convolutions")},
    Line{"grammar-bahdanau", QT_TRANSLATE_NOOP("ModelLines", "adjectives change places")},
    Line{"grammar-convs2s", QT_TRANSLATE_NOOP("ModelLines", "the same sentences, convolutions")},
    Line{"grammar-transformer", QT_TRANSLATE_NOOP("ModelLines", "the same sentences, attention only")},
    Line{"tatoeba-bahdanau", QT_TRANSLATE_NOOP("ModelLines", "translates English into French, real sentences")},
    Line{"tatoeba-transformer", QT_TRANSLATE_NOOP("ModelLines", "the same sentences, attention only")},
    Line{"story-gpt", QT_TRANSLATE_NOOP("ModelLines", "goes on with a story, word by word")},
    Line{"masked-bert", QT_TRANSLATE_NOOP("ModelLines", "guesses hidden words")},
    Line{"copy-transformer", QT_TRANSLATE_NOOP("ModelLines", "writes its digits again, sines for places")},
    Line{"copy-learned", QT_TRANSLATE_NOOP("ModelLines", "the same, a learned table of places")},
    Line{"copy-nowhere", QT_TRANSLATE_NOOP("ModelLines", "the same, without places: it loses the order")},
    Line{"copy-one-head", QT_TRANSLATE_NOOP("ModelLines", "the same with one head, scores scaled")},
    Line{"copy-unscaled", QT_TRANSLATE_NOOP("ModelLines", "the same with one head, scores not scaled")},
    Line{"copy-ntm", QT_TRANSLATE_NOOP("ModelLines", "copies by a memory beside it")},
};

}  // namespace

QString bundled_line(const ModelBundle& bundle) {
  const auto found = std::ranges::find(kLines, bundle.name, [](const Line& line) { return std::string(line.name); });
  return found != kLines.end() ? QCoreApplication::translate("ModelLines", found->line)
                               : first_words(model_text(bundle.description));
}

QString model_line(const ModelBundle& bundle) {
  const bool ours = std::ranges::any_of(bundled_models(), [&](const auto& folder) { return folder == bundle.folder; });
  return ours ? bundled_line(bundle) : first_words(model_text(bundle.description));
}

}  // namespace headlight
