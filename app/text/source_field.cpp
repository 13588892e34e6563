#include "app/text/source_field.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOptionFrame>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "app/document/session.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

// Qt takes these two for the ends of a frame of text. Halves of a character stand for them inside of the field: no text
// has those (single_line).
constexpr std::pair<char16_t, char16_t> kOutside[] = {{0xfdd0, 0xdc00}, {0xfdd1, 0xdc01}};

QString inside(QString text) {
  text = single_line(std::move(text));
  for (const auto& [outside, stand_in] : kOutside) text.replace(QChar(outside), QChar(stand_in));
  return text;
}

struct Fitting {
  QFont font;
  int lines = 1;
  double height = 0;  // of those lines
  bool scrolls = false;
};

// The largest letters in which the text is one line, else as many lines of normal ones as it needs and may have.
// `shown` is the font of the field now.
Fitting fitting(const QString& text, double width, const QFont& shown, bool characters) {
  Fitting found;
  const QString beginning = text.left(400);
  const auto wide = [&](const QFont& font) { return QFontMetricsF(font).horizontalAdvance(beginning); };
  // Another size is tried only where it is likely to fit: its letters are loaded for that, for a text in several
  // scripts from several fonts, and that at every key.
  constexpr double kAbout = 0.97;  // letters grow by whole pixels
  const double now = wide(shown);
  for (const double scale : {1.5, 1.25, 1.0}) {
    found.font = Theme::instance().text_font(characters, scale);
    found.height = QFontMetricsF(found.font).height();
    const bool same = found.font == shown;
    if (!same && kAbout * now * found.font.pointSizeF() / shown.pointSizeF() > width) continue;
    if ((same ? now : wide(found.font)) <= width) return found;
  }
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  QTextLayout layout(text, found.font);
  layout.setTextOption(option);
  layout.beginLayout();
  found.lines = 0;
  found.height = 0;
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    if (found.lines == SourceField::kMostLines) {
      found.scrolls = true;
      break;
    }
    line.setLineWidth(std::max(width, 20.0));
    found.height += std::ceil(line.height());
    ++found.lines;
  }
  layout.endLayout();
  return found;
}

constexpr int kInside = space::kSmall;  // between the border and the letters
constexpr int kSpare = 2;               // of the document's own margin, above and below the lines

}  // namespace

bool left_to_window(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if (!key->matches(QKeySequence::Undo) && !key->matches(QKeySequence::Redo)) return false;
  event->ignore();
  return true;
}

SourceField::SourceField(QWidget* parent) : QPlainTextEdit(parent), bar_(new QScrollBar(Qt::Vertical, this)) {
  // Inside of the border, before what else is in the field; the area's own one would stand on the border.
  const QScrollBar* own = verticalScrollBar();
  connect(own, &QScrollBar::rangeChanged, bar_, &QScrollBar::setRange);
  connect(own, &QScrollBar::rangeChanged, bar_, [this, own] { bar_->setPageStep(own->pageStep()); });
  connect(own, &QScrollBar::valueChanged, bar_, &QScrollBar::setValue);
  connect(bar_, &QScrollBar::valueChanged, own, &QScrollBar::setValue);
  // A space at the end of a line is no reason to move all of them aside.
  connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, [this] { horizontalScrollBar()->setRange(0, 0); });
  setProperty(kLook, QByteArray("field"));
  setUndoRedoEnabled(false);
  setTabChangesFocus(true);
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  document()->setDocumentMargin(kSpare / 2.);
  // The ground of the field is drawn by the style, as that of every field.
  viewport()->setAutoFillBackground(false);
  connect(this, &QPlainTextEdit::textChanged, this, &SourceField::changed);
  connect(&Theme::instance(), &Theme::changed, this, &SourceField::fit);
  connect(&Theme::instance(), &Theme::changed, this, &SourceField::mark_unread);
}

QString SourceField::text() const {
  QString text = document()->toRawText();
  for (qsizetype i = 0; i < text.size(); ++i)
    for (const auto& [outside, stand_in] : kOutside)
      if (text[i] == QChar(stand_in) && (i == 0 || !text[i - 1].isHighSurrogate())) text[i] = QChar(outside);
  return text;
}

void SourceField::setText(const QString& text) {
  setting_ = true;
  setPlainText(within(inside(text), most_));
  moveCursor(QTextCursor::End);
  setting_ = false;
  last_ = this->text();
  set_unread(last_, {});
  fit();
}

void SourceField::setCursorPosition(int position) {
  QTextCursor cursor = textCursor();
  cursor.setPosition(std::clamp(position, 0, std::max(0, document()->characterCount() - 1)));
  setTextCursor(cursor);
}

