// The source as a strip of tokens.
#include "widgets/views/token_strip.h"

#include <QFontMetricsF>
#include <QHash>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "widgets/base/export.h"
#include "widgets/base/theme.h"
#include "widgets/items/what_if_menu.h"

namespace headlight {
namespace {

constexpr int kLinesInHint = 4;

QFont chip_font() { return Theme::instance().token_font(1.05); }

TokenStripLayout::Metrics metrics_for(double width, bool brackets) {
  TokenStripLayout::Metrics metrics;
  metrics.width = width;
  const double line = QFontMetricsF(chip_font()).height();
  metrics.chip_height = std::ceil(line + 10);
  metrics.minimum_chip = std::ceil(line + 4);
  if (brackets) metrics.bracket = 6;
  return metrics;
}

}  // namespace

TokenStrip::TokenStrip(Selection* selection, QWidget* parent) : QAbstractScrollArea(parent), selection_(selection) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  viewport()->setMouseTracking(true);
  connect(selection_, &Selection::changed, this, &TokenStrip::follow_selection);
  connect(selection_, &Selection::hovered, this, [this] {
    update_tint();
    viewport()->update();
  });
  connect(selection_, &Selection::wordsChanged, this, [this] {
    arrange();
    updateGeometry();
  });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    measure();
    arrange();
  });
  measure();
  announce();
}

void TokenStrip::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  texts_.clear();
  words_.clear();
  if (result_) {
    std::vector<std::string> texts;
    std::vector<AttentionToken> axis;
    for (const TextToken& token : result_->tokens) {
      axis.push_back({token.text, {}, static_cast<int>(texts.size()), -1, token.padding});
      texts.push_back(token.text);
    }
    texts_ = token_texts(texts);
    words_ = word_groups(*result_, axis, false);
    std::erase_if(words_, [&](const TokenGroup& word) {
      return word.count < 2 || axis[static_cast<std::size_t>(word.first)].padding;
    });
  }
  if (cursor_ >= token_count()) cursor_ = -1;
  measure();
  arrange();
  update_tint();
  announce();
}

void TokenStrip::set_tinted(bool tinted) {
  tinted_ = tinted;
  update_tint();
  viewport()->update();
}

void TokenStrip::measure() {
  const QFontMetricsF metrics(chip_font());
  QHash<QString, double> known;
  widths_.clear();
  for (const TokenText& token : texts_) {
    auto width = known.find(token.text);
    if (width == known.end()) width = known.insert(token.text, metrics.horizontalAdvance(token.text));
    widths_.push_back(*width);
  }
}

TokenStripLayout TokenStrip::layout_for(double width) const {
  return TokenStripLayout::of(widths_, metrics_for(width, selection_->words() && !words_.empty()));
}

void TokenStrip::arrange() {
  const int lines_before = layout_.lines;
  const QSize whole = maximumViewportSize();
  layout_ = layout_for(whole.width());
  if (layout_.height > whole.height()) layout_ = layout_for(whole.width() - verticalScrollBar()->sizeHint().width());
  const int hidden = std::max(0, static_cast<int>(std::ceil(layout_.height)) - whole.height());
  verticalScrollBar()->setRange(0, hidden);
  verticalScrollBar()->setPageStep(whole.height());
  verticalScrollBar()->setSingleStep(static_cast<int>(metrics_for(0, false).chip_height));
  if (layout_.lines != lines_before) updateGeometry();
  viewport()->update();
}

void TokenStrip::follow_selection() {
  const auto token = selection_->state().source_token;
  cursor_ = token && *token >= 0 && *token < token_count() ? *token : -1;
  if (cursor_ >= 0 && cursor_ < static_cast<int>(layout_.chips.size())) {
    const QRectF chip = layout_.chips[static_cast<std::size_t>(cursor_)];
    QScrollBar& bar = *verticalScrollBar();
    if (chip.top() < bar.value()) bar.setValue(static_cast<int>(chip.top()) - 4);
    if (chip.bottom() > bar.value() + viewport()->height())
      bar.setValue(static_cast<int>(chip.bottom()) + 4 - viewport()->height());
  }
  update_tint();
  announce();
  viewport()->update();
}

void TokenStrip::update_tint() {
  weights_.clear();
  const auto step = selection_->hovered_step() ? selection_->hovered_step() : selection_->state().step;
  if (!tinted_ || !result_ || !result_->trace || !step) return;
  const Tensor weights = result_->trace->value("decoder.step[" + std::to_string(*step) + "].attention.weights");
  if (!weights.defined()) return;
  for (const int position : result_->position_of_token)
    weights_.push_back(position < 0 || position >= weights.size() ? 0 : static_cast<double>(weights[position]));
}

