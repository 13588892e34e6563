#include "app/lab/setup/lab_choice.h"

#include <QSignalBlocker>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <algorithm>

#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {
constexpr int kLineRole = Qt::UserRole + 1;

QFont line_font() { return theme().ui_font(type::kSource); }
}  // namespace

LabChoice::LabChoice(QWidget* parent) : QComboBox(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(this, &QComboBox::activated, this, [this] {
    describe_current();
    emit chosen(key());
  });
}

void LabChoice::set_rows(const QList<Row>& rows, const QString& current) {
  const QSignalBlocker quiet(this);
  clear();
  for (const Row& row : rows) {
    addItem(row.title, row.key);
    setItemData(count() - 1, row.line, kLineRole);
    setItemData(count() - 1, wrapped_tooltip(row.line), Qt::ToolTipRole);
  }
  setCurrentIndex(std::max(0, findData(current)));
  describe_current();
}

void LabChoice::set_line(const QString& key, const QString& line) {
  const int at = findData(key);
  if (at < 0 || itemData(at, kLineRole).toString() == line) return;
  setItemData(at, line, kLineRole);
  setItemData(at, wrapped_tooltip(line), Qt::ToolTipRole);
  if (at == currentIndex()) describe_current();
}

QString LabChoice::key() const { return currentData().toString(); }
QString LabChoice::line() const { return currentData(kLineRole).toString(); }

void LabChoice::describe_current() {
  setAccessibleDescription(line());
  update();
}

QSize LabChoice::sizeHint() const {
  const int lines = QFontMetrics(strong_font()).height() + QFontMetrics(line_font()).height();
  return {QComboBox::sizeHint().width(), lines + 2 * space::kSmall};
}

QSize LabChoice::minimumSizeHint() const { return {6 * control_height(), sizeHint().height()}; }

void LabChoice::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  option.currentText.clear();
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  QRect area = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  area = QRect(kFieldMargin, space::kSmall, area.right() - kFieldMargin, height() - 2 * space::kSmall);
  const QColor ink = palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Text);
  const auto line = [&](const QFont& font, const QColor& colour, const QString& text, const QRect& where) {
    painter.setFont(font);
    painter.setPen(colour);
    draw_text(painter, where, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
              elided_text(text, font, Qt::ElideRight, where.width()));
  };
  const int first = QFontMetrics(strong_font()).height();
  const bool one = this->line().isEmpty();
  line(strong_font(), ink, currentText(), one ? area : QRect(area.left(), area.top(), area.width(), first));
  if (!one)
    line(line_font(), theme().muted_text(), this->line(),
         QRect(area.left(), area.top() + first, area.width(), area.height() - first));
}

}  // namespace headlight
