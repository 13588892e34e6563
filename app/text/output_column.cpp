#include "app/text/output_column.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/parts.h"
#include "model/decode/run.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/canvas.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/matrix/row_picture.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/text/trace_labels.h"
#include "widgets/text/vector_words.h"

namespace headlight {

namespace {

constexpr int kBar = 40, kLongestBar = 108, kGap = 10;
constexpr int kFromPicture = space::kLarge;  // free beside the picture
constexpr int kInLine = 16;                  // numbers of a vector
constexpr double kWorthTelling = 0.05;       // of another candidate

QFont written_font(bool characters, double scale) {
  QFont font = Theme::instance().text_font(characters, scale);
  font.setWeight(QFont::DemiBold);
  return font;
}
// As large as in a title, where the rows are high enough that no letter stands on the next one.
QFont font_in_rows(bool letters, double row) {
  constexpr double kAir = 1.25;
  const QFont large = written_font(letters, letters ? type::kQuestion / type::kTitle : type::kTitle);
  if (kAir * QFontMetricsF(large).capHeight() <= row) return large;
  return written_font(letters, letters ? type::kText / type::kTitle : type::kText);
}
QFont share_font() { return Theme::instance().ui_font(); }
QFont caption_font() { return Theme::instance().ui_font(type::kSource); }
QFont head_font() { return Theme::instance().ui_font(type::kHead); }

bool single(const Result& result) {
  return std::ranges::all_of(result.steps, [](const OutputStep& step) {
    const TokenText token = token_text(step.text);
    return token.special || token.text.size() <= 1;
  });
}

// The runner-up beside each row, where it is worth telling.
QString other_than(const OutputStep& step) {
  for (const Candidate& other : step.top)
    if (other.id != step.id)
      return other.probability < kWorthTelling
                 ? QString()
                 : QStringLiteral("%1 %2").arg(token_text(other.text).text, bare_percent(other.probability));
  return {};
}

// The first numbers of it, as many as there is room for: half a number would be another one.
QString whole_numbers(const TextVector& vector, double width) {
  int count = 4;
  while (count > 1 && text_width(first_numbers(vector, count), caption_font()) > width) --count;
  return first_numbers(vector, count);
}

}  // namespace

OutputColumn::OutputColumn(Selection* selection, ViewRequests* requests, QWidget* parent)
    : QWidget(parent), selection_(selection), requests_(requests) {
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Ignored);
  connect(selection_, &Selection::changed, this, qOverload<>(&QWidget::update));
  connect(selection_, &Selection::hovered, this, qOverload<>(&QWidget::update));
  connect(&Theme::instance(), &Theme::changed, this, &OutputColumn::measure);
  on_language(this, [this] { announce(); });
}

void OutputColumn::follow(RowPicture* picture) {
  pictures_.push_back(picture);
  connect(picture->heatmap(), &Heatmap::painted, this, qOverload<>(&QWidget::update));
}

void OutputColumn::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  measure();
  announce();
}

void OutputColumn::set_visible_steps(int count) {
  if (count == visible_steps_) return;
  visible_steps_ = count;
  update();
}

double OutputColumn::line_height() const {
  return std::ceil(QFontMetricsF(written_font(true, type::kQuestion / type::kTitle)).height()) + space::kTight;
}

void OutputColumn::measure() {
  widest_ = 0;
  if (result_) {
    const bool letters = single(*result_);
    const QFont font = written_font(letters, letters ? type::kQuestion / type::kTitle : type::kTitle);
    for (const OutputStep& step : result_->steps)
      widest_ = std::max(widest_, text_width(token_text(step.text).text, font));
  }
  widest_ = std::min(widest_, 14 * text_width(QStringLiteral("m"), share_font()));
  if (const QSize hint = sizeHint(); hint != std::exchange(hint_, hint)) updateGeometry();
  update();
}

QString OutputColumn::head_of(const Result& result) {
  return guesses_hidden_words(result) ? tr("guessed, and how sure (%)")
         : result.model->text.answers ? tr("answer: from, to (%)")
         : result.model->on_top       ? tr("class, and how sure (%)")
                                      : tr("wrote, and how sure (%)");
}

