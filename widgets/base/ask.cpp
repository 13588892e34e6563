#include "widgets/base/ask.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <utility>

#include "widgets/base/controls.h"

namespace headlight {

namespace {

struct AskWords {
  Q_DECLARE_TR_FUNCTIONS(headlight::Ask)
};

// What was asked stands in the title of the window that asks.
QMessageBox* message_box(QWidget* parent, QMessageBox::Icon icon, const QString& words, const QString& what = {}) {
  auto* made =
      new QMessageBox(icon, parent ? parent->window()->windowTitle() : QString(), words, QMessageBox::NoButton, parent);
  made->setAttribute(Qt::WA_DeleteOnClose);
  made->setTextFormat(Qt::PlainText);
  made->setInformativeText(what);
  return made;
}

// `answered` gets the button, when the box is out of the way of what it opens.
void open_box(QMessageBox* box, std::function<void(QMessageBox::ButtonRole)> answered) {
  QObject::connect(box, &QMessageBox::finished, box,
                   [box, answered = std::move(answered)] { answered(box->buttonRole(box->clickedButton())); });
  box->open();
}

QInputDialog* input_dialog(QWidget* parent, QInputDialog::InputMode mode, const QString& title, const QString& words) {
  constexpr int kLine = 52;  // characters
  auto* dialog = new QInputDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setInputMode(mode);
  dialog->setWindowTitle(title);
  dialog->setLabelText(words);
  for (QLabel* label : dialog->findChildren<QLabel*>()) {
    const int wide = label->fontMetrics().averageCharWidth() * kLine;
    if (label->sizeHint().width() <= wide) continue;
    make_running_text(label);
    label->setMinimumWidth(wide);
  }
  return dialog;
}

}  // namespace

void ask_to_lose(QWidget* parent, const Loss& loss, std::function<void()> lose) {
  QMessageBox* box = message_box(parent, QMessageBox::Question, loss.question, loss.what);
  box->addButton(loss.verb, QMessageBox::DestructiveRole);
  box->setDefaultButton(box->addButton(QMessageBox::Cancel));
  open_box(box, [lose = std::move(lose)](QMessageBox::ButtonRole role) {
    if (role == QMessageBox::DestructiveRole) lose();
  });
}

void before_writing(QWidget* parent, const QString& path, std::function<void()> write) {
  if (!QFileInfo::exists(path)) return write();
  ask_to_lose(
      parent,
      {AskWords::tr("There is a file of this name already. Write over it?"), path, AskWords::tr("&Write over it")},
      std::move(write));
}

QMessageBox* ask_to_save(QWidget* parent, const QString& question, const QString& what,
                         std::function<void(bool save)> leave) {
  QMessageBox* box = message_box(parent, QMessageBox::Question, question, what);
  box->setDefaultButton(box->addButton(AskWords::tr("&Save"), QMessageBox::AcceptRole));
  box->addButton(AskWords::tr("&Discard"), QMessageBox::DestructiveRole);
  box->addButton(QMessageBox::Cancel);
  open_box(box, [leave = std::move(leave)](QMessageBox::ButtonRole role) {
    if (role == QMessageBox::AcceptRole || role == QMessageBox::DestructiveRole) leave(role == QMessageBox::AcceptRole);
  });
  return box;
}

void ask_for_text(QWidget* parent, const TextQuestion& question, std::function<void(const QString&)> take) {
  QInputDialog* dialog = input_dialog(parent, QInputDialog::TextInput, question.title, question.words);
  dialog->setTextValue(question.text);
  QObject::connect(dialog, &QInputDialog::textValueSelected, dialog, std::move(take));
  dialog->open();
}

void ask_for_number(QWidget* parent, const NumberQuestion& question, std::function<void(double)> take) {
  constexpr int kDecimals = 4;
  QInputDialog* dialog = input_dialog(parent, QInputDialog::DoubleInput, question.title, question.words);
  dialog->setDoubleRange(question.least, question.most);
  dialog->setDoubleDecimals(kDecimals);
  dialog->setDoubleStep(question.step);
  dialog->setDoubleValue(question.now);
  QObject::connect(dialog, &QInputDialog::doubleValueSelected, dialog, std::move(take));
  dialog->open();
}

void tell(QWidget* parent, const QString& what, const QString& title) {
  QMessageBox* box = message_box(parent, QMessageBox::Information, what);
  if (!title.isEmpty()) box->setWindowTitle(title);
  box->addButton(QMessageBox::Ok);
  box->open();
}

}  // namespace headlight
