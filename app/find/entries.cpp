#include "app/find/entries.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <array>

#include "app/document/run_texts.h"
#include "app/find/words.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/messages.h"
#include "app/text/model_lines.h"
#include "app/text/source_bar.h"
#include "model/analysis/switches.h"
#include "model/io/model_folder.h"
#include "model/recording/presets.h"
#include "model/recording/recording_file.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/number_words.h"
#include "widgets/text/switch_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/mechanism/mechanism_mask.h"

namespace headlight {

namespace {

const QString kChinese = QStringLiteral("zh_CN");

class EntryMaker {
  Q_DECLARE_TR_FUNCTIONS(Find)

 public:
  explicit EntryMaker(const SearchedWindow& window) : window_(window) {}

  std::vector<FindEntry> all() {
    add_lessons();
    add_views(view_table());
    add_views(number_panels());
    add_actions();
    add_mechanism();
    add_models();
    add_trainings();
    add_words();
    if (!window_.withholds()) add_run();
    return std::move(entries_);
  }

 private:
  static QString key_text(const QKeySequence& key) { return key.toString(QKeySequence::NativeText); }
  static QString in_both(const char* context, const char* source) {
    return QString::fromUtf8(source) + QLatin1Char(' ') + text_in(kChinese, context, source);
  }

  void add_lessons();
  void add_steps(const ListedLesson& lesson);
  void add_views(std::span<const ViewRow> rows);
  void add_actions();
  static QString why_off(const QString& id);
  void add_mechanism();
  void add_models();
  void add_trainings();
  void add_words();
  void add_run();
  void add_numbers(const Result& result);

