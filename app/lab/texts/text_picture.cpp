#include "app/lab/texts/text_picture.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/language.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kMostRows = 7, kLeastRows = 3;
constexpr double kMostLine = 39, kBarHeight = 10, kModelBlue = 0.75;

QString with_groups(Index count) { return QLocale(current_language()).toString(static_cast<qlonglong>(count)); }

QString perplexity_text(double value) { return is_measured(value) ? plain_number(value) : QString(); }

}  // namespace

TextPicture::TextPicture(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) {
  twin_.setSourceModel(&table_);
  announce();
}

void TextPicture::show_text(Shown shown) {
  const QString said = description();
  shown_ = std::move(shown);
  const bool measured = shown_.run && !shown_.run->moments.empty();
  if (measured) shown_.handle = std::clamp(shown_.handle, 0, shown_.run->count() - 1);
  bars_ = text_bars(shown_.counted, measured ? shown_.run->at(shown_.handle).perplexity : kNotMeasured);
  lay_out_at_once();
  const auto count = static_cast<int>(cursor_.kind == Kind::row ? rows_.size() : bars_.size());
  if (cursor_.at >= count) cursor_ = {};
  if (cursor_.kind == Kind::none && places() > 0) cursor_ = nth_place(0);
  show_table();
  viewport()->update();
  if (description() != said) announce();
}

void TextPicture::set_full(double full) {
  if (std::exchange(shown_.full, full) != full) viewport()->update();
}

QString TextPicture::bar_name(const TextBar& bar) {
  switch (bar.order) {
    case 0:
      return tr("this model");
    case 1:
      return tr("letters alone");
    case 2:
      return tr("pairs");
    default:
      return tr("%1 in a row").arg(bar.order);
  }
}

QString TextPicture::written(int row) const {
  const int moment = rows_[static_cast<std::size_t>(row)].moment;
  return moment < 0 || !shown_.written ? QString() : shown_.written(moment);
}

QString TextPicture::read_text(int row) const {
  const int moment = rows_[static_cast<std::size_t>(row)].moment;
  return moment < 0 ? QString() : with_groups(shown_.run->at(moment).read);
}

void TextPicture::show_table() {
  const auto rows = static_cast<int>(rows_.size());
  const auto moment = [this](int row) { return rows_[static_cast<std::size_t>(row)].moment; };
  const auto bar = [this, rows](int row) -> const TextBar& { return bars_[static_cast<std::size_t>(row - rows)]; };
  const auto by = [=](int row) -> QVariant { return row < rows ? tr("this model") : bar_name(bar(row)); };
  const auto read = [=, this](int row) -> QVariant {
    return row < rows && moment(row) >= 0 ? QVariant(static_cast<qlonglong>(shown_.run->at(moment(row)).read))
                                          : QVariant();
  };
  const auto writes = [=, this](int row) -> QVariant { return row < rows ? written(row) : QString(); };
  const auto perplexity = [=, this](int row) -> QVariant {
    const double value = row >= rows        ? bar(row).perplexity
                         : moment(row) >= 0 ? shown_.run->at(moment(row)).perplexity
                                            : kNotMeasured;
    return is_measured(value) ? QVariant(value) : QVariant();
  };
  table_.set(
      places(),
      {{tr("by"), by}, {tr("characters read"), read}, {tr("what it writes"), writes}, {tr("perplexity"), perplexity}});
}

// --- where things stand

QSizeF TextPicture::arrange(QSizeF view) {
  const QFont words = theme().ui_font(), small = theme().ui_font(type::kSource);
  const double least = std::ceil(Theme::line_height(words)) + space::kTight;
  head_ = least;
  const auto bars = static_cast<int>(bars_.size());
  const int others = bars > 0 ? bars + 1 : 0;
  const bool measured = shown_.run && !shown_.run->moments.empty();
  const int fits = std::clamp(static_cast<int>((view.height() - head_) / least) - others, kLeastRows, kMostRows);
  std::vector<TextRow> rows = measured ? text_rows(*shown_.run, shown_.handle, fits) : std::vector<TextRow>();
  const bool others_stand = std::exchange(rows_, std::move(rows)).size() != rows_.size();
  line_ = std::clamp((view.height() - head_) / std::max(1, fits + others), least, kMostLine);
  bars_top_ = head_ + fits * line_ + (bars > 0 ? line_ : 0);
  left_ = text_width(tr("characters read"), small);
  for (const TextBar& bar : bars_) left_ = std::max(left_, text_width(bar_name(bar), words));
  left_ += space::kMargin;
  right_ =
      std::max(text_width(tr("perplexity"), small), text_width(QStringLiteral("00.00"), bold_font())) + space::kLarge;
  width_ = std::max(view.width(), left_ + right_ + left_);
  if (others_stand) show_table();
  return {width_, bars > 0 ? bars_top_ + bars * line_ : bars_top_};
}

