#include "widgets/base/nothing_found.h"

#include <QLabel>

namespace headlight {

QLabel* nothing_found(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setAlignment(Qt::AlignCenter);
  label->setWordWrap(true);
  label->hide();
  return label;
}

}  // namespace headlight
