#include "app/classroom/record_dialog.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "app/file_dialogs.h"
#include "app/language.h"
#include "app/lessons/lesson_recording.h"
#include "app/parts.h"
#include "widgets/base/ask.h"
#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kShows = 0;                      // of the list of kinds; behind it the kinds of answers, in their order
constexpr int kLabel = 60;                     // letters of a step in the list
constexpr int kDockWide = 400, kBeside = 560;  // pixels: at first; from where on the languages stand side by side

// The keys of the menus are those of this panel's window: its own have none.
QString without_key(const QString& text) { return without_letter(text).remove(QLatin1Char('&')); }

}  // namespace

RecordDialog::RecordDialog(const TaughtWindow& window)
    : QDockWidget(window.window),
      window_(window),
      folder_(new QLineEdit(this)),
      kind_(new QComboBox(this)),
      about_(text_label(this)),
      steps_(new QListWidget(this)),
      said_(text_label(this)) {
  setObjectName(QStringLiteral("record_lesson"));
  setFeatures(DockWidgetClosable | DockWidgetMovable | DockWidgetFloatable);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* body = new QWidget;
  scroll->setWidget(body);
  setWidget(scroll);
  // Untranslated: each says it in the language of now.
  const auto says = [this](std::function<void()> say) {
    say();
    texts_.push_back(std::move(say));
  };
  says([this] { setWindowTitle(tr("Record a lesson")); });
  const auto button = [this, says](const char* text, const char* name, auto what) {
    auto* made = new QPushButton(this);
    says([made, text] { made->setText(without_key(tr(text))); });
    made->setObjectName(QString::fromUtf8(name));
    made->setAutoDefault(false);
    connect(made, &QPushButton::clicked, this, what);
    return made;
  };
  folder_->setObjectName(QStringLiteral("record_folder"));
  kind_->setObjectName(QStringLiteral("record_kind"));
  about_->setObjectName(QStringLiteral("record_about"));
  steps_->setObjectName(QStringLiteral("record_steps"));
  steps_->setWordWrap(true);
  steps_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  said_->setObjectName(QStringLiteral("record_said"));
  said_->setMinimumHeight(fontMetrics().lineSpacing());  // what is below it stays where it is
  static constexpr std::array kKinds = {QT_TR_NOOP("The step shows"),        QT_TR_NOOP("It asks: choose one"),
                                        QT_TR_NOOP("It asks: a number"),     QT_TR_NOOP("It asks: type a text"),
                                        QT_TR_NOOP("It asks: which tokens"), QT_TR_NOOP("It asks: which square"),
                                        QT_TR_NOOP("It asks: draw the row")};
  for (std::size_t i = 0; i < kKinds.size(); ++i) kind_->addItem({});
  says([this] {
    for (std::size_t i = 0; i < kKinds.size(); ++i) kind_->setItemText(static_cast<int>(i), tr(kKinds[i]));
  });
  kind_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  set_ink(about_, &Tokens::ink2);

  // Rows of a name and two columns, one for each language; a row can be hidden as a whole.
  auto* all = new QVBoxLayout(body);
  all->setContentsMargins(space::kMargin, space::kLarge, space::kMargin, space::kMargin);
  QList<QLabel*> names;
  const auto row = [&](const char* name, QWidget* left, QWidget* right, int stretch = 0, bool pair = false) {
    auto* box = new QWidget(this);
    QHBoxLayout* named = row_in(box, space::kSmall);
    auto* label = new QLabel(box);
    if (*name) says([label, name] { label->setText(without_key(tr(name))); });
    label->setBuddy(left);
    names << label;
    named->addWidget(label, 0, Qt::AlignTop);
    auto* fields = new QBoxLayout(QBoxLayout::LeftToRight);
    fields->setSpacing(space::kTight);
    for (QWidget* each : {left, right}) fields->addWidget(each, 1);
    named->addLayout(fields, 1);
    if (pair) pairs_ << fields;
    all->addWidget(box, stretch);
    return box;
  };
  row(QT_TR_NOOP("&Folder"), folder_, button(QT_TR_NOOP("&Choose…"), "record_choose", [this] { choose_folder(); }));
  row(QT_TR_NOOP("S&tep"), kind_, about_, 0, true);
  words_[0].language = "en";
  words_[1].language = "zh_CN";
  for (Words& each : words_) {
    each.title = new QLineEdit(this);
    each.title->setObjectName(QStringLiteral("record_title_%1").arg(QLatin1String(each.language)));
    each.title->setPlaceholderText(each.language == words_[0].language ? QStringLiteral("English")
                                                                       : QStringLiteral("中文"));
    says([&each] {
      each.title->setAccessibleName(without_key(tr("T&itle")) + QLatin1Char(' ') + QLatin1String(each.language));
    });
  }
  row(QT_TR_NOOP("T&itle"), words_[0].title, words_[1].title, 0, true);
  const auto part = [&](const char* name, QPlainTextEdit* Words::*field, const char* id, const char* hint, int lines,
                        bool grows = false) {
    for (Words& words : words_) {
      QPlainTextEdit* made =
          editor(QStringLiteral("record_%1_%2").arg(QLatin1String(id), QLatin1String(words.language)));
      const bool first = words.language == words_[0].language;
      says([made, name, hint, first, language = words.language] {
        made->setPlaceholderText(first ? tr(hint) : QStringLiteral("中文：") + tr(hint));
        made->setAccessibleName(without_key(tr(name)) + QLatin1Char(' ') + QLatin1String(language));
      });
      const int high = fontMetrics().lineSpacing() * lines + 2 * space::kSmall;
      grows ? made->setMinimumHeight(high) : made->setFixedHeight(high);
      words.*field = made;
    }
    return row(name, words_[0].*field, words_[1].*field, grows ? 2 : 0, true);
  };
  part(QT_TR_NOOP("&Words"), &Words::text, "text", QT_TR_NOOP("What a reader is told here"), 3, true);
  of_questions_ << part(QT_TR_NOOP("&Question"), &Words::question, "question", QT_TR_NOOP("What is asked"), 2);
  of_choices_ << part(QT_TR_NOOP("A&nswers"), &Words::choices, "choices",
                      QT_TR_NOOP("One a line; * before the one that is right"), 3);
  of_questions_ << part(QT_TR_NOOP("&Afterwards"), &Words::reveal, "reveal",
                        QT_TR_NOOP("What is said after the answer"), 2);
  save_ = button(QT_TR_NOOP("&Save the words of the chosen step"), "record_save", [this] { save_words(); });
  row("", button(QT_TR_NOOP("&Record what the window shows as a step"), "record_step", [this] { record(); }), save_, 0,
      true);
  all->addWidget(said_);  // what became of it, in sight of the button
  up_ = button(QT_TR_NOOP("&Up"), "record_up", [this] { move(-1); });
  down_ = button(QT_TR_NOOP("&Down"), "record_down", [this] { move(1); });
  remove_ = button(QT_TR_NOOP("Re&move"), "record_remove", [this] { remove(); });
  bring_back_ = button(QT_TR_NOOP("&Bring back"), "record_bring_back", [this] { bring_back(); });
  preview_ = button(QT_TR_NOOP("&Preview"), "record_preview", [this] { preview(); });
  auto* buttons = new QWidget(this);
  QVBoxLayout* column = column_in(buttons, space::kTight);
  for (QPushButton* each : {up_, down_, remove_, bring_back_, preview_}) column->addWidget(each, 0, Qt::AlignLeft);
  column->addStretch(1);
  row(QT_TR_NOOP("Steps"), steps_, buttons, 2);
  int widest = 0;
  for (const QLabel* each : names) widest = std::max(widest, each->sizeHint().width());
  for (QLabel* each : names) each->setFixedWidth(widest);
  connect(folder_, &QLineEdit::editingFinished, this, &RecordDialog::read);
  connect(steps_, &QListWidget::currentRowChanged, this, &RecordDialog::choose_step);
  connect(kind_, &QComboBox::currentIndexChanged, this, &RecordDialog::show_kind);
  show_kind();
  on_language(this, [this] {
    for (const auto& say : texts_) say();
    show_kind();
  });
  as_shown_ = all_typed();
  read();
  window.window->addDockWidget(Qt::RightDockWidgetArea, this);
  const int wide = std::min(static_cast<int>(kDockWide * Theme::instance().font_scale()), window.window->width() / 2);
  window.window->resizeDocks({this}, {wide}, Qt::Horizontal);
}

