#include "app/lab/setup/command_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/base/controls.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {
constexpr int kLettersInLine = 64;
}

CommandDialog::CommandDialog(const QString& command, const QString& before, QWidget* parent)
    : QDialog(parent), command_(command) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("The same in a terminal"));
  auto* line = text_label(this);
  line->setText(command);
  line->setAccessibleName(tr("Command line"));
  line->setMinimumWidth(QFontMetrics(line->font()).averageCharWidth() * kLettersInLine);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(space::kMedium);
  if (!before.isEmpty()) {
    auto* first = text_label(this);
    first->setText(before);
    set_ink(first, &Tokens::ink2);
    column->addWidget(first);
  }
  column->addWidget(line);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(command_); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
}

}  // namespace headlight
