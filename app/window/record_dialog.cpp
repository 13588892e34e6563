#include "app/window/record_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QGridLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>

#include "app/language.h"
#include "app/lessons/lesson_recording.h"
#include "app/window/main_window.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

RecordDialog::RecordDialog(MainWindow* window)
    : QDialog(window),
      window_(window),
      folder_(new QLineEdit(this)),
      title_(new QLineEdit(this)),
      english_(new QPlainTextEdit(this)),
      chinese_(new QPlainTextEdit(this)),
      steps_(new QListWidget(this)),
      said_(text_label(this)) {
  setObjectName(QStringLiteral("record_lesson"));
  setWindowTitle(tr("Record a lesson"));
  resize(680, 560);
  const auto button = [this](const QString& text, const char* name, auto what) {
    auto* made = new QPushButton(text, this);
    made->setObjectName(QString::fromUtf8(name));
    made->setAutoDefault(false);
    connect(made, &QPushButton::clicked, this, what);
    return made;
  };
  folder_->setObjectName(QStringLiteral("record_folder"));
  title_->setObjectName(QStringLiteral("record_title"));
  english_->setObjectName(QStringLiteral("record_en"));
  chinese_->setObjectName(QStringLiteral("record_zh_CN"));
  steps_->setObjectName(QStringLiteral("record_steps"));
  english_->setTabChangesFocus(true);
  chinese_->setTabChangesFocus(true);
  auto* grid = new QGridLayout(this);
  const auto named = [&](int row, const QString& name, QWidget* field) {
    auto* label = new QLabel(name, this);
    label->setBuddy(field);
    grid->addWidget(label, row, 0);
  };
  named(0, tr("&Folder"), folder_);
  grid->addWidget(folder_, 0, 1, 1, 2);
  grid->addWidget(button(tr("Choose…"), "record_choose",
                         [this] {
                           const QString chosen = QFileDialog::getExistingDirectory(
                               this, tr("An empty folder, or that of a lesson"), QDir::homePath());
                           if (!chosen.isEmpty()) folder_->setText(chosen);
                           read();
                         }),
                  0, 3);
  named(1, tr("&Title"), title_);
  grid->addWidget(title_, 1, 1, 1, 3);
  grid->addWidget(new QLabel(tr("Words of the step, English"), this), 2, 0, 1, 2);
  grid->addWidget(new QLabel(tr("the same in Chinese (may be empty)"), this), 2, 2, 1, 2);
  english_->setAccessibleName(tr("Words of the step, English"));
  chinese_->setAccessibleName(tr("the same in Chinese (may be empty)"));
  grid->addWidget(english_, 3, 0, 1, 2);
  grid->addWidget(chinese_, 3, 2, 1, 2);
  grid->addWidget(button(tr("&Record what the window shows as a step"), "record_step", [this] { record(); }), 4, 0, 1,
                  2);
  save_ = button(tr("&Save the words of the chosen step"), "record_save", [this] { save_words(); });
  grid->addWidget(save_, 4, 2, 1, 2);
  grid->addWidget(steps_, 5, 0, 4, 2);
  up_ = button(tr("&Up"), "record_up", [this] { move(-1); });
  down_ = button(tr("&Down"), "record_down", [this] { move(1); });
  remove_ = button(tr("Re&move"), "record_remove", [this] { remove(); });
  preview_ = button(tr("&Preview"), "record_preview",
                    [this] { window_->open_lesson(folder_->text(), std::max(0, steps_->currentRow())); });
  int row = 5;
  for (QPushButton* each : {up_, down_, remove_, preview_}) grid->addWidget(each, row++, 2, 1, 2);
  grid->addWidget(said_, 9, 0, 1, 4);
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(2, 1);
  connect(folder_, &QLineEdit::editingFinished, this, &RecordDialog::read);
  connect(steps_, &QListWidget::currentRowChanged, this, &RecordDialog::show_words);
  read();
}

