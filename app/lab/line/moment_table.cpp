#include "app/lab/line/moment_table.h"

#include <QCoreApplication>
#include <QVariant>
#include <algorithm>

#include "app/lab/line/story_words.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

struct MomentTexts {
  Q_DECLARE_TR_FUNCTIONS(MomentTable)
};

using MomentValue = std::function<double(const Moment&)>;

void add_number(std::vector<ColumnTable::Column>& columns, const std::shared_ptr<const Recording>& run,
                const QString& title, const MomentValue& value, const std::function<QString(double)>& text) {
  const auto measured = [&](const auto& moment) { return is_measured(value(*moment)); };
  if (std::ranges::none_of(run->moments, measured)) return;
  columns.push_back({title,
                     [run, value](int row) {
                       const double number = value(run->at(row));
                       return is_measured(number) ? QVariant(number) : QVariant();
                     },
                     [run, value, text](int row) {
                       const double number = value(run->at(row));
                       return is_measured(number) ? text(number) : QString();
                     }});
}

double layer_gradient(const Moment& moment, std::size_t layer) {
  return layer < moment.layer_gradients.size() ? moment.layer_gradients[layer] : kNotMeasured;
}

}  // namespace

std::vector<ColumnTable::Column> moment_columns(const std::shared_ptr<const Recording>& run, int probe) {
  std::vector<ColumnTable::Column> columns;
  const auto number = [&](
                          const QString& title, const MomentValue& value,
                          const std::function<QString(double)>& text = [](double x) { return short_number(x); }) {
    add_number(columns, run, title, value, text);
  };
  const bool characters = run->settings.task == "text";
  columns.push_back({characters ? MomentTexts::tr("characters read") : MomentTexts::tr("sentences read"),
                     [run](int row) { return QVariant(static_cast<qlonglong>(run->at(row).read)); },
                     [run](int row) { return grouped_number(static_cast<double>(run->at(row).read)); }});
  columns.push_back({MomentTexts::tr("updates"),
                     [run](int row) { return QVariant(static_cast<qlonglong>(run->at(row).update)); },
                     [run](int row) { return grouped_number(static_cast<double>(run->at(row).update)); }});
  number(MomentTexts::tr("seconds"), [](const Moment& m) { return m.seconds; });
  number(MomentTexts::tr("loss"), [](const Moment& m) { return m.loss; });
  number(
      MomentTexts::tr("right on trained"), [](const Moment& m) { return m.right_trained; }, share_words);
  number(
      MomentTexts::tr("right on unseen"), [](const Moment& m) { return m.right_unseen; }, share_words);
  number(MomentTexts::tr("perplexity"), [](const Moment& m) { return m.perplexity; });
  number(
      MomentTexts::tr("looks at the right word"), [](const Moment& m) { return m.looks_right; }, share_words);
  number(
      MomentTexts::tr("how concentrated it looks"), [](const Moment& m) { return m.concentration; }, share_words);
  number(MomentTexts::tr("learning rate"), [](const Moment& m) { return m.learning_rate; });
  number(MomentTexts::tr("gradient norm"), [](const Moment& m) { return m.gradient_norm; });
  for (std::size_t layer = 0; layer < run->layers.size(); ++layer)
    number(MomentTexts::tr("gradient norm: %1").arg(layer_words(run->layers[layer])),
           [layer](const Moment& m) { return layer_gradient(m, layer); });
  if (probe >= 0 && probe < static_cast<int>(run->probes.size()))
    columns.push_back({MomentTexts::tr("output"), [run, probe](int row) {
                         const Story story = story_at(*run, probe, -1, row);
                         return QVariant(story_text(story.now, story.characters));
                       }});
  return columns;
}

}  // namespace headlight
