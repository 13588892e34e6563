// The words of a preview, and the numbers of the run beside them.

#include <QCoreApplication>
#include <algorithm>
#include <array>

#include "app/document/run_texts.h"
#include "app/find/entries.h"
#include "app/find/preview.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/text/source_bar.h"
#include "model/analysis/switches.h"
#include "model/recording/presets.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/number_words.h"
#include "widgets/text/switch_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct PreviewWords {
  Q_DECLARE_TR_FUNCTIONS(Find)
};

QString beside(const QString& first, const QString& second) {
  return second.isEmpty() ? first : QStringLiteral("%1  ·  %2").arg(first, second);
}

// Of the output that is chosen, or of the first: the tokens with the largest shares, and the scores that these were
// made of.
std::vector<FindPreview::Row> shares_of(const AnalysedRun& run, std::optional<int> step) {
  constexpr std::size_t kMost = 5;
  const auto is_read = [](const AttentionMap& map) {
    return map.kind == AttentionMap::Kind::cross && !map.is_merged() && map.trace;
  };
  auto map = std::ranges::find_if(run.maps(), is_read);
  if (map == run.maps().end()) return {};
  Index row = 0;
  for (Index i = 0; step && i < map->row_count(); ++i)
    if (map->rows[static_cast<std::size_t>(i)].holds_step(*step)) row = i;
  if (map->row_count() == 0 || map->entry(row) < 0) return {};
  const TraceEntry& weights = (*map->trace)[map->entry(row)];
  const Tensor scores = map->trace->value(sibling(weights.site.text, SiteKind::Role::scores));
  if (!scores.defined() || scores.size() != weights.value.size()) return {};
  std::vector<Index> columns;
  for (Index column = 0; column < map->column_count(); ++column)
    if (map->has(row, column)) columns.push_back(column);
  std::ranges::stable_sort(columns, std::greater<>(), [&](Index column) { return map->weight(0, row, column); });
  std::vector<FindPreview::Row> rows;
  for (std::size_t i = 0; i < std::min(kMost, columns.size()); ++i) {
    const double share = map->weight(0, row, columns[i]);
    rows.push_back({token_text(map->columns[static_cast<std::size_t>(columns[i])].text).text,
                    QString::number(static_cast<double>(scores.data()[map->cell(0, row, columns[i])]), 'f', 2)
                        .replace(QLatin1Char('-'), QChar(0x2212)),
                    QString::number(share, 'f', 4), share});
  }
  return rows;
}

void add_shares(const SearchedWindow& window, FindPreview& made) {
  if (window.withholds() || !window.views->run()) return;
  made.rows = shares_of(*window.views->run(), window.selection->state().step);
  if (made.rows.empty()) return;
  made.left_head = PreviewWords::tr("score");
  made.right_head = PreviewWords::tr("share");
}

bool is_about_shares(const QString& id) {
  static const QStringList words = {"softmax", "score", "temperature", "attention"};
  return words.contains(id);
}

void tell_lesson(const SearchedWindow& window, const FindEntry& entry, FindPreview& made) {
  const std::string language = lesson_language().toStdString();
  for (const Course& course : courses())
    for (const ListedLesson& lesson : course.lessons) {
      if (from_utf8(lesson.name) != entry.id) continue;
      const auto words = course.words.find(language);
      const QString of = words == course.words.end() ? QString() : from_utf8(words->second.title);
      made.title = from_utf8(in_language(lesson.title, language));
      made.line = entry.at < 0 ? beside(of, PreviewWords::tr("lesson, %1 min").arg(lesson.minutes))
                               : PreviewWords::tr("step %1 of %2").arg(entry.at + 1).arg(lesson.steps);
      made.text = entry.at < 0 ? from_utf8(in_language(lesson.summary, language)) : entry.title;
      if (lesson.terms.contains("softmax")) add_shares(window, made);
    }
}

// Its first few numbers, with the places that they belong to.
void tell_number(const SearchedWindow& window, const FindEntry& entry, FindPreview& made) {
  constexpr Index kMost = 6;
  const auto& run = window.views->run();
  const int found = run && run->result()->trace ? run->result()->trace->find(entry.title.toStdString()) : -1;
  if (found < 0) return;  // another run came meanwhile
  const TraceEntry& at = (*run->result()->trace)[found];
  const int axes = static_cast<int>(at.site.kind->axes.size());
  made.line = beside(site_in_words(at.site), from_utf8(at.value.shape().text()));
  made.text = site_help(*at.site.kind);
  const AxisLabels last = axis_labels(*at.site.kind, axes - 1, run->labels());
  const bool shares = at.site.kind->role == SiteKind::Role::weights;
  for (Index i = 0; i < std::min(kMost, at.value.size()); ++i) {
    const double number = static_cast<double>(at.value.data()[i]);
    made.rows.push_back({last.said(i), {}, short_number(number), shares ? std::clamp(number, 0., 1.) : -1});
  }
}

