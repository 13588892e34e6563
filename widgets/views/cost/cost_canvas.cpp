#include "widgets/views/cost/cost_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/canvas/text_columns.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

QString milliseconds(double seconds) {
  return seconds < 1 ? short_number(1000 * seconds, 3) : plain_number(1000 * seconds, 0);
}

// For whom two numbers are compared: 1 is as much.
QString times_as_much(double a, double b) { return b > 0 ? large_number(a / b) : QStringLiteral("–"); }

}  // namespace

CostCanvas::CostCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void CostCanvas::set_run(std::shared_ptr<const CostRun> run) {
  run_ = std::move(run);
  set_hovered({});
  box_ = 0;
  go_to_row();
  if (run_) bar_ = std::clamp(bar_, 0, std::max(0, static_cast<int>(run_->parts.size()) - 1));
  lay_out();
  announce();
}

void CostCanvas::set_picture(Picture picture, Pace pace) {
  if (picture == picture_ && pace == pace_) return;
  picture_ = picture;
  pace_ = pace;
  box_ = 0;
  go_to_row();
  set_hovered({});
  lay_out();
  announce();
}

void CostCanvas::set_row(int row) {
  if (move_mark(row_, row)) go_to_row();
}

// The cursor is in the row that is chosen.
void CostCanvas::go_to_row() {
  if (!run_ || row_ < 0 || picture_ != Picture::time) return;
  const std::vector<TimelineBox>& boxes = timeline().boxes;
  const auto row_of = [this](const TimelineBox& box) { return run_->row_of(box); };
  if (box_ < boxes.size() && row_of(boxes[box_]) == row_) return;
  const auto found = std::ranges::find(boxes, row_, row_of);
  if (found != boxes.end() && move_mark(box_, static_cast<std::size_t>(found - boxes.begin()))) announce();
}

double CostCanvas::products(CostPart part, bool what_if) const {
  return what_if ? run_->what_if_cost.multiplications(part, run_->what_if, pace_)
                 : run_->cost.multiplications(part, run_->lengths, pace_);
}

double CostCanvas::largest() const {
  double most = 1;
  for (const CostPart part : run_->parts) most = std::max({most, products(part, false), products(part, true)});
  return most;
}

QString CostCanvas::headline() const {
  if (picture_ == Picture::time) return QString::number(timeline().columns);
  return large_number(run_->cost.multiplications(run_->lengths, pace_));
}

QString CostCanvas::headline_words() const {
  if (picture_ == Picture::cost)
    return pace_ == Pace::learns ? tr("multiplications while it learns, counted; the way back of learning comes on top")
                                 : tr("multiplications while it writes, counted");
  return pace_ == Pace::learns ? tr("steps that wait for one another, while it learns: the right output is known")
                               : tr("steps that wait for one another, while it writes one token after the other");
}

QString CostCanvas::second_line() const {
  const Pace other = pace_ == Pace::learns ? Pace::writes : Pace::learns;
  if (picture_ == Picture::time)
    return tr("%1 boxes in %2 columns: each column could be computed at once. While it %3, there are %4 columns.")
        .arg(timeline().boxes.size())
        .arg(timeline().columns)
        .arg(pace_name(other))
        .arg(run_->timeline(other).columns);
  if (run_->is_what_if())
    return tr("lighter bars: what if there were %1 tokens and %2 heads: %3, %4 times as many")
        .arg(run_->what_if.longest())
        .arg(run_->what_if_cost.heads > 0 ? QString::number(run_->what_if_cost.heads) : tr("no"))
        .arg(large_number(run_->what_if_cost.multiplications(run_->what_if, pace_)),
             times_as_much(run_->what_if_cost.multiplications(run_->what_if, pace_),
                           run_->cost.multiplications(run_->lengths, pace_)));
  return tr("while it %1: %2").arg(pace_name(other), large_number(run_->cost.multiplications(run_->lengths, other)));
}

