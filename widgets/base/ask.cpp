#include "widgets/base/ask.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <utility>

namespace headlight {

namespace {

struct AskWords {
  Q_DECLARE_TR_FUNCTIONS(headlight::Ask)
};

// What was asked stands in the title of the window that asks.
QMessageBox* question(QWidget* parent, const Loss& loss) {
  auto* made = new QMessageBox(QMessageBox::Question, parent ? parent->window()->windowTitle() : QString(),
                               loss.question, QMessageBox::NoButton, parent);
  made->setAttribute(Qt::WA_DeleteOnClose);
  made->setTextFormat(Qt::PlainText);
  made->setInformativeText(loss.what);
  made->addButton(loss.verb, QMessageBox::DestructiveRole);
  made->setDefaultButton(made->addButton(QMessageBox::Cancel));
  return made;
}

}  // namespace

void ask_to_lose(QWidget* parent, const Loss& loss, std::function<void()> lose) {
  QMessageBox* asked = question(parent, loss);
  QObject::connect(asked, &QMessageBox::buttonClicked, asked, [asked, lose = std::move(lose)](QAbstractButton* button) {
    if (asked->buttonRole(button) == QMessageBox::DestructiveRole) lose();
  });
  asked->open();
}

bool may_write(QWidget* parent, const QString& path) {
  if (!QFileInfo::exists(path)) return true;
  QMessageBox* asked = question(parent, {AskWords::tr("There is a file of this name already. Write over it?"), path,
                                         AskWords::tr("&Write over it")});
  bool yes = false;
  QObject::connect(asked, &QMessageBox::buttonClicked, asked, [&yes, asked](QAbstractButton* button) {
    yes = asked->buttonRole(button) == QMessageBox::DestructiveRole;
  });
  asked->exec();
  return yes;
}

}  // namespace headlight