QSize OutputColumn::sizeHint() const {
  const double needed =
      widest_ + kBar + text_width(QStringLiteral("99.9"), share_font()) + 2 * kGap + kFromPicture + space::kMargin;
  const double scale = Theme::instance().font_scale();
  const double head = result_ ? kFromPicture + text_width(head_of(*result_), head_font()) + space::kMargin : 0;
  // What is said of the text as a whole has room for its words.
  double said = 0;
  if (result_ && !result_->vectors.empty()) {
    said = std::max(text_width(vector_title(result_->vectors.front().kind), strong_font()),
                    text_width(vector_summary(result_->vectors.front()), share_font())) +
           kFromPicture + space::kMargin;
  }
  return {static_cast<int>(std::ceil(std::clamp(std::max({needed, said, head}), 150 * scale, 330 * scale))), 100};
}

// The ground of a chosen row hangs out on both sides of what stands in it.
QRectF OutputColumn::ground_of(const QRectF& row) const {
  return row.adjusted(kFromPicture - space::kSmall, 1, space::kSmall - space::kMargin, -1);
}

std::vector<OutputColumn::Row> OutputColumn::rows() const {
  std::vector<Row> found;
  if (!result_ || result_->steps.empty()) return found;
  for (RowPicture* picture : pictures_) {
    if (!picture->is_seen_in(window())) continue;
    const AttentionMap* map = picture->map_shown();
    const auto count = static_cast<int>(result_->steps.size());
    // A model that guesses hidden words has a step for each token.
    const bool guesses = guesses_hidden_words(*result_) && result_->steps.size() == result_->tokens.size();
    const auto step_of = [&](const AttentionToken& row) { return guesses ? row.token : row.step; };
    const auto writes = [&](const AttentionToken& row) { return step_of(row) >= 0 && step_of(row) < count; };
    if (!map || std::ranges::none_of(map->rows, writes)) continue;
    const Heatmap& cells = *picture->heatmap();
    const HeatmapLayout& layout = cells.heatmap_layout();
    const double down = mapFromGlobal(cells.mapToGlobal(QPoint())).y();
    for (Index row = 0; row < map->row_count() && row < layout.rows; ++row) {
      const AttentionToken& token = map->rows[static_cast<std::size_t>(row)];
      const QRectF cell = layout.cell_rect(static_cast<int>(row), 0);
      if (cell.center().y() < layout.cells.top() || cell.center().y() > layout.cells.bottom()) continue;
      if (!writes(token)) continue;
      found.push_back({step_of(token), QRectF(0, cell.top() + down, width(), cell.height())});
    }
    return found;
  }
  const double top = line_height() + space::kSmall;
  const double high =
      std::clamp((height() - top) / static_cast<double>(result_->steps.size()), 1.0, 1.25 * line_height());
  for (int step = 0; step < static_cast<int>(result_->steps.size()); ++step)
    found.push_back({step, QRectF(0, top + step * high, width(), high)});
  return found;
}

QRectF OutputColumn::chosen_row() const {
  for (const Row& row : rows())
    if (selection_->state().step == row.step) return ground_of(row.rect);
  return {};
}

// What is said of the text as a whole: below the rows of the output, or all that there is.
QRectF OutputColumn::vector_place(const std::vector<Row>& shown) const {
  if (!result_ || result_->vectors.empty()) return {};
  const double line = std::ceil(QFontMetricsF(share_font()).height()), top = line_height() + space::kSmall,
               wide = width() - kFromPicture - space::kMargin;
  if (shown.empty()) return {kFromPicture, top, wide, std::max(0.0, height() - top)};
  const double high = 2 * line + space::kSmall,
               from = std::max(shown.back().rect.bottom() + space::kMedium, height() - high - space::kSmall);
  return from + high <= height() ? QRectF(kFromPicture, from, wide, high) : QRectF();
}

// Its numbers in their order, line by line, coloured by sign and size.
QRectF OutputColumn::numbers_place(const QRectF& place) const {
  const Index count = result_->vectors.front().value.size();
  const double line = std::ceil(QFontMetricsF(share_font()).height());
  const QRectF room = place.adjusted(0, 3 * line + space::kMedium, -space::kMedium, 0);
  const auto lines = static_cast<double>((count + kInLine - 1) / kInLine);
  const double cell = std::floor(std::min({room.width() / kInLine, room.height() / lines, 14.0}));
  return cell < 2 ? QRectF() : QRectF(room.left(), room.top(), cell * kInLine, cell * lines);
}

int OutputColumn::number_at(QPointF point) const {
  const std::vector<Row> shown = rows();
  const QRectF place = vector_place(shown);
  if (place.isEmpty() || !shown.empty()) return -1;
  const QRectF numbers = numbers_place(place);
  if (!numbers.contains(point)) return -1;
  const double cell = numbers.width() / kInLine;
  const auto at = static_cast<int>((point.y() - numbers.top()) / cell) * kInLine +
                  static_cast<int>((point.x() - numbers.left()) / cell);
  return at < static_cast<int>(result_->vectors.front().value.size()) ? at : -1;
}