void TokenStrip::select(int token) {
  if (token < 0 || token >= token_count()) return;
  SelectionState state;
  state.source_token = token;
  state.step = selection_->state().step;  // the cell, if one was selected, is another one now
  selection_->set(state);
  if (cursor_ != token) follow_selection();
}

QString TokenStrip::token_tooltip(int token) const {
  if (token < 0 || token >= token_count()) return {};
  const TextToken& shown = result_->tokens[static_cast<std::size_t>(token)];
  const TokenText& text = texts_[static_cast<std::size_t>(token)];
  const QString name = text.name == text.text ? QStringLiteral("‘%1’").arg(text.text) : text.name;
  if (!shown.id) return tr("%1 is not in this model's vocabulary; it is left out.").arg(name);
  QString tip =
      shown.padding
          ? tr("Padding (%1): short sources are filled up to the length that the model was trained on.").arg(name)
          : tr("%1, token %2 of the source.").arg(name).arg(token + 1);
  if (shown.unknown) tip += '\n' + tr("It is not in this model's vocabulary and read as an unknown word.");
  const int position = result_->position_of_token[static_cast<std::size_t>(token)];
  if (position >= 0)
    tip +=
        '\n' + tr("The encoder reads it as number %1 of %2.").arg(position + 1).arg(result_->token_of_position.size());
  if (static_cast<int>(weights_.size()) > token)
    tip += '\n' + tr("Attention weight at the marked step: %1.")
                      .arg(QString::number(weights_[static_cast<std::size_t>(token)], 'g', 6));
  return tip;
}

void TokenStrip::announce() {
  if (accessibleName().isEmpty()) setAccessibleName(tr("Source tokens"));
  const QString description = cursor_ >= 0 ? token_tooltip(cursor_) : tr("%n token(s)", nullptr, token_count());
  if (description != accessibleDescription()) setAccessibleDescription(description);
}

void TokenStrip::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  painter.fillRect(event->rect(), Theme::instance().background());
  const double scrolled = verticalScrollBar()->value();
  painter.translate(0, -scrolled);
  paint(painter, layout_, QRectF(event->rect()).translated(0, scrolled), true);
}

void TokenStrip::paint(QPainter& painter, const TokenStripLayout& layout, const QRectF& clip, bool marks) const {
  painter.setRenderHint(QPainter::Antialiasing);
  if (texts_.empty()) {
    painter.setFont(Theme::instance().ui_font());
    painter.setPen(Theme::instance().muted_text());
    painter.drawText(QRectF(12, 0, layout.width - 24, layout.height),
                     static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), tr("The tokens of the source appear here."));
    return;
  }
  for (std::size_t i = 0; i < layout.chips.size(); ++i)
    if (layout.chips[i].intersects(clip)) paint_chip(painter, static_cast<int>(i), layout.chips[i], marks);
  if (layout.bracket > 0) paint_brackets(painter, layout);
}

void TokenStrip::paint_brackets(QPainter& painter, const TokenStripLayout& layout) const {
  painter.setPen(QPen(Theme::instance().muted_text(), 1.2));
  for (const TokenGroup& word : words_)
    for (const QRectF& rect : layout.brackets(static_cast<int>(word.first), static_cast<int>(word.count))) {
      const QRectF box = rect.adjusted(1, 1.5, -1, -1);
      const QPointF corners[] = {box.bottomLeft(), box.topLeft(), box.topRight(), box.bottomRight()};
      painter.drawPolyline(corners, 4);
    }
}

void TokenStrip::paint_chip(QPainter& painter, int token, const QRectF& rect, bool marks) const {
  const Theme& theme = Theme::instance();
  const auto at = static_cast<std::size_t>(token);
  const TextToken& shown = result_->tokens[at];
  const bool left_out = !shown.id, unknown = left_out || shown.unknown,
             muted = shown.padding || texts_[at].stand_in || texts_[at].special;
  const bool tinted = at < weights_.size() && !left_out;
  const QColor fill = tinted ? theme.weight(weights_[at]) : shown.padding ? theme.background() : theme.panel();
  const bool selected = marks && token == cursor_;
  const bool hovered = marks && selection_->hovered_token() == token;
  const QRectF box = rect.adjusted(0.5, 0.5, -0.5, -0.5);
  QPen border(selected  ? theme.accent()
              : hovered ? theme.hover()
              : unknown ? theme.warning()
                        : theme.grid(),
              selected  ? 2
              : hovered ? 1.6
                        : 1);
  if (shown.padding && !selected && !hovered) border.setStyle(Qt::DotLine);
  painter.setPen(border);
  painter.setBrush(fill);
  painter.drawRoundedRect(box, 4, 4);
  if (selected && hasFocus()) {
    painter.setPen(QPen(theme.accent(), 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), 2, 2);
  }
  QColor ink = unknown  ? theme.warning()
               : tinted ? Theme::readable_on(fill)
               : muted  ? theme.muted_text()
                        : theme.text();
  if (muted && !unknown) ink.setAlphaF(0.65f);
  QFont font = chip_font();
  font.setUnderline(unknown);
  font.setItalic(texts_[at].special);
  painter.setFont(font);
  painter.setPen(ink);
  const QRectF inner = rect.adjusted(3, 0, -3, 0);
  const bool fits = widths_[at] <= inner.width();
  painter.drawText(
      inner, static_cast<int>(Qt::AlignCenter | Qt::TextSingleLine),
      fits ? texts_[at].text : QFontMetricsF(font).elidedText(texts_[at].text, Qt::ElideMiddle, inner.width()));
}