// Whole characters only: half of one is none.
QString SourceField::within(const QString& text, qsizetype room) const {
  if (text.size() <= room) return text;
  QString cut = text.left(std::max<qsizetype>(room, 0));
  if (!cut.isEmpty() && cut.back().isHighSurrogate()) cut.chop(1);
  return cut;
}

// What is written in other ways (an input method, a test) is held to the same rules.
void SourceField::changed() {
  if (setting_) return;
  const QString raw = document()->toRawText(), wanted = within(inside(text()), most_);
  if (raw != wanted) {
    const int cursor = cursorPosition();
    setting_ = true;
    setPlainText(wanted);
    setCursorPosition(cursor);
    setting_ = false;
  }
  const QString now = text();
  if (now == last_) return;
  last_ = now;
  set_unread(now, {});  // until it is read
  fit();
  emit textEdited(now);
}

void SourceField::set_unread(const QString& text, std::vector<Part> parts) {
  if (text != last_) return;  // somebody has typed since
  if (parts == unread_) return;
  unread_ = std::move(parts);
  mark_unread();
}

void SourceField::mark_unread() {
  QList<QTextEdit::ExtraSelection> marks;
  for (const Part& part : unread_) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(document());
    const int end = document()->characterCount() - 1;
    mark.cursor.setPosition(std::min(part.begin, end));
    mark.cursor.setPosition(std::min(part.end, end), QTextCursor::KeepAnchor);
    mark.format.setForeground(Theme::instance().warning());
    mark.format.setFontStrikeOut(part.left_out);
    if (!part.left_out) mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    marks << mark;
  }
  setExtraSelections(marks);
}

void SourceField::set_characters(bool characters) {
  if (characters == characters_) return;
  characters_ = characters;
  fit();
}

void SourceField::set_room(int right, int least_height) {
  right_ = right;
  least_ = least_height;
  fit();
}

void SourceField::fit() {
  if (std::exchange(fitting_, true)) return;
  const int width = this->width() - 2 * kInside - right_ - kSpare;
  Fitting now = fitting(document()->toRawText(), width, font(), characters_);
  if (now.scrolls)
    now =
        fitting(document()->toRawText(), width - style()->pixelMetric(QStyle::PM_ScrollBarExtent), font(), characters_);
  lines_ = now.lines;
  const auto inner = static_cast<int>(std::ceil(now.height)) + kSpare;
  const int high = std::max(least_, inner + (now.lines > 1 ? 2 * space::kTight : 0));
  if (font() != now.font) setFont(now.font);
  if (high != minimumHeight() || high != maximumHeight()) setFixedHeight(high);
  const int above = std::max(0, (high - inner) / 2);
  const int bar = now.scrolls ? style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0;
  bar_->setVisible(now.scrolls);
  bar_->setGeometry(this->width() - right_ - bar, space::kTight, bar, high - 2 * space::kTight);
  setViewportMargins(kInside, above, kInside + right_ + bar, std::max(0, high - inner - above));
  fitting_ = false;
  if (!now.scrolls) verticalScrollBar()->setValue(0);
}

bool SourceField::event(QEvent* event) {
  if (left_to_window(event)) return true;
  if (event->type() == QEvent::Paint) {
    QPainter painter(this);
    QStyleOptionFrame option;
    option.initFrom(this);
    option.lineWidth = 1;
    style()->drawPrimitive(QStyle::PE_PanelLineEdit, &option, &painter, this);
    return true;
  }
  return QPlainTextEdit::event(event);
}

void SourceField::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Escape)
    return event->ignore();
  const bool writes = !event->text().isEmpty() && event->text().front().isPrint() &&
                      !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
  if (writes && !hasSelectedText() && document()->characterCount() > most_) return;
  QPlainTextEdit::keyPressEvent(event);
}

// As in a field of one line: who comes by the keyboard writes over what is there.
void SourceField::focusInEvent(QFocusEvent* event) {
  QPlainTextEdit::focusInEvent(event);
  if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) selectAll();
  update();
}

void SourceField::focusOutEvent(QFocusEvent* event) {
  QPlainTextEdit::focusOutEvent(event);
  // What is chosen in a field that does not have the keyboard looks like something that one did.
  if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason && hasSelectedText())
    setCursorPosition(cursorPosition());
  update();
}

void SourceField::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  fit();
}

// Files are for the window, which opens them.
bool SourceField::canInsertFromMimeData(const QMimeData* source) const {
  return source->hasText() && !source->hasUrls();
}

void SourceField::insertFromMimeData(const QMimeData* source) { insert(source->text()); }

void SourceField::insert(const QString& text) {
  const qsizetype kept = document()->characterCount() - 1 - textCursor().selectedText().size();
  textCursor().insertText(within(inside(text), most_ - kept));
  ensureCursorVisible();
}

}  // namespace headlight