template <class Work>
bool RecordDialog::tried(const Work& work) {
  try {
    work();
    said_->clear();
    return true;
  } catch (const Error& error) {
    set_ink(said_, tokens().ink);
    said_->setText(QString::fromUtf8(error.what()));
    return false;
  }
}

void RecordDialog::record() {
  if (folder_->text().isEmpty()) return said_->setText(tr("Choose a folder first."));
  if (!window_->session().document().model || !window_->result()) return said_->setText(tr("Nothing runs yet."));
  RecordedStep step;
  step.state = window_->session_state();
  step.output = window_->result()->output;
  step.view = window_->panels().front().toStdString();
  step.arrangement = window_->panels().arrangement().toStdString();
  const QJsonObject layout = QJsonDocument::fromJson(window_->panels().save_state()).object();
  const QJsonObject now = layout[QStringLiteral("arrangements")].toObject()[window_->panels().arrangement()].toObject();
  for (const QJsonValue& each : now[QStringLiteral("side")].toArray())
    step.side.push_back(each.toString().toStdString());
  for (const QJsonValue& each : now[QStringLiteral("below")].toArray())
    step.below.push_back(each.toString().toStdString());
  static const QStringList known = {"look", "explain", "change", "compare"};
  if (!known.contains(from_utf8(step.arrangement))) step.arrangement.clear();
  for (const auto& [language, field] : {std::pair("en", english_), {"zh_CN", chinese_}})
    if (!field->toPlainText().trimmed().isEmpty()) step.words[language] = field->toPlainText().toStdString();
  if (tried([&] { record_step(bytes_of(folder_->text()), title_->text().trimmed().toStdString(), step); })) {
    read();
    english_->clear();
    chinese_->clear();
  }
}

void RecordDialog::read() {
  const QSignalBlocker block(steps_);
  const int row = steps_->currentRow();
  steps_->clear();
  if (is_lesson(bytes_of(folder_->text())))
    tried([&] {
      const auto lesson = read_lesson(bytes_of(folder_->text()));
      const LessonWords& words = lesson->in(current_language().toStdString());
      title_->setText(from_utf8(words.title));
      for (std::size_t i = 0; i < lesson->steps.size(); ++i)
        steps_->addItem(
            QStringLiteral("%1. %2").arg(i + 1).arg(from_utf8(plain_text(words.steps[i].text)).left(60).simplified()));
    });
  steps_->setCurrentRow(std::min(row, steps_->count() - 1));
  const bool any = steps_->count() > 0;
  title_->setEnabled(!any);
  for (QPushButton* each : {save_, up_, down_, remove_, preview_}) each->setEnabled(any);
}

void RecordDialog::show_words() {
  if (steps_->currentRow() < 0) return;
  tried([this] {
    const std::string folder = bytes_of(folder_->text());
    english_->setPlainText(from_utf8(step_words(folder, steps_->currentRow(), "en")));
    chinese_->setPlainText(from_utf8(step_words(folder, steps_->currentRow(), "zh_CN")));
  });
}

void RecordDialog::save_words() {
  if (steps_->currentRow() < 0) return;
  tried([this] {
    for (const auto& [language, field] : {std::pair("en", english_), {"zh_CN", chinese_}})
      if (const QString text = field->toPlainText(); !text.trimmed().isEmpty())
        set_step_words(bytes_of(folder_->text()), steps_->currentRow(), language, text.toStdString());
  });
  read();
}

void RecordDialog::move(int by) {
  const int from = steps_->currentRow(), to = from + by;
  if (from < 0 || to < 0 || to >= steps_->count()) return;
  if (!tried([&] { move_step(bytes_of(folder_->text()), from, to); })) return;
  read();
  steps_->setCurrentRow(to);
}

void RecordDialog::remove() {
  if (steps_->currentRow() < 0) return;
  tried([this] { remove_step(bytes_of(folder_->text()), steps_->currentRow()); });
  read();
}

}  // namespace headlight