// A narrow place has the second language below the first.
void RecordDialog::resizeEvent(QResizeEvent* event) {
  QDockWidget::resizeEvent(event);
  const bool beside = width() >= kBeside * Theme::instance().font_scale();
  for (QBoxLayout* each : pairs_) each->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

std::string RecordDialog::folder() const { return bytes_of(folder_->text()); }

QPlainTextEdit* RecordDialog::editor(const QString& name) {
  auto* made = new QPlainTextEdit(this);
  made->setObjectName(name);
  made->setTabChangesFocus(true);
  return made;
}

// What is asked about is what is chosen in the window.
void RecordDialog::show_kind() {
  const int kind = kind_->currentIndex();
  for (QWidget* each : of_questions_) each->setVisible(kind != kShows);
  for (QWidget* each : of_choices_) each->setVisible(kind == 1);
  const QStringList about = {tr("The window as it is now, and your words."),
                             tr("The chosen row of the picture, if there is one, stays closed until the answer."),
                             tr("Right is the number that is chosen in the window, or how sure the chosen row is."),
                             tr("Right is the whole output; it stays closed until the answer."),
                             tr("Right is what the chosen row of the picture looks at most (90 %)."),
                             tr("Right is the chosen square of the picture."),
                             tr("Right is the chosen row of the picture.")};
  about_->setText(about.value(kind));
}

// The first language that is typed stands in for what the other one lacks.
StepParts RecordDialog::typed(const Words& words) const {
  const Words& other = &words == &words_[0] ? words_[1] : words_[0];
  return is_typed(other) ? filled_from(own_words(words), own_words(other)) : own_words(words);
}

StepParts RecordDialog::own_words(const Words& words) const {
  StepParts parts;
  parts.text = words.text->toPlainText().toStdString();
  parts.rest = words.rest;
  if (kind_->currentIndex() == kShows) return parts;
  parts.question = words.question->toPlainText().toStdString();
  parts.reveal = words.reveal->toPlainText().toStdString();
  if (kind_->currentIndex() != 1) return parts;
  for (QString line : words.choices->toPlainText().split('\n')) {
    line = line.trimmed();
    if (line.isEmpty()) continue;
    if (line.startsWith('*')) {
      parts.right = static_cast<int>(parts.choices.size());
      line = line.mid(1).trimmed();
    }
    parts.choices.push_back(line.toStdString());
  }
  return parts;
}

bool RecordDialog::is_typed(const Words& words) const {
  return !words.text->toPlainText().trimmed().isEmpty() || !words.question->toPlainText().trimmed().isEmpty();
}

template <class Work>
bool RecordDialog::tried(const Work& work) {
  try {
    work();
    said_->clear();
    return true;
  } catch (const Error& error) {
    set_ink(said_, &Tokens::ink);
    said_->setText(QString::fromUtf8(error.what()));
    return false;
  }
}

void RecordDialog::choose_folder() {
  ask_for_folder(this, {"lesson", tr("An empty folder, or that of a lesson")}, [this](const QString& chosen) {
    folder_->setText(chosen);
    read();
  });
}

void RecordDialog::record() {
  if (folder_->text().isEmpty()) return said_->setText(tr("Choose a folder first."));
  if (!window_.runs->session().document().model || !window_.runs->result())
    return said_->setText(tr("Nothing runs yet."));
  RecordedStep step;
  step.state = window_.session_state();
  step.output = window_.runs->result()->output;
  step.view = window_.panels->front().toStdString();
  step.arrangement = window_.panels->arrangement().toStdString();
  const QJsonObject layout = QJsonDocument::fromJson(window_.panels->save_state()).object();
  const QJsonObject now = layout[QStringLiteral("arrangements")].toObject()[window_.panels->arrangement()].toObject();
  for (const QJsonValue& each : now[QStringLiteral("side")].toArray())
    step.side.push_back(each.toString().toStdString());
  for (const QJsonValue& each : now[QStringLiteral("below")].toArray())
    step.below.push_back(each.toString().toStdString());
  static const QStringList known = {"look", "explain", "change", "compare"};
  if (!known.contains(from_utf8(step.arrangement))) step.arrangement.clear();
  QString title;
  const bool done = tried([&] {
    if (const int kind = kind_->currentIndex(); kind != kShows) {
      step.question = question_about(static_cast<LessonAnswer::Kind>(kind - 1), *window_.runs->result(),
                                     window_.selection->state());
      // What is asked must not stand open at the side.
      std::erase(step.side, "inspector");
    }
    for (Words& words : words_) {
      if (!is_typed(words)) continue;
      words.rest.clear();
      const StepParts parts = typed(words);
      if (step.question && step.words.empty()) {
        step.question->choices = static_cast<int>(parts.choices.size());
        step.question->right = parts.right;
      }
      step.words[words.language] = markdown_of(parts, choice_ids(parts.choices.size()));
      if (title.isEmpty()) title = words.title->text().trimmed();
    }
    record_step(folder(), title.toStdString(), step);
    for (const Words& words : words_) save_title(words);
  });
  if (!done) return;
  clear_words();
  read();
  said_->setText(tr("Step %1 is recorded.").arg(steps_->count()));
}

void RecordDialog::clear_words() {
  const QSignalBlocker block(steps_);
  steps_->setCurrentRow(-1);
  for (Words& words : words_) show_parts(words, {});
  kind_->setCurrentIndex(kShows);
  as_shown_ = all_typed();
  shown_ = -1;
}

QStringList RecordDialog::all_typed() const {
  QStringList all;
  for (const Words& words : words_)
    for (const QPlainTextEdit* each : {words.text, words.question, words.choices, words.reveal})
      all << each->toPlainText();
  return all;
}

// What was typed and is in no step yet does not go by a click on another one.
void RecordDialog::choose_step(int row) {
  if (all_typed() == as_shown_) return show_words();
  const auto mark = [this](int at) {
    const QSignalBlocker block(steps_);
    steps_->setCurrentRow(at);
  };
  mark(shown_);
  ask_to_lose(
      this, {tr("What you typed is not saved in a step. Let it go? It cannot be brought back."), {}, tr("&Let it go")},
      [this, mark, row] {
        mark(row);
        show_words();
      });
}

void RecordDialog::read() {
  removed_.clear();
  bring_back_->setEnabled(false);
  const QSignalBlocker block(steps_);
  const int row = steps_->currentRow();
  steps_->clear();
  if (is_lesson(folder()))
    tried([&] {
      const auto lesson = read_lesson(folder());
      const LessonWords& words = lesson->in(current_language().toStdString());
      for (const Words& each : words_)
        if (const std::string title = lesson_title(folder(), each.language); !title.empty())
          each.title->setText(from_utf8(title));
      for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
        const StepWords& here = words.steps[i];
        QString item = from_utf8(plain_text(here.question.empty() ? here.text : here.question)).simplified();
        if (item.size() > kLabel) item = item.left(kLabel).trimmed() + QChar(0x2026);
        if (lesson->steps[i].asks()) item += QStringLiteral("  (?)");
        steps_->addItem(QStringLiteral("%1. %2").arg(i + 1).arg(item));
      }
    });
  steps_->setCurrentRow(std::min(row, steps_->count() - 1));
  const bool any = steps_->count() > 0;
  for (QPushButton* each : {save_, up_, down_, remove_, preview_}) each->setEnabled(any);
}

