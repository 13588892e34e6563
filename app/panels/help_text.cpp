#include "app/panels/help_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/document/run_texts.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct HelpWords {
  Q_DECLARE_TR_FUNCTIONS(HelpText)
};

constexpr qsizetype kMostOfText = 60;

QString beginning_of(const std::string& text) {
  QString shown = shown_text(text);
  if (shown.size() > kMostOfText) shown = shown.left(kMostOfText) + QStringLiteral("…");
  return in_quotes(shown);
}

struct Largest {
  Index row = -1, column = -1;
  double weight = 0;
};

// Of the rows that are of the step, or of all; of a map of a text on itself not that of a token on itself, and never of
// padding. Of rows that share nothing out there is none.
Largest largest(const ShownAttention& shown, std::optional<int> step) {
  constexpr double kMost = 1.02;
  Largest found;
  const AttentionMap& map = *shown.map;
  const Tensor weights = map.matrix(shown.head);
  for (Index row = 0; row < map.row_count(); ++row) {
    if (step && !map.rows[static_cast<std::size_t>(row)].holds_step(*step)) continue;
    Largest own;
    double sum = 0, least = 0;
    for (Index column = 0; column < map.column_count(); ++column) {
      const auto weight = static_cast<double>(weights[row * map.column_count() + column]);
      sum += weight, least = std::min(least, weight);
      if (map.columns[static_cast<std::size_t>(column)].padding) continue;
      if (map.is_self() && map.source(row).column == column) continue;
      if (weight > own.weight) own = {row, column, weight};
    }
    if (sum < kMost && least >= 0 && own.weight > found.weight) found = own;
  }
  return found;
}

}  // namespace

QString model_sentence(const Result& result) {
  const ModelBundle& bundle = *result.model;
  const QString title = model_text(bundle.title.empty() ? bundle.name : bundle.title);
  if (bundle.stored) return HelpWords::tr("‘%1’ is attention that was stored: no model runs here.").arg(title);
  const QString source = beginning_of(result.source), output = beginning_of(result.output);
  const auto kind = bundle.model ? bundle.model->traits().kind : ModelTraits::Kind::encoder_decoder;
  if (result.output.empty()) return HelpWords::tr("The model ‘%1’ reads %2.").arg(title, source);
  switch (kind) {
    case ModelTraits::Kind::encoder_only:
      return HelpWords::tr("The model ‘%1’ reads %2 as a whole, and gives %3.").arg(title, source, output);
    case ModelTraits::Kind::decoder_only:
      return HelpWords::tr("The model ‘%1’ reads %2 and goes on, token by token: %3.").arg(title, source, output);
    case ModelTraits::Kind::encoder_decoder:
      break;
  }
  return HelpWords::tr("The model ‘%1’ reads %2 and writes, token by token, %3.").arg(title, source, output);
}

QString weight_sentence(const ShownAttention& shown, std::optional<int> step) {
  if (!shown.map || shown.head == AttentionMap::kMax) return {};
  const AttentionMap& map = *shown.map;
  if (!map.are_shares) return HelpWords::tr("What is stored here are no shares of attention: rows do not add up to 1.");
  Largest found = largest(shown, step);
  if (found.row < 0) found = largest(shown, std::nullopt);
  if (found.row < 0) return {};
  const QString from = row_labels(map)[static_cast<std::size_t>(found.row)].words();
  const QString to = column_labels(map)[static_cast<std::size_t>(found.column)].words();
  const QString weight = plain_number(found.weight);
  const int written = map.is_self() ? -1 : map.rows[static_cast<std::size_t>(found.row)].step;
  const QString sentence =
      written < 0
          ? HelpWords::tr("Of the other tokens ‘%1’ looks most at ‘%2’, with %3 of its attention").arg(from, to, weight)
          : HelpWords::tr("When it wrote ‘%1’ (output %2), ‘%3’ got %4 of its attention")
                .arg(from, counted(written), to, weight);
  const QString place = map.layer < 0 && map.heads == 1 ? QString() : head_place(map, shown.head);
  return place.isEmpty() ? HelpWords::tr("%1.").arg(sentence) : HelpWords::tr("%1 (%2).").arg(sentence, place);
}

QStringList help_text(const QString& panel, const AnalysedRun* run, const Captioned* shown, std::optional<int> step) {
  QStringList paragraphs;
  const bool traced = run && run->result() && run->result()->trace;
  if (run && run->result()) paragraphs << model_sentence(*run->result());
  const auto about = [&](const ViewRow& each) {
    if (panel != QLatin1String(each.name)) return;
    const QString caption = shown ? shown->caption() : QString(), todo = shown ? shown->what_to_do(false) : QString();
    paragraphs << HelpWords::tr("%1: %2").arg(translated_view_text(each.title),
                                              caption.isEmpty() ? translated_view_text(each.help) : caption);
    if (traced && run->maps().empty() && panel == QLatin1String("alignment"))
      paragraphs << HelpWords::tr("This model has no attention.");
    else if (const QString weight = traced && shown ? weight_sentence(shown->attention(), step) : QString();
             !weight.isEmpty())
      paragraphs << weight;
    if (shown) paragraphs += shown->reading();
    if (each.todo[0]) paragraphs << (todo.isEmpty() ? translated_view_text(each.todo) : todo);
  };
  for (const ViewRow& each : view_table()) about(each);
  for (const ViewRow& each : number_panels()) about(each);
  return paragraphs;
}

}  // namespace headlight
