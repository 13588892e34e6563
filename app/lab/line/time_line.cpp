#include "app/lab/line/time_line.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMetaMethod>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/file_dialogs.h"
#include "app/lab/line/moment_table.h"
#include "app/lab/line/story_words.h"
#include "app/lab/line/time_line_paint.h"
#include "model/core/errors.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/tables/table_pane.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr double kShareStep = 0.05, kFactorStep = 1.1;  // of a key, while a curve is drawn
constexpr int kLeastWidth = 320, kGoodWidth = 640;      // pixels at 100 %

int sign_of(int value) { return (value > 0) - (value < 0); }

}  // namespace

TimeLine::TimeLine(LabShown* shown, QWidget* parent) : Canvas(Layout::camera, parent), shown_(shown) {
  guess_.fill(kNotMeasured);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  table_.setSourceModel(&rows_);
  connect(shown_, &LabShown::runsChanged, this, &TimeLine::take);
  connect(shown_, &LabShown::chosenChanged, this, &TimeLine::take);
  connect(shown_, &LabShown::moved, this, [this] { choice_changed(); });
  take();
}

void TimeLine::set_plan(const TimeLinePlan& plan) {
  if (plan == plan_) return;
  if (plan.perplexity != plan_.perplexity) guess_.fill(kNotMeasured);
  plan_ = plan;
  if (may_draw()) guess_reads_ = plan.reads;
  take();
}

void TimeLine::set_running(bool running) {
  if (running == running_) return;
  running_ = running;
  choice_changed();
}

void TimeLine::set_facts_shown(bool shown) {
  facts_ = shown;
  viewport()->update();
}

TimeLineContent TimeLine::content_now() const { return time_line_content(*shown_, plan_, drawn()); }

void TimeLine::take() {
  content_ = content_now();
  refresh_table();
  lay_out_at_once();
  announce();
}

void TimeLine::refresh_table() {
  if (shown_->empty()) return rows_.clear();
  const LabShown::Run& run = shown_->runs()[static_cast<std::size_t>(content_.two ? shown_->side() : 0)];
  rows_.set(run->count(), moment_columns(run, shown_->probe()));
}

std::vector<int> TimeLine::moments() const {
  if (shown_->empty()) return {};
  std::vector<int> all = {shown_->moment(0)};
  if (content_.two) all.push_back(shown_->moment(1));
  return all;
}

// --- what is drawn before the start

bool TimeLine::may_draw() const { return shown_->empty() && plan_.reads > 0; }

double TimeLine::column_read(int column) const { return guess_reads_ * column / (kColumns - 1); }

std::vector<QPointF> TimeLine::drawn() const {
  std::vector<QPointF> points;
  for (int column = 0; column < kColumns; ++column)
    if (const double value = guess_[static_cast<std::size_t>(column)]; is_measured(value))
      points.emplace_back(column_read(column), value);
  return points;
}

void TimeLine::set_drawn(const std::vector<QPointF>& points) {
  if (guess_reads_ <= 0) guess_reads_ = points.empty() ? 0 : points.back().x();
  for (int column = 0; column < kColumns; ++column)
    guess_[static_cast<std::size_t>(column)] = headlight::value_at(points, column_read(column));
  take();
}

void TimeLine::guess_changed() {
  take();
  emit drew();
}

// All columns between where the mouse was and where it is.
void TimeLine::draw_to(QPointF point) {
  const QPointF from = drawn_from_.value_or(point);
  const auto column_at = [&](double x) {
    return static_cast<int>(std::lround(layout_.read_at(x) / layout_.reads * (kColumns - 1)));
  };
  const int first = column_at(from.x()), last = column_at(point.x()), step = last < first ? -1 : 1;
  for (int column = first;; column += step) {
    const double part = first == last ? 1 : static_cast<double>(column - first) / (last - first);
    guess_[static_cast<std::size_t>(column)] = layout_.value_at(from.y() + part * (point.y() - from.y()));
    if (column == last) break;
  }
  column_ = last;
  drawn_from_ = point;
  content_ = content_now();
  still_ = {};
  choice_changed();
}

bool TimeLine::draw_by_key(int right, int down) {
  if (right != 0) {
    column_ = std::clamp(column_ + std::clamp(right, -kColumns, kColumns), 0, kColumns - 1);
    choice_changed();
    return true;
  }
  double& value = guess_[static_cast<std::size_t>(column_)];
  // A new point begins as high as the one before it.
  for (int before = column_; before >= 0 && !is_measured(value); --before)
    value = guess_[static_cast<std::size_t>(before)];
  if (!is_measured(value)) value = content_.log ? content_.high : content_.low;
  value = content_.log ? value * std::pow(kFactorStep, -down) : value - kShareStep * down;
  value = std::clamp(value, content_.low, content_.high);
  guess_changed();
  return true;
}

