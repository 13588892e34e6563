#include "app/window/help_text.h"

#include <QCoreApplication>
#include <cmath>

#include "app/document/run_texts.h"
#include "model/analysis/difference.h"
#include "model/analysis/living_map.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(HelpText)
};

constexpr qsizetype kMostOfText = 60;

QString quoted(const std::string& text) {
  QString shown = shown_text(text);
  if (shown.size() > kMostOfText) shown = shown.left(kMostOfText) + QStringLiteral("…");
  return QStringLiteral("‘%1’").arg(shown);
}

struct Largest {
  Index row = -1, column = -1;
  double weight = 0;
};

// Of the row, or of all; of a map of a text on itself not that of a token on itself, and never of padding.
Largest largest(const AttentionMap& map, std::optional<int> step) {
  Largest found;
  const Tensor weights = map.matrix(AttentionMap::kMean);
  for (Index row = 0; row < map.row_count(); ++row) {
    if (step && !map.rows[static_cast<std::size_t>(row)].holds_step(*step)) continue;
    for (Index column = 0; column < map.column_count(); ++column) {
      if (map.columns[static_cast<std::size_t>(column)].padding) continue;
      if (map.is_self() && map.source(row).column == column) continue;
      const auto weight = static_cast<double>(weights[row * map.column_count() + column]);
      if (std::isfinite(weight) && weight > found.weight) found = {row, column, weight};
    }
  }
  return found;
}

}  // namespace

QString model_sentence(const Result& result) {
  const ModelBundle& bundle = *result.model;
  const QString title = model_text(bundle.title.empty() ? bundle.name : bundle.title);
  const QString source = quoted(result.source), output = quoted(result.output);
  if (bundle.stored) return Words::tr("‘%1’ holds attention that somebody stored. Text: %2.").arg(title, source);
  const auto kind = bundle.model ? bundle.model->traits().kind : ModelTraits::Kind::encoder_decoder;
  if (result.output.empty()) return Words::tr("The model ‘%1’ reads %2.").arg(title, source);
  switch (kind) {
    case ModelTraits::Kind::encoder_only:
      return Words::tr("The model ‘%1’ reads %2 as a whole, and gives %3.").arg(title, source, output);
    case ModelTraits::Kind::decoder_only:
      return Words::tr("The model ‘%1’ reads %2 and goes on, token by token: %3.").arg(title, source, output);
    case ModelTraits::Kind::encoder_decoder:
      break;
  }
  return Words::tr("The model ‘%1’ reads %2 and writes, token by token, %3.").arg(title, source, output);
}

QString weight_sentence(const AnalysedRun& run, std::optional<int> row) {
  const AttentionMap* map = run.result()->trace ? telling_map(run.maps()) : nullptr;
  if (!map) return {};
  if (!map->are_shares) return Words::tr("What is stored here are no shares of attention: rows do not add up to 1.");
  Largest found = largest(*map, row);
  if (found.row < 0) found = largest(*map, std::nullopt);
  if (found.row < 0) return {};
  const QString from = row_labels(*map)[static_cast<std::size_t>(found.row)].words();
  const QString to = column_labels(*map)[static_cast<std::size_t>(found.column)].words();
  const QString weight = QString::number(found.weight, 'f', 2);
  if (map->is_self())
    return Words::tr("‘%1’ looks most at ‘%2’: it gets %3 of the attention, of 1 that is shared out.")
        .arg(from, to, weight);
  const int step = map->rows[static_cast<std::size_t>(found.row)].step;
  return Words::tr("When it wrote ‘%1’ (output %2), ‘%3’ got %4 of its attention, of 1 that is shared out.")
      .arg(from)
      .arg(step + 1)
      .arg(to, weight);
}

// How the living map is read.
QStringList map_help() {
  return {Words::tr("Text stands from top to bottom, depth runs from left to right, each word in a lane of its own. A "
                    "ribbon that comes from another lane is what was taken from there; striped is what the step writes "
                    "itself. All parts of a state together are 100 %."),
          Words::tr("‘Would say’, under the chosen lane: what the model would write if it ended at this depth. The "
                    "state goes through the final norm and the output matrix (logit lens, nostalgebraist 2020)."),
          Words::tr("A share says what a state is made of, not what would happen without it. Delete cuts what is "
                    "chosen, runs again and shows the share beside the true change; Ctrl+Z puts it back."),
          Words::tr("Keys 1 to 5 or the wheel: nearer, from the whole model to its numbers. F: up the strongest "
                    "ribbon. W: plain weights. D: the diagram.")};
}

QStringList help_text(const QString& panel, const AnalysedRun* run, std::optional<int> row) {
  QStringList paragraphs;
  if (run && run->result()) paragraphs << model_sentence(*run->result());
  const auto about = [&](const ViewRow& each) {
    if (panel != QLatin1String(each.name)) return;
    paragraphs << QStringLiteral("%1: %2").arg(translated_view_text(each.title), translated_view_text(each.help));
    const bool attention = panel == QLatin1String("alignment") || panel == QLatin1String("heads") ||
                           panel == QLatin1String("ribbons") || panel == QLatin1String("compare") ||
                           panel == QLatin1String("explain");
    if (run && attention) {
      const QString weight = weight_sentence(*run, row);
      paragraphs << (weight.isEmpty()
                         ? Words::tr("This model has no attention: what it knows of the text is one vector.")
                         : weight);
    }
    if (panel == QLatin1String("map") && run && run->result()->trace && has_living_map(*run->result()))
      paragraphs += map_help();
    if (each.todo[0]) paragraphs << translated_view_text(each.todo);
  };
  for (const ViewRow& each : view_table()) about(each);
  for (const ViewRow& each : number_panels()) about(each);
  return paragraphs;
}

}  // namespace headlight