void RecordDialog::show_parts(Words& words, const StepParts& parts) {
  QStringList choices;
  for (std::size_t i = 0; i < parts.choices.size(); ++i)
    choices << (static_cast<int>(i) == parts.right ? QStringLiteral("* ") : QString()) + from_utf8(parts.choices[i]);
  words.text->setPlainText(from_utf8(parts.text));
  words.question->setPlainText(from_utf8(parts.question));
  words.choices->setPlainText(choices.join('\n'));
  words.reveal->setPlainText(from_utf8(parts.reveal));
  words.rest = parts.rest;
}

void RecordDialog::show_words() {
  const int row = steps_->currentRow();
  if (row < 0) return;
  tried([&] {
    const auto lesson = read_lesson(folder());
    const LessonStep& step = lesson->steps[static_cast<std::size_t>(row)];
    const bool asks = step.asks();
    kind_->setCurrentIndex(asks ? 1 + static_cast<int>(step.answer.kind) : kShows);
    for (Words& words : words_) {
      StepParts parts = parts_of_markdown(step_words(folder(), row, words.language));
      if (const auto right = std::ranges::find(step.answer.choices, step.answer.right);
          asks && right != step.answer.choices.end())
        parts.right = static_cast<int>(right - step.answer.choices.begin());
      show_parts(words, parts);
    }
  });
  as_shown_ = all_typed();
  shown_ = row;
}