QString TimeLine::guess_sentence() const {
  const TimeCurve* curve = content_.curve(content_.log ? LineKind::perplexity : LineKind::unseen);
  const std::vector<QPointF> guess = drawn();
  if (!curve || guess.empty()) return {};
  const double error = guess_error(guess, *curve, content_.log);
  if (std::isnan(error)) return {};
  return content_.log ? tr("your guess was off by a factor of %1 on average").arg(short_number(error, 2))
                      : tr("your guess was off by %1 on average").arg(share_percent(error));
}

// --- painting

QSize TimeLine::sizeHint() const {
  const double scale = theme().font_scale();
  return QSizeF(kGoodWidth * scale, std::ceil(good_time_line_height())).toSize();
}

QSize TimeLine::minimumSizeHint() const {
  const double scale = theme().font_scale();
  return QSizeF(kLeastWidth * scale, std::ceil(least_time_line_height())).toSize();
}

QSizeF TimeLine::arrange(QSizeF view) {
  layout_ = lay_out_time_line(content_, view, legend_width(legend_lines(*shown_, content_, moments())));
  still_ = {};
  return view;
}

void TimeLine::forget() {
  still_ = {};
  refresh_table();
  updateGeometry();
}

QString TimeLine::title() const { return running_ || shown_->empty() ? tr("How it learns") : tr("How it learned"); }

QString TimeLine::prompt() const {
  return may_draw() && drawn().empty() ? tr("Before it starts: draw how the curve will go.") : QString();
}

QString TimeLine::failure() const {
  if (shown_->empty() || !shown_->runs()[0]->failure) return {};
  return failure_words(*shown_->runs()[0]->failure);
}

namespace {

// "thin lines: the same with seeds 1 and 3"
QString thin_words(const LabShown& shown) {
  QStringList seeds;
  for (const LabShown::Run& run : shown.thin())
    if (run->title == shown.runs()[0]->title) seeds << QString::number(run->settings.seed);
  if (seeds.isEmpty()) return {};
  if (seeds.size() == 1) return TimeLine::tr("thin line: the same with seed %1").arg(seeds[0]);
  const QString last = seeds.takeLast();
  return TimeLine::tr("thin lines: the same with seeds %1 and %2").arg(seeds.join(TimeLine::tr(", ")), last);
}

}  // namespace