void TokenStrip::resizeEvent(QResizeEvent*) { arrange(); }

void TokenStrip::mouseMoveEvent(QMouseEvent* event) {
  const int token = layout_.chip_at(event->position() + QPointF(0, verticalScrollBar()->value()));
  selection_->hover(token < 0 ? std::nullopt : std::optional(token), std::nullopt);
}

void TokenStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const int token = layout_.chip_at(event->position() + QPointF(0, verticalScrollBar()->value()));
  if (token < 0) return;
  select(token);
  emit tokenActivated(token);
}

void TokenStrip::keyPressEvent(QKeyEvent* event) {
  const int last = token_count() - 1;
  if (last < 0) return QAbstractScrollArea::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      return select(std::max(0, cursor_ - 1));
    case Qt::Key_Right:
      return select(std::min(last, cursor_ + 1));
    case Qt::Key_Up:
      return select(cursor_ < 0 ? 0 : layout_.chip_in_line(cursor_, -1));
    case Qt::Key_Down:
      return select(cursor_ < 0 ? 0 : layout_.chip_in_line(cursor_, 1));
    case Qt::Key_Home:
      return select(0);
    case Qt::Key_End:
      return select(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (cursor_ >= 0) return emit tokenActivated(cursor_);
      break;
    default:
      break;
  }
  event->ignore();
}

void TokenStrip::contextMenuEvent(QContextMenuEvent* event) {
  const bool mouse = event->reason() == QContextMenuEvent::Mouse;
  const int token = mouse ? layout_.chip_at(event->pos() + QPointF(0, verticalScrollBar()->value())) : cursor_;
  if (!requests_ || !result_ || token < 0) return event->ignore();
  select(token);
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  add_token_actions(menu, *result_, token, requests_);
  const QRectF chip = layout_.chips[static_cast<std::size_t>(token)];
  menu->popup(mouse ? event->globalPos()
                    : viewport()->mapToGlobal((chip.center() - QPointF(0, verticalScrollBar()->value())).toPoint()));
}

void TokenStrip::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void TokenStrip::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

void TokenStrip::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    setAccessibleName({});
    announce();
    viewport()->update();
  }
  QAbstractScrollArea::changeEvent(event);
}

bool TokenStrip::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) selection_->hover(std::nullopt, std::nullopt);
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const int token = layout_.chip_at(help->pos() + QPoint(0, verticalScrollBar()->value()));
  QToolTip::showText(help->globalPos(), plain_tooltip(token_tooltip(token)), viewport());
  return true;
}

void TokenStrip::export_to(const QString& path) const {
  const TokenStripLayout layout = layout_for(std::max(200, viewport()->width()));
  const QSize size(static_cast<int>(layout.width), static_cast<int>(std::ceil(layout.height)));
  PictureOptions options;
  options.title = accessibleName();
  export_picture(
      path, size,
      [&](QPainter& painter) {
        painter.fillRect(QRect(QPoint(), size), Theme::instance().background());
        paint(painter, layout, QRectF(QPointF(), size), true);
      },
      options);
}

QSize TokenStrip::sizeHint() const { return {640, heightForWidth(std::max(320, width()))}; }

QSize TokenStrip::minimumSizeHint() const { return {160, heightForWidth(100000)}; }

int TokenStrip::heightForWidth(int width) const {
  const TokenStripLayout::Metrics metrics = metrics_for(width, selection_->words() && !words_.empty());
  const double most = 2 * metrics.margin + kLinesInHint * (metrics.chip_height + metrics.gap + metrics.bracket);
  return static_cast<int>(std::ceil(std::min(most, layout_for(width).height)));
}

}  // namespace headlight
