#include "app/window/lesson_text.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextList>
#include <QUrl>
#include <QWheelEvent>
#include <cmath>

#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

LessonText::LessonText(QWidget* parent) : QTextBrowser(parent) {
  setOpenLinks(false);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusPolicy(Qt::NoFocus);
  document()->setDocumentMargin(0);
  viewport()->setAutoFillBackground(false);
  connect(this, &QTextBrowser::anchorClicked, this,
          [this](const QUrl& url) { emit followed(url.fragment(QUrl::FullyDecoded)); });
  connect(&Theme::instance(), &Theme::changed, this, [this] { fill(); });
}

void LessonText::set_words(const RichText& text, const Value& value, double size, bool strong) {
  text_ = text;
  value_ = value;
  size_ = size;
  strong_ = strong;
  fill();
}

void LessonText::fill() {
  const Theme& theme = Theme::instance();
  setFont(theme.ui_font(size_));
  document()->setDefaultFont(theme.ui_font(size_));
  clear();
  plain_.clear();
  bool links = false;
  QTextCursor cursor(document());
  bool first = true;
  for (const TextBlock& block : text_) {
    bool known = true;
    QStringList pieces;
    for (const TextSpan& span : block.spans) {
      const std::optional<std::string> value =
          span.value ? (value_ ? value_(span) : std::nullopt) : std::optional(span.text);
      known = known && value;
      pieces << (value ? from_utf8(*value) : QString());
    }
    if (!known) continue;
    QTextBlockFormat format;
    format.setBottomMargin(theme.font_scale() * (block.kind == TextBlock::Kind::item ? space::kTight : space::kSmall));
    format.setLineHeight(125, QTextBlockFormat::ProportionalHeight);
    if (block.kind == TextBlock::Kind::item) format.setTextIndent(0), format.setLeftMargin(space::kMedium);
    if (!first) cursor.insertBlock();
    first = false;
    cursor.setBlockFormat(format);
    if (block.kind == TextBlock::Kind::item) cursor.insertText(QStringLiteral("· "), QTextCharFormat());
    for (qsizetype i = 0; i < pieces.size(); ++i) {
      const TextSpan& span = block.spans[static_cast<std::size_t>(i)];
      QTextCharFormat look;
      QFont font = span.code ? theme.token_font(size_) : theme.ui_font(size_);
      // Chinese has no italics: what is meant is strong, like what is strong.
      if (span.strong || span.meant || strong_) font.setWeight(QFont::DemiBold);
      look.setFont(font);
      look.setForeground(tokens().ink);
      if (!span.link.empty()) {
        QUrl url;
        url.setFragment(from_utf8(span.link), QUrl::DecodedMode);
        look.setAnchor(true);
        look.setAnchorHref(url.toString(QUrl::FullyEncoded));
        look.setFontUnderline(true);
        links = true;
      }
      cursor.insertText(pieces[i], look);
    }
    plain_ += (plain_.isEmpty() ? QString() : QStringLiteral("\n")) + pieces.join(QString());
  }
  setTextInteractionFlags(links ? Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard
                                : Qt::TextSelectableByMouse);
  setFocusPolicy(links ? Qt::StrongFocus : Qt::NoFocus);
  setAccessibleDescription(plain_);
  fit();
}

void LessonText::fit() {
  document()->setTextWidth(viewport()->width());
  const int wanted = plain_.isEmpty() ? 0 : static_cast<int>(std::ceil(document()->size().height())) + 2;
  if (wanted != height() || minimumHeight() != wanted) setFixedHeight(wanted);
}

void LessonText::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  fit();
}

void LessonText::wheelEvent(QWheelEvent* event) { event->ignore(); }

void LessonText::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (event->type() == QEvent::FontChange) fit();
}

}  // namespace headlight
