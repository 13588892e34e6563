// One short text with a button.

#include "app/window/hint_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/base/tokens.h"

namespace headlight {

HintPanel::HintPanel(QWidget* parent)
    : QFrame(parent), title_(new QLabel(this)), text_(new QLabel(this)), close_(new QPushButton(this)) {
  setObjectName(QStringLiteral("hint"));
  setAutoFillBackground(true);
  for (QLabel* label : {title_, text_}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
  }
  auto* texts = new QVBoxLayout;
  texts->setSpacing(3);
  texts->addWidget(title_);
  texts->addWidget(text_);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(14, 10, 12, 10);
  row->setSpacing(16);
  row->addLayout(texts, 1);
  row->addWidget(close_, 0, Qt::AlignVCenter);
  connect(close_, &QPushButton::clicked, this, &HintPanel::dismissed);
  connect(&Theme::instance(), &Theme::changed, this, &HintPanel::recolour);
  recolour();
  retranslate();
}

void HintPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    emit dismissed();
  else
    QFrame::keyPressEvent(event);
}

void HintPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QFrame::changeEvent(event);
}

void HintPanel::recolour() {
  const Theme& theme = Theme::instance();
  QPalette colours = theme.palette();
  colours.setColor(QPalette::Window, tokens().well);
  setPalette(colours);
  QFont bold = theme.ui_font(1.1);
  bold.setBold(true);
  title_->setFont(bold);
}

void HintPanel::retranslate() {
  title_->setText(tr("What am I looking at?"));
  text_->setText(
      tr("A small neural network reads the text above, piece by piece, and writes what stands behind the arrow, piece "
         "by piece. In the first picture, each row is one piece that it wrote, and each column is one that it read: "
         "the stronger the colour, the more attention it paid. Type another text and watch the picture change. Click "
         "a square to see the arithmetic behind it."));
  close_->setText(tr("Close"));
  close_->setToolTip(tr("Put this explanation away; F1 brings it back (Esc)"));
}

}  // namespace headlight