void tell_action(const SearchedWindow& window, const FindEntry& entry, FindPreview& made) {
  const auto& run = window.views->run();
  if (entry.id.startsWith(QLatin1String(kSwitchId)) && run) {
    const std::string key = entry.id.mid(static_cast<qsizetype>(qstrlen(kSwitchId))).toStdString();
    const auto switches = switches_of(*run->result()->model);
    if (const auto found = std::ranges::find_if(switches, [&](const Switch& one) { return one.key == key; });
        found != switches.end())
      made.text = switch_help(*found);
    if (key == "attention.temperature") add_shares(window, made);
    return;
  }
  if (entry.id.startsWith(QLatin1String(kPageId))) made.text = entry.text;
  for (const Preset& each : presets())
    if (entry.id == QLatin1String(kPresetId) + QString::fromUtf8(each.name))
      made.text = QCoreApplication::translate("Preset", each.line);
  for (const ActionRow& row : action_table())
    if (entry.id == QLatin1String(row.id)) made.text = translated_action(row.tooltip);
}

}  // namespace

QString group_name(FindKind kind) {
  static constexpr std::array kNames = {QT_TRANSLATE_NOOP("Find", "Lessons"),  QT_TRANSLATE_NOOP("Find", "Pictures"),
                                        QT_TRANSLATE_NOOP("Find", "Glossary"), QT_TRANSLATE_NOOP("Find", "Actions"),
                                        QT_TRANSLATE_NOOP("Find", "Settings"), QT_TRANSLATE_NOOP("Find", "Models"),
                                        QT_TRANSLATE_NOOP("Find", "Tokens"),   QT_TRANSLATE_NOOP("Find", "Numbers")};
  return PreviewWords::tr(kNames[static_cast<std::size_t>(kind)]);
}

QString kind_name(FindKind kind) {
  static constexpr std::array kNames = {QT_TRANSLATE_NOOP("Find", "lesson"),   QT_TRANSLATE_NOOP("Find", "picture"),
                                        QT_TRANSLATE_NOOP("Find", "glossary"), QT_TRANSLATE_NOOP("Find", "action"),
                                        QT_TRANSLATE_NOOP("Find", "setting"),  QT_TRANSLATE_NOOP("Find", "model"),
                                        QT_TRANSLATE_NOOP("Find", "token"),    QT_TRANSLATE_NOOP("Find", "numbers")};
  return PreviewWords::tr(kNames[static_cast<std::size_t>(kind)]);
}

FindPreview preview_of(const SearchedWindow& window, const FindEntry& entry) {
  FindPreview made{entry.title, beside(kind_name(entry.kind), entry.second), {}, {}, {}, {}};
  switch (entry.kind) {
    case FindKind::lesson:
      tell_lesson(window, entry, made);
      break;
    case FindKind::picture:
      for (const std::span<const ViewRow> rows : {view_table(), number_panels()})
        for (const ViewRow& row : rows)
          if (entry.id == QLatin1String(row.name)) made.text = translated_view_text(row.help);
      break;
    case FindKind::action:
    case FindKind::setting:
      tell_action(window, entry, made);
      break;
    case FindKind::model:
      made.text = entry.text;
      for (const ModelDescription& each : window.views->source_bar()->models())
        if (path_text(each.bundle->folder) == entry.id) made.text = model_text(each.bundle->description);
      break;
    case FindKind::number:
      tell_number(window, entry, made);
      break;
    case FindKind::glossary:
      made.line = kind_name(entry.kind);
      made.text = entry.text;
      if (is_about_shares(entry.id)) add_shares(window, made);
      break;
    case FindKind::token:
      made.text = PreviewWords::tr("Chooses it in every picture.");
      break;
  }
  if (!entry.off.isEmpty()) made.text += (made.text.isEmpty() ? "" : "\n\n") + entry.off;
  return made;
}

}  // namespace headlight