QStringList CostCanvas::lines() const {
  QStringList all;
  if (const double exponentials = run_->cost.exponentials(run_->lengths, pace_); exponentials > 0) {
    const double other = run_->what_if_cost.exponentials(run_->what_if, pace_);
    all << (run_->is_what_if() ? tr("Counted: %1 exponentials of softmax, and as many weights to keep; what if: %2.")
                                     .arg(large_number(exponentials), large_number(other))
                               : tr("Counted: %1 exponentials of softmax, and as many weights to keep.")
                                     .arg(large_number(exponentials)));
    const Index dear = run_->cost.crossing(run_->lengths);
    all << (dear > 0 ? tr("Counted: from texts of %1 tokens on, scores and mixing cost this model more than its other "
                          "layers (%2 times its width d = %3).")
                           .arg(dear)
                           .arg(short_number(static_cast<double>(dear - 1) / static_cast<double>(run_->cost.width), 3))
                           .arg(run_->cost.width)
                     : tr("Counted: at no length do scores and mixing cost this model more than its other layers."));
  }
  all << tr("Measured: this run took %1 ms, with everything that is shown of it.").arg(milliseconds(run_->seconds));
  QStringList measured;
  for (const MeasuredLength& each : run_->measured)
    measured << tr("%1 tokens %2 ms").arg(each.tokens).arg(milliseconds(each.seconds));
  if (!measured.isEmpty()) all << tr("Measured, only writing: %1.").arg(measured.join(tr(", ")));
  return all;
}

QString CostCanvas::name() const {
  if (!run_) return tr("Time and cost, none");
  return picture_ == Picture::time
             ? tr("What waits for what: %1 steps for %2 tokens").arg(timeline().columns).arg(run_->labels.size())
             : tr("Multiplications by part: %1 parts").arg(run_->parts.size());
}

QString CostCanvas::description() const {
  if (!run_) return tr("There is no run whose steps could be counted.");
  QStringList parts{headline() + ' ' + headline_words() + '.', second_line()};
  if (picture_ == Picture::time) {
    if (box_ < timeline().boxes.size()) parts << box_help(*run_, timeline().boxes[box_], pace_);
  } else {
    for (const CostPart part : run_->parts)
      parts << with_colon(part_name(part), large_number(products(part, false))) + '.';
    parts << lines();
  }
  return parts.join(' ');
}

CostHit CostCanvas::place_at(QPointF point) const {
  if (!run_) return {};
  if (picture_ == Picture::cost) return costs_.place_at(point);
  const CostHit place = timeline_.place_at(point);
  if (place.part != CostHit::Part::box) return place;
  const auto [from, to] = boxes_at(place.row, place.column);
  return from == to ? CostHit{} : place;
}

QString CostCanvas::place_tooltip(const CostHit& place) const {
  if (!run_) return {};
  switch (place.part) {
    case CostHit::Part::none:
      return {};
    case CostHit::Part::name:
      return place.row < run_->first_written
                 ? tr("%1 was given.").arg(in_quotes(nth(run_->labels, place.row).words()))
                 : tr("%1 was written.").arg(in_quotes(nth(run_->labels, place.row).words()));
    case CostHit::Part::bar: {
      const CostPart part = nth(run_->parts, place.row);
      const double own = products(part, false), all = run_->cost.multiplications(run_->lengths, pace_);
      return with_colon(part_name(part),
                        tr("%1 multiplications, %2 of all").arg(large_number(own), share_percent(own / all))) +
             '\n' + part_help(part);
    }
    case CostHit::Part::box:
      break;
  }
  QStringList said;
  const auto [from, to] = boxes_at(place.row, place.column);
  for (std::size_t box = from; box < to; ++box) said << box_help(*run_, timeline().boxes[box], pace_);
  return said.join('\n');
}

// Boxes are in the order of rows and columns.
std::pair<std::size_t, std::size_t> CostCanvas::boxes_at(int row, int column) const {
  const auto place = [this](const TimelineBox& box) { return std::pair(run_->row_of(box), box.column); };
  const auto found = std::ranges::equal_range(timeline().boxes, std::pair(row, column), {}, place);
  const auto from = static_cast<std::size_t>(found.begin() - timeline().boxes.begin());
  return {from, from + found.size()};
}

// Several of one token in one step share its cell.
QRectF CostCanvas::box_rect(std::size_t box) const {
  const TimelineBox& at = timeline().boxes[box];
  const auto [from, to] = boxes_at(run_->row_of(at), at.column);
  const QRectF cell = timeline_.cell(run_->row_of(at), at.column);
  const double wide = cell.width() / static_cast<double>(std::max<std::size_t>(1, to - from));
  return {cell.left() + static_cast<double>(box - from) * wide, cell.top(), wide, cell.height()};
}

QSizeF CostCanvas::arrange(QSizeF view) {
  timeline_ = {};
  costs_ = {};
  if (!run_) return {};
  return picture_ == Picture::time ? arrange_time(view) : arrange_cost(view);
}