QRectF TextPicture::rect(const TextPlace& place) const {
  if (place.kind == Kind::none) return {};
  const double top = place.kind == Kind::row ? head_ : bars_top_;
  return {0, top + place.at * line_, width_, line_};
}

TextPlace TextPicture::nth_place(int at) const {
  const auto rows = static_cast<int>(rows_.size());
  return at < rows ? TextPlace{Kind::row, at} : TextPlace{Kind::bar, at - rows};
}

TextPlace TextPicture::place_at(QPointF point) const {
  for (int at = 0; at < places(); ++at)
    if (rect(nth_place(at)).contains(point)) return nth_place(at);
  return {};
}

QRectF TextPicture::bar_rect(int bar) const {
  const QRectF place = rect({Kind::bar, bar});
  const QRectF room(left_, place.center().y() - kBarHeight / 2, width_ - left_ - right_ - space::kMargin, kBarHeight);
  const double full = shown_.full > 0 ? shown_.full : full_bar(bars_);
  const double share = full > 0 ? std::log(std::max(1.0, bars_[static_cast<std::size_t>(bar)].perplexity)) / full : 0;
  return {room.left(), room.top(), room.width() * std::clamp(share, 0.0, 1.0), room.height()};
}

bool TextPicture::is_cut(int bar) const {
  const double full = shown_.full > 0 ? shown_.full : full_bar(bars_);
  return full > 0 && std::log(std::max(1.0, bars_[static_cast<std::size_t>(bar)].perplexity)) > full;
}

// --- the keyboard and the mouse

bool TextPicture::is_pressable(const TextPlace& place) const {
  return place.kind == Kind::row && rows_[static_cast<std::size_t>(place.at)].moment >= 0;
}

void TextPicture::move_to(const TextPlace& place) {
  cursor_ = place;
  reveal(rect(cursor_));
  choice_changed();
  if (is_pressable(place)) emit chosen(rows_[static_cast<std::size_t>(place.at)].moment);
}

bool TextPicture::go(int, int down) {
  if (places() == 0) return false;
  const auto rows = static_cast<int>(rows_.size());
  const int at = cursor_.kind == Kind::bar ? rows + cursor_.at : cursor_.at;
  move_to(nth_place(std::clamp(at + std::clamp(down, -places(), places()), 0, places() - 1)));
  return true;
}

QString TextPicture::empty_text() const { return places() > 0 ? QString() : shown_.empty; }

QString TextPicture::name() const {
  return shown_.title.isEmpty() ? tr("What a model writes, empty")
                                : tr("What the model of %1 writes").arg(in_quotes(shown_.title));
}

QString TextPicture::place_tooltip(const TextPlace& place) const {
  if (place.kind == Kind::bar) {
    const TextBar& bar = bars_[static_cast<std::size_t>(place.at)];
    return tr("%1: perplexity %2 of a character of the last tenth, which nobody learned from. The bar is as long as "
              "its "
              "logarithm.")
        .arg(bar_name(bar), perplexity_text(bar.perplexity));
  }
  if (place.kind != Kind::row) return {};
  const int moment = rows_[static_cast<std::size_t>(place.at)].moment;
  if (moment < 0) return tr("The training has not come so far.");
  const QString perplexity = perplexity_text(shown_.run->at(moment).perplexity);
  const QString read = tr("after %1 characters: %2").arg(read_text(place.at), written(place.at));
  return perplexity.isEmpty() ? read : tr("%1 (perplexity %2)").arg(read, perplexity);
}