QString TimeLine::facts() const {
  if (shown_->empty()) return {};
  const Recording& run = *shown_->runs()[0];
  QStringList parts;
  if (facts_ && !content_.two)
    parts << read_words(run, static_cast<double>(shown_->now().read)) << seconds_words(shown_->now().seconds)
          << tr("seed %1").arg(run.settings.seed);
  if (facts_ && content_.two)
    for (int side = 0; side < 2; ++side)
      parts << with_colon(side_name(*shown_, side), read_words(*shown_->runs()[static_cast<std::size_t>(side)],
                                                               static_cast<double>(shown_->now(side).read)));
  parts << guess_sentence() << thin_words(*shown_);
  if (run.thinned) parts << tr("every second moment was given up for want of memory");
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

void TimeLine::make_still() const {
  const double ratio = devicePixelRatioF();
  still_ = QPixmap((layout_.size * ratio).toSize().expandedTo(QSize(1, 1)));
  still_.setDevicePixelRatio(ratio);
  still_.fill(theme().background());
  QPainter painter(&still_);
  paint_time_line(painter, content_, layout_, prompt(), failure());
}

void TimeLine::paint(QPainter& painter, const QRectF&, bool marks) const {
  if (!marks) return paint_moment(painter, layout_.size);
  if (still_.isNull() || still_.devicePixelRatio() != devicePixelRatioF()) make_still();
  painter.drawPixmap(QPointF(0, 0), still_);
  paint_moment_marks(painter, *shown_, content_, layout_, {title(), facts()}, moments());
}

void TimeLine::paint_moment(QPainter& painter, QSizeF size, int moment) const {
  std::vector<int> at = moments();
  if (moment >= 0 && !at.empty()) at[0] = std::min(moment, shown_->runs()[0]->count() - 1);
  const TimeLineLayout layout =
      size == layout_.size ? layout_
                           : lay_out_time_line(content_, size, legend_width(legend_lines(*shown_, content_, at)));
  paint_time_line(painter, content_, layout, prompt(), failure());
  paint_moment_marks(painter, *shown_, content_, layout, {title(), facts()}, at);
}

Figure TimeLine::figure() {
  const QSize size = layout_.size.toSize();
  return {size, [this, size](QPainter& painter) { paint_moment(painter, size); }, title(), &table_};
}

// --- what is said

QRectF TimeLine::cursor_rect() const {
  if (shown_->empty()) {
    if (!may_draw()) return {};
    const double value = guess_[static_cast<std::size_t>(column_)];
    const QPointF at(layout_.x(column_read(column_)), layout_.y(is_measured(value) ? value : content_.low));
    return {at.x() - space::kTight, at.y() - space::kTight, 2 * space::kTight, 2 * space::kTight};
  }
  const int side = content_.two ? shown_->side() : 0;
  return layout_.knob_box(static_cast<double>(shown_->now(side).read));
}

QString TimeLine::name() const { return tr("Time line: %1").arg(title()); }

QString TimeLine::description() const {
  if (!shown_->empty()) return moment_sentence(*shown_, content_.two ? shown_->side() : 0);
  if (!may_draw()) return tr("Nothing was trained yet.");
  const double value = guess_[static_cast<std::size_t>(column_)];
  const QString at =
      is_measured(value) ? content_.log ? short_number(value, 3) : share_percent(value) : tr("nothing drawn yet");
  const QString read = grouped_number(column_read(column_));
  return (plan_.characters ? tr("Your guess after %1 characters: %2") : tr("Your guess after %1 sentences: %2"))
      .arg(read, at);
}

std::optional<int> TimeLine::mark_at(QPointF point) const {
  for (std::size_t i = 0; i < content_.marks.size(); ++i) {
    const double x = layout_.x(content_.marks[i].read), half = std::max(layout_.triangle, double{space::kSmall}) / 2;
    const QRectF below(x - half, layout_.plot.bottom(), 2 * half, layout_.triangle + space::kTight);
    if (below.contains(point) || layout_.words[i].place.contains(point)) return static_cast<int>(i);
  }
  return std::nullopt;
}

QString TimeLine::tooltip(QPointF point) const {
  if (shown_->empty())
    return may_draw() ? tr("Draw with the mouse how the curve will go, or with the arrow keys; Delete wipes it.")
                      : QStringLiteral("");
  const auto lines = legend_lines(*shown_, content_, moments());
  const auto places = legend_places(layout_, lines);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (places[i].contains(point)) return with_colon(lines[i].name, lines[i].help);
  if (layout_.heading.contains(point)) return facts();
  const Recording& run = *shown_->runs()[0];
  if (const auto mark = mark_at(point)) {
    const auto& at = content_.marks[static_cast<std::size_t>(*mark)];
    return tr("From here on %1 stays as it ends: %2.").arg(in_quotes(at.word), read_words(run, at.read));
  }
  for (const auto& [moment, read] : content_.changes)
    if (point.y() > layout_.plot.bottom() && std::abs(point.x() - layout_.x(read)) <= space::kTight) {
      const Story story = story_at(run, shown_->probe(), shown_->map(), moment);
      return tr("Here the output changed to %1.").arg(in_quotes(story_text(story.now, story.characters)));
    }
  if (!layout_.plot.adjusted(0, -layout_.hit, 0, layout_.hit).contains(point)) return QStringLiteral("");
  const int moment = nearest_moment(layout_.read_at(point.x()));
  QStringList all = {moment_sentence(*shown_, content_.two ? shown_->side() : 0, moment)};
  if (!content_.two)
    for (const LegendLine& line : legend_lines(*shown_, content_, {moment})) all << line.name + ' ' + line.value;
  return all.join('\n');
}

// --- the mouse

int TimeLine::nearest_moment(double read) const {
  const Recording& run = *shown_->runs()[static_cast<std::size_t>(content_.two ? shown_->side() : 0)];
  int nearest = 0;
  for (int i = 1; i < run.count(); ++i)
    if (std::abs(static_cast<double>(run.at(i).read) - read) <
        std::abs(static_cast<double>(run.at(nearest).read) - read))
      nearest = i;
  return nearest;
}

int TimeLine::side_at(QPointF point) const {
  if (!content_.two) return 0;
  const auto away = [&](int side) {
    return std::abs(point.x() - layout_.x(static_cast<double>(shown_->now(side).read)));
  };
  if (away(0) == away(1)) return shown_->side();
  return away(0) < away(1) ? 0 : 1;
}

Qt::CursorShape TimeLine::hover(QPointF point) {
  const QRectF taken(layout_.plot.left() - layout_.hit, layout_.knob - layout_.hit,
                     layout_.plot.width() + 2 * layout_.hit, layout_.size.height());
  if (!taken.contains(point)) return Qt::ArrowCursor;
  if (may_draw()) return Qt::CrossCursor;
  if (shown_->empty()) return Qt::ArrowCursor;
  const double handle = layout_.x(static_cast<double>(shown_->now(side_at(point)).read));
  return std::abs(point.x() - handle) <= layout_.hit ? Qt::SizeHorCursor : Qt::PointingHandCursor;
}

void TimeLine::press(QPointF point, Qt::KeyboardModifiers) {
  drawn_from_.reset();
  scrubbing_ = false;
  if (hover(point) == Qt::ArrowCursor) return;
  if (may_draw()) return draw_to(point);
  scrubbing_ = true;
  if (content_.two && side_at(point) != shown_->side()) shown_->set_side(side_at(point));
  if (const auto mark = mark_at(point); mark && !content_.two)
    return shown_->go_to(content_.marks[static_cast<std::size_t>(*mark)].moment);
  scrub(point);
}

void TimeLine::drag(QPointF point) {
  if (drawn_from_ && may_draw()) draw_to(point);
  if (scrubbing_ && !shown_->empty()) scrub(point);
}

void TimeLine::release(QPointF) {
  scrubbing_ = false;
  if (!std::exchange(drawn_from_, std::nullopt)) return;
  guess_changed();
}

void TimeLine::scrub(QPointF point) {
  const int moment = nearest_moment(layout_.read_at(point.x()));
  if (moment != shown_->moment(content_.two ? shown_->side() : 0)) shown_->go_to(moment);
}

bool TimeLine::menu(std::optional<QPointF>, const QPoint& global) {
  if (shown_->empty()) return false;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("The numbers as a &table"), this, &TimeLine::show_table);
  menu->addAction(tr("&Export the picture…"), this, &TimeLine::save);
  static const QMetaMethod film = QMetaMethod::fromSignal(&TimeLine::filmWanted);
  if (isSignalConnected(film))
    menu->addAction(tr("Export the training as an &animation…"), this, &TimeLine::filmWanted);
  menu->popup(global);
  return true;
}

