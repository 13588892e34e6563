#include "app/text/chat_field.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>
#include <QStyleOptionFrame>
#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/text/source_field.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight {

ChatField::ChatField(QWidget* parent) : QPlainTextEdit(parent) {
  setProperty(kLook, QByteArray("field"));
  setUndoRedoEnabled(false);
  setTabChangesFocus(true);
  setFrameShape(QFrame::NoFrame);
  setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  document()->setDocumentMargin(space::kTight);
  setViewportMargins(space::kTight, 0, space::kTight, 0);
  viewport()->setAutoFillBackground(false);
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    fit();
    if (!setting_) emit edited(toPlainText().left(kMostCharacters));
  });
  theme().restyles(this, [this] {
    setFont(theme().ui_font());
    fit();
  });
  setFont(theme().ui_font());
  fit();
}

std::span<const ChatField::KeyRow> ChatField::key_table() {
  static constexpr KeyRow kRows[] = {
      {"Enter",
       QT_TR_NOOP("In a chat: the answer stays as a message, and you go on; above the last message, another one")},
      {"Shift+Enter", QT_TR_NOOP("In a chat: a new line")},
      {"↑ / ↓", QT_TR_NOOP("In a chat: to the message above or below, from the first or last line of one")},
      {"Alt+↑ / Alt+↓", QT_TR_NOOP("In a chat: move the message up or down")},
      {"Backspace", QT_TR_NOOP("In a chat: remove a message that is empty")},
  };
  return kRows;
}

void ChatField::set_text(const QString& text) {
  if (text == toPlainText()) return;
  setting_ = true;
  setPlainText(text);
  moveCursor(QTextCursor::End);
  setting_ = false;
}

void ChatField::set_growing(bool growing) {
  if (std::exchange(growing_, growing) && !growing) fit();
}

void ChatField::fit() {
  const int line = QFontMetrics(font()).lineSpacing(), width = std::max(40, viewport()->width() - 2 * space::kTight);
  int lines = 0;
  for (QTextBlock block = document()->begin(); block.isValid() && lines < kMostLines; block = block.next()) {
    const int wide = QFontMetrics(font()).horizontalAdvance(block.text());
    lines += std::max(1, static_cast<int>(std::ceil(1.05 * wide / width)));
  }
  lines = std::clamp(lines, 1, kMostLines);
  setVerticalScrollBarPolicy(lines == kMostLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
  const int high = lines * line + 2 * space::kTight + space::kTight;
  if (high == minimumHeight() && high == maximumHeight()) return;
  if (growing_ && high < minimumHeight()) return;
  setFixedHeight(high);
  emit fitted();
}

bool ChatField::event(QEvent* event) {
  if (left_to_window(event)) return true;
  if (event->type() == QEvent::Paint && !isReadOnly()) {  // its ground, as that of every field
    QPainter painter(this);
    QStyleOptionFrame option;
    option.initFrom(this);
    option.lineWidth = 1;
    style()->drawPrimitive(QStyle::PE_PanelLineEdit, &option, &painter, this);
    return true;
  }
  return QPlainTextEdit::event(event);
}

void ChatField::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  const bool up = event->key() == Qt::Key_Up, down = event->key() == Qt::Key_Down;
  if (plain && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) return emit next_wanted();
  if (event->modifiers() == Qt::AltModifier && (up || down)) return emit moved(up ? -1 : 1);
  if (plain && event->key() == Qt::Key_Backspace && document()->isEmpty()) return emit removal_wanted();
  const int position = textCursor().position();
  QPlainTextEdit::keyPressEvent(event);
  if (plain && (up || down) && textCursor().position() == position) emit neighbour(up ? -1 : 1);
}

void ChatField::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  fit();
}

}  // namespace headlight
