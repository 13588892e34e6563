#include "widgets/views/kv_cache/kv_cache_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/canvas/text_columns.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

Index KvCacheRun::read(int moment) const {
  const int row = own_row(moment);
  return row < 0 ? map->source(moment).keys : key(row) + 1;
}

Index KvCacheRun::key(int row) const {
  return is_source(row) ? nth(cross->key_of_column, row - own_rows()) : nth(map->key_of_column, row);
}

int KvCacheRun::own_row(int moment) const { return static_cast<int>(map->source(moment).column); }

bool KvCacheRun::is_outside(int moment, int layer, int row) const {
  const Index tokens = read(moment);
  return !is_source(row) && key(row) < tokens - rows_kept(nth(shape.windows, layer), tokens);
}

double KvCacheRun::weight(int moment, Index head, int row) const {
  const AttentionMap& of = is_source(row) ? *cross : *map;
  const Index column = is_source(row) ? row - own_rows() : row;
  if (moment >= of.row_count()) return 0;
  if (head >= 0) return static_cast<double>(of.weight(head, moment, column));
  double sum = 0, most = 0;
  for (Index each = 0; each < of.heads; ++each) {
    const auto weight = static_cast<double>(of.weight(each, moment, column));
    sum += weight;
    most = std::max(most, weight);
  }
  return head == AttentionMap::kMax ? most : sum / static_cast<double>(of.heads);
}

int KvCacheRun::most_read(int moment, Index head) const {
  int best = -1;
  double most = 0;
  for (int row = 0; row < static_cast<int>(map->column_count()); ++row)
    if (const double found = weight(moment, head, row); is_there(moment, row) && found > most) {
      best = row;
      most = found;
    }
  return best;
}

KvCacheCanvas::KvCacheCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void KvCacheCanvas::set_run(std::shared_ptr<const KvCacheRun> run, Index head) {
  const bool first = !run_;
  run_ = std::move(run);
  head_ = head;
  set_hovered({});
  labels_ = run_ ? column_labels(*run_->map) : std::vector<AxisLabel>{};
  if (run_ && run_->cross) std::ranges::copy(column_labels(*run_->cross), std::back_inserter(labels_));
  if (run_)
    largest_ = std::max<double>({1e-12, run_->numbers->largest(layer(), false), run_->numbers->largest(layer(), true)});
  if (run_) moment_ = first ? run_->moments() - 1 : std::clamp(moment_, 0, run_->moments() - 1);
  lay_out();
  announce();
}

void KvCacheCanvas::set_moment(int moment) {
  if (run_ && move_mark(moment_, std::clamp(moment, 0, run_->moments() - 1))) announce();
}

void KvCacheCanvas::set_window(Index window) {
  const bool other_lines = (window > 0) != (window_ > 0);
  window_ = window;
  if (other_lines) return lay_out_at_once();
  viewport()->update();
}

int KvCacheCanvas::group() const {
  return head_ < 0 ? -1 : static_cast<int>(head_ * run_->shape.key_value_heads / run_->shape.heads);
}

QString KvCacheCanvas::token(int row) const { return in_quotes(nth(labels_, row).words()); }

std::vector<KvCacheCanvas::Compared> KvCacheCanvas::compared() const {
  using Kind = CacheChoice::Kind;
  std::vector<Compared> all;
  if (!run_) return all;
  const CacheShape& shape = run_->shape;
  const auto name = [&](const CacheChoice& choice) {
    switch (choice.kind) {
      case Kind::no_window:
        return tr("without windows");
      case Kind::window:
        return tr("a window of %1 tokens").arg(choice.count);
      case Kind::eight_bits:
        return tr("the same in 8 bits");
      default:
        break;
    }
    if (choice.count == 0) return tr("one latent for all heads");
    if (choice.count == 1) return tr("one key-value head for all");
    return choice.count == shape.heads
               ? tr("%1 key-value heads, one for each head").arg(choice.count)
               : tr("%1 key-value heads, each for %2 heads").arg(choice.count).arg(shape.heads / choice.count);
  };
  for (const CacheChoice& choice : cache_choices(shape, run_->read(moment_), run_->bytes(), window_))
    all.push_back({name(choice), choice.bytes, choice.kind == Kind::as_it_is});
  return all;
}

QString KvCacheCanvas::kind_of(int layer) const {
  const CacheShape& shape = run_->shape;
  const Index window = nth(shape.windows, layer);
  QStringList kinds{shape.latent > 0                      ? tr("latent")
                    : shape.key_value_heads < shape.heads ? tr("grouped")
                                                          : tr("whole")};
  if (window > 0) kinds << tr("window of %1").arg(window);
  return with_colon(kinds.join(tr(", ")), byte_size(layer_bytes(shape, layer, run_->read(moment_), run_->bytes())));
}