  const SearchedWindow& window_;
  std::vector<FindEntry> entries_;
};

void EntryMaker::add_lessons() {
  const std::string language = lesson_language().toStdString();
  for (const Course& course : courses())
    for (const ListedLesson& lesson : course.lessons) {
      QStringList concepts, words;
      for (const std::string& term : lesson.terms) concepts << from_utf8(term);
      for (const auto& [each, title] : lesson.title) words << from_utf8(title);
      for (const auto& [each, titled] : course.words) words << from_utf8(titled.title);
      QString text;
      for (const auto& [each, summary] : lesson.summary) text += from_utf8(summary) + QLatin1Char(' ');
      entries_.push_back({FindKind::lesson,
                          from_utf8(in_language(lesson.title, language)),
                          tr("%1 min").arg(lesson.minutes),
                          words.join(' ') + ' ' + concepts.join(' ') + ' ' + words_for(concepts),
                          text,
                          {},
                          from_utf8(lesson.name)});
    }
  // While one waits for an answer, what comes later in it may say that.
  if (window_.asks()) return;
  for (const Course& course : courses())
    for (const ListedLesson& lesson : course.lessons) add_steps(lesson);
}

void EntryMaker::add_steps(const ListedLesson& lesson) {
  const std::string language = lesson_language().toStdString();
  const auto said = lesson.first.contains(language) ? lesson.first.find(language) : lesson.first.begin();
  if (said == lesson.first.end()) return;
  const QString title = from_utf8(in_language(lesson.title, language));
  for (std::size_t i = 0; i < said->second.size(); ++i) {
    QString other;
    for (const auto& [each, sentences] : lesson.first)
      if (i < sentences.size()) other += from_utf8(sentences[i]) + QLatin1Char(' ');
    if (const std::string& sentence = said->second[i]; !sentence.empty())
      entries_.push_back({FindKind::lesson,
                          from_utf8(sentence),
                          tr("%1, step %2").arg(title).arg(i + 1),
                          other,
                          {},
                          {},
                          from_utf8(lesson.name),
                          static_cast<int>(i),
                          true});
  }
}

void EntryMaker::add_views(std::span<const ViewRow> rows) {
  for (const ViewRow& row : rows) {
    const QString name = QString::fromUtf8(row.name);
    const bool offered = window_.panels->is_offered(name);
    entries_.push_back({FindKind::picture, translated_view_text(row.title),
                        offered ? key_text(window_.panels->key_of(name)) : tr("not of this model"),
                        in_both("Views", row.title) + QLatin1Char(' ') + words_of("view:" + name),
                        in_both("Views", row.help),
                        offered ? QString() : tr("Of this model there is nothing that it could show."), name});
  }
}

QString EntryMaker::why_off(const QString& id) {
  if (id == "undo" || id == "reset") return tr("Nothing was changed yet.");
  if (id == "redo") return tr("Nothing was taken back.");
  if (id == "explore" || id.startsWith("lesson_")) return tr("No lesson is open.");
  if (id == "explain" || id == "change") return tr("Of stored attention nothing was computed here.");
  if (id == "unsaved_sessions") return tr("Nothing was left behind.");
  return tr("Not possible at the moment.");
}

void EntryMaker::add_actions() {
  for (const ActionRow& row : action_table()) {
    const QString id = QString::fromUtf8(row.id);
    const QAction* action = (*window_.actions)[row.id];
    if (id == QLatin1String("find") || !action->isVisible()) continue;
    if (!action->isEnabled() && window_.asks()) continue;
    const bool colours = row.menu == MenuId::colours, language = row.menu == MenuId::language;
    const bool setting = colours || language || id == "theme" || id == "larger" || id == "smaller" ||
                         id == "normal_size" || id == "less_motion" || id == "count_from_zero" || id == "full_screen";
    QString title = action->iconText();
    if (colours) title = tr("Colours: %1").arg(title);
    if (language) title = tr("Language: %1").arg(title);
    entries_.push_back({setting ? FindKind::setting : FindKind::action, title,
                        action->isCheckable() && action->isChecked() ? tr("on") : key_text(action->shortcut()),
                        plain_action_text(in_both("Actions", row.text)) + QLatin1Char(' ') + words_of(id),
                        in_both("Actions", row.tooltip), action->isEnabled() ? QString() : why_off(id), id});
  }
}

// Its switches, under the names that they have there.
void EntryMaker::add_mechanism() {
  const auto& run = window_.views->run();
  const QString mechanism = QStringLiteral("mechanism");
  if (!run || !window_.panels->is_offered(mechanism) || !run->result()->model->model) return;
  const QString second = translated_view_text("Mechanism");
  const auto add = [&](const QString& id, const QString& title, const QString& words, const QString& text) {
    entries_.push_back({FindKind::action, title, second, words + QLatin1Char(' ') + words_of(id), text, {}, id});
  };
  for (const Switch& each : switches_of(*run->result()->model))
    add(QLatin1String(kSwitchId) + QString::fromUtf8(each.key), switch_name(each), in_both("Switch", each.name),
        in_both("Switch", each.help));
  if (run->result()->model->model->traits().heads > 1)
    add(QLatin1String(kPageId) + QStringLiteral("heads"), tr("Switch heads off and on"), {},
        tr("Each head has a switch: without it the model computes anew at once."));
  if (MechanismMask::offers(*run->result()))
    add(QLatin1String(kPageId) + QStringLiteral("mask"), tr("Mask: which token may look at which"), {},
        tr("A square for each pair of tokens: where it is off, the one no longer sees the other."));
}

void EntryMaker::add_models() {
  QStringList bundled;  // whether they have been read or not
  for (const std::filesystem::path& each : bundled_models()) bundled << path_text(each);
  const auto add = [&](const QString& title, const QString& second, const QString& words, const QString& text,
                       const QString& path) {
    entries_.push_back({FindKind::model, title, second, words, text, {}, path});
  };
  for (const ModelDescription& each : window_.views->source_bar()->models()) {
    const ModelBundle& bundle = *each.bundle;
    const Published& published = each.traits.published;
    const QString year = published.year > 0 ? QString::number(published.year) : QString();
    add(model_text(bundle.title.empty() ? bundle.name : bundle.title), bundled_line(bundle),
        QStringList{from_utf8(bundle.name), in_both("ModelCard", bundle.title.c_str()), from_utf8(published.authors),
                    year, from_utf8(bundle.task), from_utf8(each.traits.architecture)}
            .join(QLatin1Char(' ')),
        in_both("ModelCard", bundle.description.c_str()), path_text(bundle.folder));
  }
  for (const RecentFiles::Entry& each : window_.recent->existing()) {
    const bool session = each.kind == RecentFiles::Entry::Kind::session;
    if (!session && bundled.contains(each.path)) continue;
    add(message_text(each.name), session ? tr("session, opened lately") : tr("opened lately"),
        QFileInfo(each.path).fileName(), {}, (session ? QLatin1String(kSessionId) : QLatin1String()) + each.path);
  }
}

// To begin with in the lab, and those that were recorded.
void EntryMaker::add_trainings() {
  const QString second = tr("Training lab"), words = words_of(QStringLiteral("lab"));
  for (const Preset& each : presets())
    entries_.push_back({FindKind::action,
                        tr("Train: %1").arg(QCoreApplication::translate("Preset", each.title)),
                        second,
                        in_both("Preset", each.title) + QLatin1Char(' ') + words,
                        in_both("Preset", each.line),
                        {},
                        QLatin1String(kPresetId) + QString::fromUtf8(each.name)});
  for (const BundledRecording& each : bundled_recordings()) {
    const QString title = QCoreApplication::translate("Preset", each.title.c_str());
    entries_.push_back({FindKind::action,
                        tr("Watch it learn: %1").arg(title),
                        second,
                        from_utf8(each.name) + QLatin1Char(' ') + words,
                        {},
                        {},
                        QLatin1String(kRecordingId) + from_utf8(each.name)});
  }
}

void EntryMaker::add_words() {
  for (const GlossaryEntry& each : glossary_in(lesson_language().toStdString())) {
    const QString id = from_utf8(each.id);
    QString other;
    for (const char* language : kLessonLanguages)
      for (const GlossaryEntry& entry : glossary(language))
        if (entry.id == each.id) other += from_utf8(entry.title) + QLatin1Char(' ');
    const QString text = from_utf8(plain_text(each.text));
    entries_.push_back(
        {FindKind::glossary, from_utf8(each.title), first_words(text), other + words_for({id}), text, {}, id});
  }
}

void EntryMaker::add_run() {
  const auto& run = window_.views->run();
  if (!run) return;
  const Result& result = *run->result();
  if (result.trace) add_numbers(result);
  for (std::size_t i = 0; i < result.tokens.size(); ++i)
    if (const TextToken& token = result.tokens[i]; token.begin < token.end)
      entries_.push_back({FindKind::token,
                          token_text(token.text).name,
                          tr("token %1 of the text").arg(counted(i)),
                          {},
                          {},
                          {},
                          QStringLiteral("source"),
                          static_cast<int>(i)});
  for (std::size_t i = 0; i < result.steps.size(); ++i)
    if (!result.steps[i].text.empty())
      entries_.push_back({FindKind::token,
                          token_text(result.steps[i].text).name,
                          tr("output %1").arg(counted(i)),
                          {},
                          {},
                          {},
                          QStringLiteral("output"),
                          static_cast<int>(i)});
}

// Those of the output that is chosen come first.
void EntryMaker::add_numbers(const Result& result) {
  static constexpr std::array kRoles = {"other",   "source",   "written", "embedding", "keep",         "scores",
                                        "weights", "head_out", "mean",    "origin",    "probabilities"};
  struct Said {
    QString title, words;
  };
  QHash<const SiteKind*, Said> said;
  const auto words = [&](const SiteKind& kind) {
    Said& made = said[&kind];
    if (made.title.isNull())
      made = {site_title(kind),
              in_both("SiteKind", kind.title) + QLatin1Char(' ') +
                  words_of(QStringLiteral("role:") + QLatin1String(kRoles[static_cast<std::size_t>(kind.role)]))};
    return made;
  };
  const Index chosen = window_.selection->state().step.value_or(0);
  const auto& trace = *result.trace;
  const auto add = [&](int at) {
    const Site& site = trace[at].site;
    const auto& [title, names] = words(*site.kind);
    const bool of_output = site.kind->side == SiteKind::Side::decoder && site.step >= 0;
    entries_.push_back({FindKind::number,
                        from_utf8(site.text),
                        of_output ? tr("%1, output %2").arg(title).arg(counted(site.step)) : title,
                        names,
                        {},
                        {},
                        QString(),
                        at});
  };
  const auto is_chosen = [&](int at) {
    return trace[at].site.kind->side == SiteKind::Side::decoder && trace[at].site.step == chosen;
  };
  for (int at = 0; at < trace.size(); ++at)
    if (is_chosen(at)) add(at);
  for (int at = 0; at < trace.size(); ++at)
    if (!is_chosen(at)) add(at);
}

}  // namespace

std::vector<FindEntry> entries_of(const SearchedWindow& window) { return EntryMaker(window).all(); }

}  // namespace headlight
