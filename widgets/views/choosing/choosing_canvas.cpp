#include "widgets/views/choosing/choosing_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/views/choosing/choosing_words.h"

namespace headlight {

namespace {

constexpr double kBar = 0.42;  // of the width of a column, the bar of the largest probability
constexpr double kWidestName = 180;

QFont font_of_token(const TokenText& token) { return token.special ? special_font(theme().ui_font()) : font_of(token); }

}  // namespace

ChoosingCanvas::ChoosingCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void ChoosingCanvas::set_step(std::shared_ptr<const ChosenStep> step) {
  const bool same_place = step_ && step && step_->step == step->step;
  const TokenId before = same_place && cursor_.row >= 0 && cursor_.row < static_cast<int>(step_->rows.size())
                             ? nth(step_->rows, cursor_.row).id
                             : -1;
  step_ = std::move(step);
  set_hovered({});
  if (step_) {
    const int row = before >= 0 ? step_->row_of(before) : -1;
    cursor_ = {ChoosingHit::Part::cell, row >= 0 ? row : std::max(0, step_->chosen_row()),
               std::min(cursor_.stage, step_->stages() - 1)};
  }
  lay_out();
  announce();
}

void ChoosingCanvas::set_fields(std::set<std::string> stages, QSize size) {
  if (stages == fields_ && size == field_size_) return;
  fields_ = std::move(stages);
  field_size_ = size;
  lay_out_at_once();
}

bool ChoosingCanvas::has_field(int stage) const { return fields_.contains(step_->stage(stage).name); }

double ChoosingCanvas::head_line() const {
  return std::max<double>(QFontMetricsF(theme().ui_font()).height(), field_size_.height());
}

QRectF ChoosingCanvas::field_place(int stage) const {
  if (!step_ || stage >= step_->stages() || !has_field(stage)) return {};
  const QRectF head = layout_.head(stage);
  return QRectF(viewport_point(head.topRight()) - QPointF(field_size_.width(), 0), field_size_);
}

QSizeF ChoosingCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!step_) return {};
  const QFontMetricsF body(theme().ui_font()), title(theme().ui_font(type::kQuestion)),
      small(theme().ui_font(type::kSource));
  const double scale = theme().font_scale();
  ChoosingLayout::Metrics m;
  m.width = view.width();
  m.rows = static_cast<int>(step_->rows.size());
  m.stages = step_->stages();
  m.others = step_->others.front() > 0;
  double name = text_width(tr("still in"), theme().ui_font());
  if (!step_->others.empty())
    name = std::max(name, text_width(tr("%L1 others").arg(step_->others.front()), theme().ui_font()));
  for (const ChosenStep::Row& row : step_->rows) {
    const TokenText token = token_text(row.text);
    name = std::max(name, text_width(token.text, font_of_token(token)));
  }
  m.name = std::ceil(std::min(name, kWidestName * scale) + m.gap);
  m.least_stage = 96 * scale;
  for (int stage = 0; stage < m.stages; ++stage) {
    const std::string& key = step_->stage(stage).name;
    const double number = std::max<double>(text_width(stage_setting(*step_, key), bold_font()),
                                           has_field(stage) ? field_size_.width() : 0);
    m.least_stage = std::max(m.least_stage, text_width(stage_title(key), bold_font()) + 2 * space::kSmall + number);
  }
  m.least_stage = std::ceil(std::min(m.least_stage, 220 * scale));
  m.most_stage = std::ceil(240 * scale);
  m.title = std::ceil(title.height());
  m.line = std::ceil(2 * body.height());
  m.row = std::ceil(body.height() + space::kSmall);
  int help_lines = 1;
  for (const ChoiceStage& stage : step_->choice.stages)
    if (text_width(stage_help(stage.name), theme().ui_font(type::kSource)) > m.least_stage) help_lines = 2;
  m.head = std::ceil(head_line() + help_lines * small.height() + space::kMedium);
  m.step = step_->step;
  for (const OutputStep& step : step_->result->steps) {
    const TokenText token = token_text(step.text);
    m.steps.push_back(std::ceil(text_width(token.text, font_of_token(token)) + 2 * space::kSmall));
  }
  layout_ = ChoosingLayout::of(m);
  return {layout_.width, layout_.height};
}

void ChoosingCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!step_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const Tokens& t = tokens();
  paint_steps(painter);
  const double room = std::min(layout_.width, std::max(sight.width(), 1.0)) - 2 * layout_.metrics.margin;
  const QRectF title(layout_.metrics.margin, layout_.words, room, layout_.metrics.title);
  write_line(painter, title, kLeft, tr("From scores to the next token, stage by stage"), bold_font(type::kQuestion),
             t.ink);
  const double line = layout_.metrics.line / 2;
  write_line(painter, QRectF(title.left(), title.bottom(), room, line), kLeft, reason_for(*step_), theme().ui_font(),
             t.ink);
  write_line(painter, QRectF(title.left(), title.bottom() + line, room, line), kLeft, left_of(*step_),
             theme().ui_font(), t.ink2);
  for (int stage = 0; stage < step_->stages(); ++stage) paint_head(painter, stage, marks);
  for (int row = 0; row < static_cast<int>(step_->rows.size()); ++row)
    if (layout_.line(row).intersects(sight)) paint_row(painter, row, marks && hovered().row == row);
  paint_rest(painter);
}

void ChoosingCanvas::paint_steps(QPainter& painter) const {
  const Tokens& t = tokens();
  for (std::size_t step = 0; step < layout_.steps.size(); ++step) {
    const QRectF place = layout_.steps[step];
    if (place.isEmpty()) continue;
    const bool here = static_cast<int>(step) == step_->step;
    const bool marked = hovered() == ChoosingHit{ChoosingHit::Part::step, static_cast<int>(step), -1};
    const TokenText token = token_text(step_->result->steps[step].text);
    if (here || marked)
      draw_box(painter, place.adjusted(1, 1, -1, -1), radius::kButton, Qt::NoPen, here ? t.wash : t.hover);
    QFont font = font_of_token(token);
    if (here) font.setWeight(QFont::DemiBold);
    write_line(painter, place.adjusted(space::kTight, 0, -space::kTight, 0), kCentre, token.text, font,
               here                              ? t.accent
               : token.stand_in || token.special ? t.ink2
                                                 : t.ink);
  }
}

void ChoosingCanvas::paint_head(QPainter& painter, int stage, bool on_screen) const {
  const Tokens& t = tokens();
  const std::string& name = step_->stage(stage).name;
  const QRectF place = layout_.head(stage);
  const QFont small = theme().ui_font(type::kSource);
  const double line = head_line(), next = QFontMetricsF(small).height();
  const QString setting = stage_setting(*step_, name);
  const bool field = on_screen && has_field(stage);
  const double number = field               ? field_size_.width() + space::kSmall
                        : setting.isEmpty() ? 0
                                            : text_width(setting, bold_font()) + space::kSmall;
  write_line(painter, QRectF(place.left(), place.top(), place.width() - number, line), kLeft, stage_title(name),
             bold_font(), t.ink);
  if (number > 0 && !field)
    write(painter, QRectF(place.right() - number, place.top(), number, line), kRight, setting, bold_font(), t.ink);
  write_words(painter, QRectF(place.left(), place.top() + line, place.width(), 2 * next), stage_help(name), small,
              t.ink2);
}

void ChoosingCanvas::paint_row(QPainter& painter, int row, bool marked) const {
  const Tokens& t = tokens();
  const ChosenStep::Row& at = nth(step_->rows, row);
  const bool written = at.id == step_->choice.chosen;
  if (written || marked) draw_box(painter, layout_.line(row), radius::kButton, Qt::NoPen, written ? t.wash : t.hover);
  const TokenText token = token_text(at.text);
  QFont font = font_of_token(token);
  if (written) font.setWeight(QFont::DemiBold);
  if (at.fell >= 0) font.setStrikeOut(true);
  write_line(painter, layout_.name(row), kLeft, token.text, font,
             written                                           ? t.accent
             : at.fell >= 0 || token.stand_in || token.special ? t.ink2
                                                               : t.ink);
  const double largest = std::max(step_->largest_share(), 1e-9);
  for (int stage = 0; stage < step_->stages(); ++stage) {
    const QRectF cell = layout_.cell(row, stage);
    const double share = nth(at.shares, stage);
    if (share < 0) {
      if (at.fell == stage) write_line(painter, cell, kLeft, tr("cut"), theme().ui_font(type::kSource), t.ink2);
      continue;
    }
    const QRectF bar(cell.left(), cell.center().y() - 4, std::max(8.0, kBar * cell.width() * share / largest), 8);
    draw_box(painter, bar, 4, Qt::NoPen, theme().weight(0.62));
    write(painter, cell, kRight, bare_percent(share), theme().ui_font(), written ? t.accent : t.ink);
  }
}