QString KvCacheCanvas::summary() const {
  const Index read = run_->read(moment_), bytes = run_->bytes();
  QString text = bytes == kFloat32Bytes
                     ? tr("after %1 tokens, in float32; %2 in float16")
                           .arg(read)
                           .arg(byte_size(cache_bytes(run_->shape, read, kFloat16Bytes)))
                     : tr("after %1 tokens, in %2 as its file has them; here they are computed in float32")
                           .arg(QString::number(read), QString::fromStdString(run_->number_type));
  if (run_->shape.reads_source)
    text += tr("; beside them and fixed: %1 of the source")
                .arg(byte_size(source_bytes(run_->shape, run_->source_tokens(), bytes)));
  return text;
}

QString KvCacheCanvas::formula() const {
  const CacheShape& shape = run_->shape;
  Index rows = 0;
  for (const Index window : shape.windows) rows += rows_kept(window, run_->read(moment_));
  const QString counted_rows = shape.has_window()
                                   ? tr("%1 rows that the windows leave (the others are grey)").arg(rows)
                                   : tr("%1 tokens × %2 layers").arg(run_->read(moment_)).arg(shape.layers());
  if (shape.latent > 0)
    return tr("%1 × (%2 numbers of the latent + %3 that are turned) × %4 bytes")
        .arg(counted_rows)
        .arg(shape.latent)
        .arg(shape.latent_rope)
        .arg(run_->bytes());
  return tr("%1 × key and value × %2 heads × %3 numbers × %4 bytes")
      .arg(counted_rows)
      .arg(shape.key_value_heads)
      .arg(shape.head_size)
      .arg(run_->bytes());
}

QString KvCacheCanvas::sentence() const {
  const int most = run_->most_read(moment_, head_);
  if (most < 0) return {};
  const QString said = tr("%1 reads the row of %2 most: %3 of its attention.")
                           .arg(head_place(*run_->map, head_), in_quotes(nth(labels_, most).text),
                                share_percent(run_->weight(moment_, head_, most)));
  const QString first = first_message();
  return first.isEmpty() ? said : said + ' ' + first;
}

// What is still seen of what was said first in a chat; empty: it is none.
QString KvCacheCanvas::first_message() const {
  const int rows = run_->own_rows();
  int begin = 0;
  while (begin < rows && nth(labels_, begin).voice == Voice::none) ++begin;
  int end = begin, kept = 0;
  double share = 0;
  for (; end < rows && nth(labels_, end).voice == nth(labels_, begin).voice; ++end) {
    if (!run_->is_there(moment_, end) || run_->is_outside(moment_, layer(), end)) continue;
    ++kept;
    share += std::max(0.0, run_->weight(moment_, head_, end));
  }
  const QString who = begin < rows ? voice_name(nth(labels_, begin).voice) : QString();
  if (who.isEmpty()) return {};
  return kept == end - begin ? tr("All %1 tokens of the first message (%2) are still there, with %3 of it.")
                                   .arg(QString::number(kept), who, share_percent(share))
                             : tr("%1 of the %2 tokens of the first message (%3) are still there, with %4 of it.")
                                   .arg(QString::number(kept), QString::number(end - begin), who, share_percent(share));
}

QString KvCacheCanvas::name() const {
  return run_ ? tr("Cache of keys and values, %1 layers, %2 tokens").arg(run_->shape.layers()).arg(labels_.size())
              : tr("Cache of keys and values, none");
}

QString KvCacheCanvas::description() const {
  if (!run_) return tr("This model keeps no keys and values of what it writes.");
  QStringList parts{byte_size(cache_bytes(run_->shape, run_->read(moment_), run_->bytes())) + ' ' + summary() + '.'};
  if (const int own = run_->own_row(moment_); own >= 0) parts << tr("New is the row of %1.").arg(token(own));
  parts << sentence();
  for (const Compared& each : compared())
    if (!each.own) parts << with_colon(each.name, byte_size(each.bytes)) + '.';
  return parts.join(' ');
}