QSizeF CostCanvas::arrange_time(QSizeF view) {
  const QFontMetricsF words(theme().ui_font()), small(theme().ui_font(type::kHead)),
      number(theme().ui_font(type::kNumber));
  const double scale = theme().font_scale();
  TimelineLayout::Metrics m;
  m.view = view;
  m.source_rows = timeline().source_rows;
  m.text_rows = timeline().text_rows;
  m.columns = timeline().columns;
  m.margin = view.width() < 700 * scale ? space::kSmall : space::kMargin;
  double name = widest_label(run_->labels, theme().ui_font());
  if (run_->padding_rows > 0) name = std::max(name, text_width(padding_name(run_->padding_rows), theme().ui_font()));
  m.name = std::ceil(std::min(name, 140 * scale) + space::kMedium);
  m.head = std::ceil(number.height() + words.height() + space::kMedium);
  m.axis = std::ceil(small.height() + space::kTight);
  m.foot = std::ceil(words.height() + space::kMedium);
  m.least_row = 7 * scale;
  m.most_row = std::ceil(4 * words.height());
  m.least_cell = 6 * scale;
  m.most_cell = 160 * scale;
  timeline_ = TimelineLayout::of(m);
  return {timeline_.width, timeline_.height};
}

QSizeF CostCanvas::arrange_cost(QSizeF view) {
  const QFontMetricsF words(theme().ui_font()), number(theme().ui_font(type::kNumber));
  const double scale = theme().font_scale();
  CostLayout::Metrics m;
  m.view = view;
  m.bars = static_cast<int>(run_->parts.size());
  m.lines = static_cast<int>(lines().size());
  m.margin = view.width() < 700 * scale ? space::kSmall : space::kMargin;
  for (const CostPart part : run_->parts) m.name = std::max(m.name, text_width(part_name(part), bold_font()));
  m.name = std::ceil(m.name + space::kMedium);
  m.head = std::ceil(number.height() + words.height() + space::kMedium);
  m.bar = std::ceil(words.height() + space::kSmall);
  m.line = std::ceil(words.height() + space::kHair);
  m.least_chart = 190 * scale;
  costs_ = CostLayout::of(m);
  return {costs_.width, costs_.height};
}

void CostCanvas::choose_box(std::size_t box) {
  box_ = box;
  reveal(box_rect(box_));
  choice_changed();
  emit chosen(run_->row_of(timeline().boxes[box_]));
}

void CostCanvas::press_place(const CostHit& place) {
  if (place.part == CostHit::Part::bar) {
    bar_ = place.row;
    return choice_changed();
  }
  if (place.part == CostHit::Part::name) return emit chosen(place.row);
  const auto [from, to] = boxes_at(place.row, place.column);
  if (from < to) choose_box(from);
}

void CostCanvas::hover_changed() { emit hovered_row(hovered().part == CostHit::Part::bar ? -1 : hovered().row); }

QRectF CostCanvas::cursor_rect() const {
  if (!run_) return {};
  if (picture_ == Picture::cost) return run_->parts.empty() ? QRectF() : costs_.bar(bar_);
  return box_ < timeline().boxes.size() ? box_rect(box_) : QRectF();
}

bool CostCanvas::go(int right, int down) {
  if (!run_) return false;
  if (picture_ == Picture::cost) {
    if (run_->parts.empty()) return false;
    bar_ = std::clamp(bar_ + right + down, 0, static_cast<int>(run_->parts.size()) - 1);
    choice_changed();
    return true;
  }
  const std::vector<TimelineBox>& boxes = timeline().boxes;
  if (boxes.empty()) return false;
  // To another row at the nearest step, and within that row.
  const int column = boxes[box_].column;
  const int row = std::clamp(run_->row_of(boxes[box_]) + std::clamp(down, -timeline_.rows(), timeline_.rows()), 0,
                             timeline_.rows() - 1);
  std::size_t at = box_;
  if (down != 0) {
    const auto distance = [&](const TimelineBox& box) {
      return std::pair(std::abs(run_->row_of(box) - row), std::abs(box.column - column));
    };
    at = static_cast<std::size_t>(std::ranges::min_element(boxes, {}, distance) - boxes.begin());
  }
  const auto row_of = [this](const TimelineBox& box) { return run_->row_of(box); };
  const auto same = std::ranges::equal_range(boxes, row_of(boxes[at]), {}, row_of);
  const auto first = same.begin() - boxes.begin(), last = first + std::ranges::ssize(same) - 1;
  choose_box(
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at) + right, first, last)));
  return true;
}

}  // namespace headlight