QString TextPicture::description() const {
  if (places() == 0) return shown_.empty;
  return place_tooltip(cursor_);
}

Figure TextPicture::figure() {
  return {picture_size(), [this](QPainter& painter) { paint_picture(painter); }, name(), &twin_};
}

// --- the picture

void TextPicture::paint(QPainter& painter, const QRectF&, bool marks) const {
  if (places() == 0) return;
  painter.setRenderHint(QPainter::Antialiasing);
  paint_heads(painter);
  for (int row = 0; row < static_cast<int>(rows_.size()); ++row) paint_row(painter, row);
  for (int bar = 0; bar < static_cast<int>(bars_.size()); ++bar) paint_bar(painter, bar);
  if (marks && is_pressable(hovered()))
    draw_box(painter, rect(hovered()).adjusted(1, 1, -1, -1), radius::kCell, QPen(theme().hover(), 1));
}

void TextPicture::paint_heads(QPainter& painter) const {
  const QFont small = theme().ui_font(type::kSource);
  const QColor ink = tokens().ink2;
  const QRectF head(0, 0, width_, head_);
  if (!rows_.empty()) {
    write_line(painter, head, kLeft, tr("characters read"), small, ink);
    write_line(painter, head.adjusted(left_, 0, -right_, 0), kLeft, tr("what it writes"), small, ink);
    write_line(painter, head.adjusted(width_ - right_, 0, -space::kSmall, 0), kRight, tr("perplexity"), small, ink);
  } else {
    write_line(painter, head, kLeft, shown_.empty, small, ink);
  }
  if (bars_.empty()) return;
  const QRectF foot(0, bars_top_ - line_, width_, line_);
  const QString title = tr("Counting does it too");
  write_line(painter, foot, kLeft, title, bold_font(), tokens().ink);
  write_line(painter, foot.adjusted(text_width(title, bold_font()) + space::kMargin, 0, 0, 0), kLeft,
             tr("perplexity on the last tenth: as if so many characters were equally likely"), small, ink);
}

void TextPicture::paint_row(QPainter& painter, int row) const {
  const TextRow& of = rows_[static_cast<std::size_t>(row)];
  if (of.moment < 0) return;
  const QRectF place = rect({Kind::row, row});
  if (of.handle) draw_box(painter, place.adjusted(0, 2, 0, -2), radius::kButton, Qt::NoPen, tokens().wash);
  const QFont digits = of.handle ? bold_font() : theme().ui_font();
  const QColor ink = tokens().ink;
  write_line(painter, QRectF(0, place.top(), left_ - space::kMargin, place.height()), kRight, read_text(row), digits,
             of.handle ? tokens().accent : ink);
  const QRectF text = place.adjusted(left_, 0, -right_, 0);
  write_line(painter, text, kLeft, written(row), theme().token_font(type::kText), ink);
  write_line(painter, place.adjusted(width_ - right_, 0, -space::kSmall, 0), kRight,
             perplexity_text(shown_.run->at(of.moment).perplexity), digits, ink);
}

void TextPicture::paint_bar(QPainter& painter, int bar) const {
  const TextBar& of = bars_[static_cast<std::size_t>(bar)];
  const bool model = of.order == 0;
  const QRectF place = rect({Kind::bar, bar}), drawn = bar_rect(bar);
  const QFont words = model ? bold_font() : theme().ui_font();
  write_line(painter, QRectF(0, place.top(), left_ - space::kSmall, place.height()), kLeft, bar_name(of), words,
             tokens().ink);
  draw_box(painter, drawn, radius::kCell, Qt::NoPen, model ? theme().weight(kModelBlue) : tokens().ink2);
  if (is_cut(bar))
    write_line(painter, QRectF(drawn.right() + space::kTight, place.top(), space::kMargin, place.height()), kLeft,
               QStringLiteral("…"), words, tokens().ink2);
  write_line(painter, place.adjusted(width_ - right_, 0, -space::kSmall, 0), kRight, perplexity_text(of.perplexity),
             words, tokens().ink);
}

}  // namespace headlight
