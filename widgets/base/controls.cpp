#include "widgets/base/controls.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>

namespace headlight {

namespace {

template <class Layout>
Layout* tight(QWidget* box, int gap) {
  auto* layout = new Layout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(gap);
  return layout;
}

}  // namespace

QHBoxLayout* row_in(QWidget* box, int gap) { return tight<QHBoxLayout>(box, gap); }
QVBoxLayout* column_in(QWidget* box, int gap) { return tight<QVBoxLayout>(box, gap); }

QLabel* text_label(QWidget* parent, bool wrap) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(wrap);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

void set_ink(QLabel* label, const QColor& colour) {
  QPalette palette = label->palette();
  palette.setColor(QPalette::WindowText, colour);
  label->setPalette(palette);
}

void describe(QWidget* control, const QString& name, const QString& help) {
  control->setAccessibleName(name);
  control->setToolTip(help);
}

QString wrapped_tooltip(const QString& text) {
  return text.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped());
}

QIcon drawn_icon(const std::function<void(QPainter&)>& draw) {
  QIcon icon;
  for (const int scale : {1, 2}) {
    QPixmap pixmap(16 * scale, 16 * scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    draw(painter);
    painter.end();
    pixmap.setDevicePixelRatio(scale);
    icon.addPixmap(pixmap);
  }
  return icon;
}

}  // namespace headlight