void RecordDialog::save_title(const Words& words) const {
  if (const QString own = words.title->text().trimmed(); !own.isEmpty())
    set_lesson_title(folder(), words.language, own.toStdString());
}

// What is right stays what it was recorded as; only the words change.
void RecordDialog::save_words() {
  const int row = steps_->currentRow();
  if (row < 0) return said_->setText(tr("Choose a step of the list first."));
  const bool done = tried([&] {
    const auto lesson = read_lesson(folder());
    const std::vector<std::string>& ids = lesson->steps[static_cast<std::size_t>(row)].answer.choices;
    for (const Words& words : words_) {
      if (is_typed(words)) set_step_words(folder(), row, words.language, markdown_of(typed(words), ids));
      save_title(words);
    }
  });
  if (!done) return;
  as_shown_ = all_typed();
  read();
  said_->setText(tr("The words of step %1 are saved.").arg(row + 1));
}

void RecordDialog::move(int by) {
  const int from = steps_->currentRow(), to = from + by;
  if (from < 0 || to < 0 || to >= steps_->count()) return;
  if (!tried([&] { move_step(folder(), from, to); })) return;
  read();
  steps_->setCurrentRow(to);
}

void RecordDialog::remove() {
  const int row = steps_->currentRow();
  if (row < 0) return;
  LessonTexts before;
  if (!tried([&] { before = remove_step(folder(), row); })) return;
  read();
  show_words();
  removed_ = std::move(before);
  bring_back_->setEnabled(true);
  said_->setText(tr("Step %1 is removed.").arg(row + 1));
}

// Until something else is written.
void RecordDialog::bring_back() {
  if (!tried([this] { put_back(folder(), removed_); })) return;
  read();
  show_words();
}

void RecordDialog::preview() { window_.open_lesson(folder_->text(), std::max(0, steps_->currentRow())); }

}  // namespace headlight
