#include "app/classroom/lesson_text.h"

#include <QEvent>
#include <QTextCursor>
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
  Theme::instance().restyles(this, [this] { fill(); });
}

void LessonText::set_words(const RichText& text, const Value& value, double size, bool strong) {
  text_ = text;
  value_ = value;
  size_ = size;
  strong_ = strong;
  fill();
}

QString write_words(QTextDocument& document, const RichText& text, const LessonValue& value, double size, bool strong,
                    bool* links) {
  const Theme& theme = Theme::instance();
  document.setDefaultFont(theme.ui_font(size));
  QString plain;
  QTextCursor cursor(&document);
  bool first = true;
  for (const TextBlock& block : text) {
    bool known = true;
    QStringList pieces;
    for (const TextSpan& span : block.spans) {
      const std::optional<std::string> found =
          span.value ? (value ? value(span) : std::nullopt) : std::optional(span.text);
      known = known && found;
      // A sign of percent stays with its number.
      pieces << (found ? from_utf8(*found).replace(QStringLiteral(" %"), QStringLiteral("\u00a0%")) : QString());
    }
    if (!known) continue;
    QTextBlockFormat format;
    format.setBottomMargin(theme.font_scale() * (block.kind == TextBlock::Kind::item ? space::kTight : space::kSmall));
    format.setLineHeight(Theme::line_height(document.defaultFont()), QTextBlockFormat::FixedHeight);
    if (block.kind == TextBlock::Kind::item) format.setLeftMargin(space::kMedium);
    if (!first) cursor.insertBlock();
    first = false;
    cursor.setBlockFormat(format);
    QTextCharFormat plain_look;
    plain_look.setForeground(tokens().ink);
    if (block.kind == TextBlock::Kind::item) cursor.insertText(QStringLiteral("· "), plain_look);
    for (qsizetype i = 0; i < pieces.size(); ++i) {
      const TextSpan& span = block.spans[static_cast<std::size_t>(i)];
      QTextCharFormat look;
      QFont font = span.code ? theme.token_font(size) : theme.ui_font(size);
      // Chinese has no italics: what is meant is strong, like what is strong.
      if (span.strong || span.meant || strong) font.setWeight(QFont::DemiBold);
      look.setFont(font);
      look.setForeground(tokens().ink);
      if (!span.link.empty() && links) {
        QUrl url;
        url.setFragment(from_utf8(span.link), QUrl::DecodedMode);
        look.setAnchor(true);
        look.setAnchorHref(url.toString(QUrl::FullyEncoded));
        look.setFontUnderline(true);
        *links = true;
      }
      cursor.insertText(pieces[i], look);
    }
    plain += (plain.isEmpty() ? QString() : QStringLiteral("\n")) +
             pieces.join(QString()).replace(QChar::Nbsp, QLatin1Char(' '));
  }
  return plain;
}

void LessonText::fill() {
  setFont(Theme::instance().ui_font(size_));
  clear();
  bool links = false;
  plain_ = write_words(*document(), text_, value_, size_, strong_, &links);
  setTextInteractionFlags(links ? Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard
                                : Qt::TextSelectableByMouse);
  setFocusPolicy(links ? Qt::StrongFocus : Qt::NoFocus);
  setAccessibleName(tr("Words of the lesson"));
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