void TimeLine::save() {
  ask_where_to_write(this, figure_question(tr("Export the picture"), QStringLiteral("training.png")),
                     [this](const QString& path) {
                       try {
                         write_figure(figure(), path);
                         emit written(path);
                       } catch (const Error& error) {
                         emit failed(QString::fromUtf8(error.what()));
                       }
                     });
}

// In a window of its own, so that the picture stays as large as it is.
void TimeLine::show_table() {
  if (!pane_) {
    pane_ = new TablePane(&table_, this);
    pane_->setWindowFlag(Qt::Window);
    pane_->setAttribute(Qt::WA_DeleteOnClose);
    connect(pane_, &TablePane::closed, pane_, &QWidget::close);
  }
  pane_->set_name(title());
  pane_->setWindowTitle(title());
  pane_->resize(pane_->sizeHint().expandedTo(pane_->least_size()));
  pane_->show();
  pane_->activateWindow();
}

// --- the keyboard

bool TimeLine::go(int right, int down) {
  if (may_draw()) return draw_by_key(right, down);
  if (shown_->empty()) return false;
  if (right == 0 && std::abs(down) == page()) {
    shown_->go_to_mark(sign_of(down));
  } else if (right == 0) {
    if (!content_.two || std::abs(down) != 1) return false;
    shown_->set_side(down > 0 ? 1 : 0);
  } else if (std::abs(right) == kEnd) {
    const LabShown::Run& run = shown_->runs()[static_cast<std::size_t>(content_.two ? shown_->side() : 0)];
    shown_->go_to(right < 0 ? 0 : run->count() - 1);
  } else {
    shown_->go_by(sign_of(right));
  }
  return true;
}

bool TimeLine::press_key(const QKeyEvent& event) {
  const bool wipes = event.key() == Qt::Key_Delete || event.key() == Qt::Key_Backspace;
  if (!wipes || !may_draw() || drawn().empty()) return false;
  guess_.fill(kNotMeasured);
  guess_changed();
  return true;
}

}  // namespace headlight