QString KvCacheCanvas::place_tooltip(const KvCacheHit& place) const {
  if (!run_) return {};
  const CacheShape& shape = run_->shape;
  switch (place.part) {
    case KvCacheHit::Part::none:
      return {};
    case KvCacheHit::Part::bar:
      return tr(
          "Computed from the settings of this model, for a model that would have been made so. Heads that share "
          "their keys and values need fewer of them (grouped-query attention); a window forgets what is far "
          "behind. What such a model would write is another question.");
    case KvCacheHit::Part::name:
      return tr("%1: a click shows the cache when this token had been read. A row takes %2.")
          .arg(token(place.row), byte_size(static_cast<double>(shape.layers()) * row_bytes(shape, run_->bytes())));
    default:
      break;
  }
  const bool value = place.part == KvCacheHit::Part::value;
  QStringList lines{(value ? tr("Value of %1, %2, key-value head %3: %4 numbers")
                           : tr("Key of %1, %2, key-value head %3: %4 numbers"))
                        .arg(token(place.row), layer_name(place.layer), counted(place.group),
                             QString::number(value ? shape.value_columns() : shape.key_columns()))};
  if (shape.latent > 0)
    lines = {(value ? tr("The part of the key of %1 that is turned, %2: %3 numbers, for all heads")
                    : tr("Latent of %1, %2: %3 numbers, of which all heads make their keys and values"))
                 .arg(token(place.row), layer_name(place.layer),
                      QString::number(value ? shape.value_columns() : shape.key_columns()))};
  else if (const Index shared = shape.heads / shape.key_value_heads; shared > 1)
    lines << tr("It is shared by %1.").arg(heads_of_group(place.group, shared));
  if (run_->is_source(place.row))
    lines << tr("Of the source: it was computed once and stays.");
  else if (!run_->is_there(moment_, place.row))
    lines << tr("It is not there yet: this token is read later.");
  else if (run_->is_outside(moment_, place.layer, place.row))
    lines << tr(
        "The window of this layer has dropped it: the next token does not look at it, and it is not counted. This "
        "program keeps it all the same, and hides it.");
  else if (place.layer == layer() && (group() < 0 || group() == place.group))
    lines << tr("%1 gives it %2 of its attention.")
                 .arg(head_place(*run_->map, head_), share_percent(run_->weight(moment_, head_, place.row)));
  lines << (value ? tr("Values are what is mixed. They were computed when the token was read, and never again.")
                  : tr("Keys are what queries are compared with. Without a cache, all of them would be computed anew "
                       "for every token that is written."));
  return lines.join('\n');
}

QSizeF KvCacheCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!run_) return {};
  const QFontMetricsF words(theme().ui_font()), small(theme().ui_font(type::kSource)),
      number(theme().ui_font(type::kNumber));
  const double scale = theme().font_scale();
  const CacheShape& shape = run_->shape;
  KvCacheLayout::Metrics m;
  m.view = view;
  m.rows = run_->own_rows();
  m.source_rows = run_->rows() - m.rows;
  m.layers = static_cast<int>(shape.layers());
  m.groups = static_cast<int>(shape.kept_heads());
  m.bars = static_cast<int>(compared().size());
  m.chosen = layer();
  m.wanted = 3.0 * static_cast<double>(shape.kept_heads() * shape.key_columns());
  m.margin = view.width() < 700 * scale ? space::kSmall : space::kMargin;
  m.name = std::ceil(std::min(widest_label(labels_, theme().ui_font()), 140 * scale) + space::kMedium);
  m.share = std::ceil(text_width(QStringLiteral(".88"), theme().ui_font()) + 2 * space::kMedium);
  const QFont column = theme().ui_font(type::kSource);
  m.kept = std::ceil(std::max(text_width(byte_size(888.8e3), column) + 2 * space::kMedium,
                              text_width(tr("kept by then"), column) + space::kSmall));
  m.summary = std::ceil(number.height() + 2 * words.height() + space::kSmall);
  m.bar = std::ceil(small.height() + space::kTight);
  m.label = std::ceil(words.height() + 2 * small.height() + space::kMedium);
  m.source_gap = std::ceil(2 * small.height());
  m.least_row = std::ceil(words.height());
  m.most_row = std::ceil(5 * words.height());
  m.least_part = 34 * scale;
  m.most_part = 900 * scale;
  layout_ = KvCacheLayout::of(m);
  return {layout_.width, layout_.height};
}

void KvCacheCanvas::choose(int moment) {
  set_moment(moment);
  if (const int own = run_->own_row(moment_); own >= 0) reveal(layout_.name(own), layout_.row_height);
  emit moved(moment_);
}

void KvCacheCanvas::press_place(const KvCacheHit& place) {
  if (place.part == KvCacheHit::Part::bar) return;
  if (place.layer >= 0 && place.layer != layer()) emit layer_chosen(place.layer);
  for (int moment = 0; moment < run_->moments() && !run_->is_source(place.row); ++moment)
    if (run_->own_row(moment) == place.row) return choose(moment);
}

void KvCacheCanvas::hover_changed() {
  const bool own = run_ && hovered().part != KvCacheHit::Part::bar && !run_->is_source(hovered().row);
  emit hovered_row(own ? hovered().row : -1);
}

QRectF KvCacheCanvas::cursor_rect() const {
  const int own = run_ ? run_->own_row(moment_) : -1;
  return own < 0 ? QRectF() : layout_.row(own);
}

bool KvCacheCanvas::go(int right, int down) {
  if (!run_) return false;
  choose(std::clamp(moment_ + right + down, 0, run_->moments() - 1));
  return true;
}

bool KvCacheCanvas::go_to_other(int by) {
  if (!run_ || run_->map->heads < 2) return false;
  emit other_head(by);
  return true;
}

bool KvCacheCanvas::activate() {
  if (run_) emit opened();
  return run_ != nullptr;
}

}  // namespace headlight