void OutputColumn::paint_vector(QPainter& painter, const QRectF& place, bool whole) const {
  const Tokens& t = tokens();
  const TextVector& vector = result_->vectors.front();
  const double line = std::ceil(QFontMetricsF(share_font()).height());
  const QRectF first(place.left(), place.top(), place.width(), line);
  write_line(painter, first, kLeft, vector_title(vector.kind), strong_font(), t.ink);
  write_line(painter, first.translated(0, line), kLeft, vector_summary(vector), share_font(), t.ink);
  if (!whole) return;
  write_line(painter, first.translated(0, 2 * line), kLeft, whole_numbers(vector, first.width()), caption_font(),
             t.ink2);
  const QRectF numbers = numbers_place(place);
  if (numbers.isEmpty()) return;
  double largest = 0;
  for (Index i = 0; i < vector.value.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(vector.value[i])));
  const double cell = numbers.width() / kInLine;
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (Index i = 0; i < vector.value.size(); ++i)
    painter.fillRect(QRectF(numbers.left() + static_cast<double>(i % kInLine) * cell,
                            numbers.top() + static_cast<double>(i / kInLine) * cell, cell - (cell > 4 ? 1 : 0),
                            cell - (cell > 4 ? 1 : 0)),
                     Theme::instance().signed_value(largest > 0 ? static_cast<double>(vector.value[i]) / largest : 0));
  painter.setRenderHint(QPainter::Antialiasing);
}

void OutputColumn::paintEvent(QPaintEvent*) {
  const std::vector<Row> shown = rows();
  if (const QRectF place = vector_place(shown); !place.isEmpty()) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_vector(painter, place, shown.empty());
  }
  if (shown.empty()) return;
  const Tokens& t = tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double line = QFontMetricsF(share_font()).height();
  // Rows that are too low for a line each show every n-th, and that which is chosen.
  const int stride = std::max(1, static_cast<int>(std::ceil(0.9 * line / std::max(1.0, shown.front().rect.height()))));
  const bool letters = single(*result_);
  const QFont written = font_in_rows(letters, stride * shown.front().rect.height());
  const double number = text_width(QStringLiteral("99.9"), share_font());
  // What is left of the width belongs to the bars, but for the runners-up.
  double others = 0;
  for (const Row& row : shown) {
    const QString other = other_than(result_->steps[static_cast<std::size_t>(row.step)]);
    if (!other.isEmpty()) others = std::max(others, kGap + text_width(other, caption_font()));
  }
  const double bar_at = kFromPicture + widest_ + kGap, rest = width() - space::kMargin - number - kGap - bar_at;
  const double bar = std::clamp(rest - others >= kBar ? rest - others : rest, double{kBar}, double{kLongestBar});
  const double number_at = bar_at + bar + kGap, other_at = number_at + number + kGap;
  if (shown.front().rect.top() > QFontMetricsF(head_font()).height() + 2) {
    const QString caption = head_of(*result_);
    const QFontMetricsF metrics(head_font());
    const QRectF place(kFromPicture, shown.front().rect.top() - metrics.height() - 4,
                       width() - kFromPicture - space::kMargin, metrics.height());
    if (text_width(caption, head_font()) <= place.width()) write(painter, place, kRight, caption, head_font(), t.ink2);
  }
  const auto chosen = selection_->state().step;
  const auto hovered = selection_->hovered_step();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto& [step, rect] = shown[i];
    if (chosen == step || hovered == step) {
      draw_box(painter, ground_of(rect), radius::kButton, QPen(Qt::NoPen), chosen == step ? t.wash : t.well);
    }
    if (i % static_cast<std::size_t>(stride) != 0 && chosen != step) continue;
    if (visible_steps_ >= 0 && step >= visible_steps_) continue;
    const OutputStep& written_step = result_->steps[static_cast<std::size_t>(step)];
    const TokenText token = token_text(written_step.text);
    const double middle = rect.center().y();
    const auto place = [&](double left, double wide) { return QRectF(left, middle - line, wide, 2 * line); };
    const QFont font = token.special ? special_font(Theme::instance().text_font(letters)) : written;
    write(painter, place(kFromPicture, widest_ + 2), kLeft, elided_text(token.text, font, Qt::ElideMiddle, widest_ + 2),
          font, token.special || token.stand_in ? t.ink2 : t.ink);
    const auto draw_bar = [&](double wide, const QColor& colour) {
      draw_box(painter, QRectF(bar_at, middle - 2.5, wide, 5), 2.5, QPen(Qt::NoPen), colour);
    };
    draw_bar(bar, t.press);
    const double full = std::clamp(written_step.probability, 0.0, 1.0);
    if (full > 0) draw_bar(std::max(4.0, full * bar), Theme::instance().weight(0.62));
    write(painter, place(number_at - 2, number + 2), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
          bare_percent(written_step.probability), share_font(), t.ink);
    const QString other = other_than(written_step);
    if (!other.isEmpty() && other_at + text_width(other, caption_font()) <= width() - space::kMargin + space::kSmall)
      write(painter, place(other_at, width() - other_at), kLeft, other, caption_font(), t.ink2);
  }
}

