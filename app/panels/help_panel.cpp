#include "app/panels/help_panel.h"

#include <QEvent>
#include <QLabel>

#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"

namespace headlight {

HelpPanel::HelpPanel(QWidget* parent) : Sheet(parent), label_(new QLabel) {
  setBackgroundRole(QPalette::Window);
  make_running_text(label_);
  label_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  label_->setMargin(space::kMargin);
  setWidget(label_);
}

void HelpPanel::set_text(const QStringList& paragraphs) {
  if (paragraphs == paragraphs_) return;
  paragraphs_ = paragraphs;
  show_text();
}

QString HelpPanel::text() const { return label_->text(); }

void HelpPanel::show_text() {
  label_->setText(paragraphs_.join(QStringLiteral("\n\n")));
  setAccessibleDescription(label_->text());
}

void HelpPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) label_->setFont(font());
  Sheet::changeEvent(event);
}

}  // namespace headlight