void ChoosingCanvas::paint_rest(QPainter& painter) const {
  const Tokens& t = tokens();
  const double row = layout_.metrics.row, margin = layout_.metrics.margin;
  double top = layout_.bottom;
  const double names = layout_.metrics.name - layout_.metrics.gap;
  if (layout_.metrics.others) {
    write_line(painter, QRectF(margin, top, names, row), kLeft, tr("%L1 others").arg(step_->others.front()),
               theme().ui_font(), t.ink2);
    for (int stage = 0; stage < step_->stages(); ++stage)
      if (nth(step_->others, stage) > 0) {
        QRectF cell = layout_.head(stage);
        cell.moveTop(top);
        cell.setHeight(row);
        write(painter, cell, kRight, bare_percent(nth(step_->of_them, stage)), theme().ui_font(), t.ink2);
      }
    top += row;
  }
  const QRectF last = layout_.head(step_->stages() - 1);
  draw_line(painter, {margin, top}, {last.right(), top}, QPen(t.line, 1));
  write_line(painter, QRectF(margin, top, names, row), kLeft, tr("still in"), theme().ui_font(), t.ink2);
  for (int stage = 0; stage < step_->stages(); ++stage) {
    QRectF cell = layout_.head(stage);
    cell.moveTop(top);
    cell.setHeight(row);
    const auto left = static_cast<int>(step_->stage(stage).left);
    write_line(painter, cell, kRight, left == 1 ? tr("1 token") : tr("%L1 tokens").arg(left), theme().ui_font(), t.ink);
  }
}

QString ChoosingCanvas::name() const {
  return step_ ? tr("Choosing token %1 of %2").arg(step_->step + 1).arg(step_->result->steps.size())
               : tr("Choosing a token, none");
}

QString ChoosingCanvas::description() const {
  if (!step_) return tr("Nothing is chosen here.");
  QStringList said{reason_for(*step_), left_of(*step_)};
  if (cursor_.row >= 0 && cursor_.row < static_cast<int>(step_->rows.size())) said << place_tooltip(cursor_);
  return said.join(' ');
}

QString ChoosingCanvas::place_tooltip(const ChoosingHit& place) const {
  if (!step_) return {};
  switch (place.part) {
    case ChoosingHit::Part::none:
      return {};
    case ChoosingHit::Part::step: {
      const OutputStep& step = nth(step_->result->steps, place.row);
      return tr("Token %1 of the output: %2, %3. A click shows how it was chosen.")
          .arg(counted(place.row), quoted(step.text), percent(step.probability));
    }
    case ChoosingHit::Part::head:
      return with_colon(stage_title(step_->stage(place.stage).name), stage_help(step_->stage(place.stage).name));
    case ChoosingHit::Part::cell:
      break;
  }
  const double share = place.stage >= 0 ? nth(nth(step_->rows, place.row).shares, place.stage) : -1;
  const QString fate = fate_of(*step_, place.row);
  if (share < 0) return fate;
  return tr("After %1: %2.").arg(stage_title(step_->stage(place.stage).name), percent(share)) + '\n' + fate;
}

bool ChoosingCanvas::is_pressable(const ChoosingHit& place) const {
  return place.part == ChoosingHit::Part::step ||
         (place.part == ChoosingHit::Part::cell && step_ && nth(step_->rows, place.row).id != step_->choice.chosen);
}

void ChoosingCanvas::press_place(const ChoosingHit& place) {
  if (place.part == ChoosingHit::Part::step) emit step_wanted(place.row);
  if (place.part != ChoosingHit::Part::cell) return;
  cursor_ = place;
  choice_changed();
  want(place.row);
}

void ChoosingCanvas::hover_changed() {
  emit hovered_step(hovered().part == ChoosingHit::Part::step ? hovered().row : -1);
}

QRectF ChoosingCanvas::cursor_rect() const {
  if (!step_ || cursor_.row < 0 || cursor_.row >= static_cast<int>(step_->rows.size())) return {};
  return cursor_.stage < 0 ? layout_.line(cursor_.row) : layout_.cell(cursor_.row, cursor_.stage);
}

bool ChoosingCanvas::go(int right, int down) {
  if (!step_) return false;
  const int rows = static_cast<int>(step_->rows.size());
  cursor_.row = std::clamp(cursor_.row + std::clamp(down, -rows, rows), 0, rows - 1);
  cursor_.stage =
      std::clamp(cursor_.stage + std::clamp(right, -step_->stages(), step_->stages()), -1, step_->stages() - 1);
  set_hovered({});
  reveal(cursor_rect(), layout_.metrics.row);
  choice_changed();
  return true;
}

bool ChoosingCanvas::go_to_other(int by) {
  if (!step_) return false;
  const int last = static_cast<int>(step_->result->steps.size()) - 1;
  emit step_wanted(std::clamp(step_->step + by, 0, last));
  return last > 0;
}

bool ChoosingCanvas::activate() {
  if (!step_ || cursor_.row < 0) return false;
  want(cursor_.row);
  return true;
}

void ChoosingCanvas::want(int row) {
  const TokenId id = nth(step_->rows, row).id;
  if (id != step_->choice.chosen) emit token_wanted(id);
}

}  // namespace headlight