std::optional<int> OutputColumn::step_at(QPointF point) const {
  for (const Row& row : rows())
    if (row.rect.contains(point)) return row.step;
  return std::nullopt;
}

void OutputColumn::mousePressEvent(QMouseEvent* event) {
  const auto step = step_at(event->position());
  if (const int number = number_at(event->position()); number >= 0 && event->button() == Qt::LeftButton) {
    const int entry = result_->trace ? result_->trace->find(vector_site(result_->vectors.front().kind)) : -1;
    if (entry < 0) return;
    SelectionState state = selection_->state();
    state.entry = entry;
    state.cell = number;
    selection_->set(state);
    emit requests_->open(entry, number);
    return;
  }
  if (event->button() != Qt::LeftButton || !step) return;
  SelectionState state;
  state.source_token = selection_->state().source_token;
  state.step = step;
  selection_->set(state);
}

void OutputColumn::mouseMoveEvent(QMouseEvent* event) {
  const auto step = step_at(event->position());
  selection_->hover(std::nullopt, step);
  if (const int number = number_at(event->position()); number >= 0) {
    const TextVector& vector = result_->vectors.front();
    return setToolTip(plain_tooltip(
        tr("Number %1: %2").arg(counted(number), short_number(static_cast<double>(vector.value[number]))) + '\n' +
        vector_help(vector.kind)));
  }
  setToolTip(step ? plain_tooltip(tr("Step %1 wrote %2 with probability %3. Right-click to write something else.")
                                      .arg(counted(*step), quoted(result_->steps[static_cast<std::size_t>(*step)].text),
                                           percent(result_->steps[static_cast<std::size_t>(*step)].probability)))
                  : QString());
}

void OutputColumn::leaveEvent(QEvent*) { selection_->hover(std::nullopt, std::nullopt); }

void OutputColumn::fill_menu(QMenu* menu, int step) const {
  const auto at = static_cast<std::size_t>(step);
  if (!result_ || step < 0 || at >= result_->steps.size() || guesses_hidden_words(*result_)) return;
  QMenu* from = menu->addMenu(tr("Write something else from here on"));
  QMenu* only = menu->addMenu(tr("Write something else only here"));
  from->setToolTipsVisible(true);
  for (const Candidate& other : result_->steps[at].top) {
    if (other.id == result_->steps[at].id) continue;
    const QString name = QStringLiteral("%1   %2")
                             .arg(token_text(other.text).name, percent(other.probability))
                             .replace('&', QStringLiteral("&&"));
    if (is_half_character(*result_, step, other.id)) {
      QAction* half = from->addAction(name);
      half->setEnabled(false);
      half->setToolTip(half_character_note());
    } else if (const QString text = beginning_with(*result_, step, other.id);
               !text.isEmpty() && !token_text(other.text).special) {
      from->addAction(name, this, [this, text] { emit beginningWanted(text); });
    }
    if (const auto text = with_candidate(*result_, step, other.id))
      only->addAction(name, this, [this, text] { emit requests_->target(text); });
  }
}

void OutputColumn::contextMenuEvent(QContextMenuEvent* event) {
  const auto step = step_at(event->pos());
  if (!step) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fill_menu(menu, *step);
  if (menu->isEmpty()) return delete menu;
  menu->popup(event->globalPos());
}

void OutputColumn::set_covered(bool covered) {
  if (covered == covered_) return;
  covered_ = covered;
  announce();
}

void OutputColumn::announce() {
  setAccessibleName(tr("Output, beside its rows"));
  const QString said = result_ ? vectors_summary(*result_) : QString();
  setAccessibleDescription(covered_         ? Canvas::covered_text()
                           : !result_       ? QString()
                           : said.isEmpty() ? from_utf8(result_->output)
                                            : said);
}

}  // namespace headlight
