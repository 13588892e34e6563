// What lies over the views while a lesson is open: closed rows, the light, what the learner chose.

#include <algorithm>

#include "app/classroom/classroom_facts.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/stage/name_row.h"
#include "app/stage/panel_frame.h"
#include "app/stage/stage.h"
#include "app/text/output_column.h"
#include "app/text/output_line.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/output/output_view.h"

namespace headlight {

namespace {

constexpr int kPatience = 150;  // milliseconds in which nobody notices that the picture is an older one

// A picture can be taken out, into a window of its own.
bool stands_on(const QWidget* widget, const QWidget* stage) {
  return widget && widget->isVisible() && stage->isAncestorOf(widget);
}

QRectF in(const QWidget* widget, const QWidget* stage) {
  if (!stands_on(widget, stage)) return {};
  return QRectF(widget->mapTo(stage, QPoint()), widget->size());
}

bool is_in(const std::vector<int>& steps, int step) { return std::ranges::find(steps, step) != steps.end(); }

// A map of attention as it stands on the stage: where its rows and columns are.
struct MapOnStage {
  const AttentionMap* map = nullptr;  // null: it is not seen
  HeatmapLayout layout;
  QPointF at;
  const std::vector<int>* folded = nullptr;  // the tokens of its last column; null: it is one as the others

  MapOnStage(RowPicture& picture, const QWidget* stage, const std::vector<int>& blanks) {
    const Heatmap* heatmap = picture.heatmap();
    if (!stands_on(heatmap, stage) || !(map = picture.map_shown())) return;
    layout = heatmap->heatmap_layout();
    at = heatmap->mapTo(stage, QPoint());
    if (picture.folded() > 0) folded = &blanks;
  }
  int row_of(int step) const {
    for (std::size_t i = 0; map && i < map->rows.size(); ++i)
      if (map->rows[i].holds_step(step)) return static_cast<int>(i);
    return -1;
  }
  int column_of(int token) const {
    if (folded && is_in(*folded, token)) return layout.columns - 1;
    for (std::size_t i = 0; map && i < map->columns.size(); ++i)
      if (map->columns[i].holds_token(token)) return std::min(static_cast<int>(i), layout.columns - 1);
    return -1;
  }
  QRectF cell(int row, int column) const { return layout.cell_rect(row, column).translated(at); }
  QRectF row(int row) const { return cell(row, 0).united(cell(row, layout.columns - 1)); }
  void add(QList<QRectF>& to, const Places& places) const {
    for (const auto& [step, token] : places.cells)
      if (row_of(step) >= 0 && column_of(token) >= 0) to << cell(row_of(step), column_of(token));
    for (const int each : places.at) {
      const int found_row = places.of == Places::Of::output ? row_of(each) : -1;
      const int column = places.of == Places::Of::source ? column_of(each) : -1;
      if (found_row >= 0) to << row(found_row);
      if (column >= 0) to << layout.column_band(column).translated(at);
    }
  }
};

// The columns of written tokens, where their choices are seen.
void add_written(QList<QRectF>& to, const OutputView* view, const QWidget* stage, const Places& places) {
  if (!stands_on(view, stage) || places.of != Places::Of::output) return;
  const QPointF at = QPointF(view->viewport()->mapTo(stage, QPoint())) + view->viewport_point({0, 0});
  for (const int step : places.at)
    if (step < view->output_layout().steps) to << view->output_layout().column_rect(step).translated(at);
}

// The first of the steps that are closed to the last: how many they are would say where the model stops. None: the
// last one is open.
int first_of_end(const Classroom::Facts& facts, const std::vector<int>& closed) {
  int first = facts.answers.output.empty() ? 0 : facts.answers.output.back().first + 1;
  for (auto each = facts.answers.output.rbegin(); each != facts.answers.output.rend() && is_in(closed, each->first);
       ++each)
    first = each->first;
  return first;
}

// The output with a question mark for each token that is asked for, one for all at its end; what stands between the
// tokens stays.
QString with_gaps(const Classroom::Facts& facts, const std::vector<int>& closed) {
  const int end = first_of_end(facts, closed);
  QString shown, plain;
  qsizetype at = 0;
  bool found_all = true;
  for (const auto& [step, text] : facts.answers.output) {
    if (step > end) break;
    const QString seen = is_in(closed, step) ? QStringLiteral("?") : text;
    plain += seen;
    const qsizetype found = facts.output.indexOf(text, at);
    if (text.isEmpty() || found < 0) {  // an end mark, or a token that is written otherwise
      found_all = found_all && at == facts.output.size() && !facts.output.contains(text);
      if (is_in(closed, step)) shown += seen;
      continue;
    }
    shown += facts.output.mid(at, found - at) + seen;
    at = found + text.size();
  }
  return found_all ? shown : plain;
}

}  // namespace

// In the picture of the alignment, and beside its rows. What is asked for later stays closed, too.
std::vector<int> Classroom::closed_steps() const {
  if (!lesson_ || !facts_ || exploring()) return {};
  std::vector<int> closed = facts_->later;
  if (asks() && facts_->closed.of == Places::Of::output)
    for (const int each : facts_->closed.at)
      if (!is_in(closed, each)) closed.push_back(each);
  std::ranges::sort(closed);
  return closed;
}

// A letter above the picture is meant as much as a square below it; a click there chooses nothing in the window.
void Classroom::pick_name(const QWidget* clicked, QPointF point) {
  AlignmentView* view = window_.views->alignment();
  const Heatmap* heatmap = view->heatmap();
  const AttentionMap* map = view->map_shown();
  if (!asks() || !facts_ || !map || !panel_->answer_field() || clicked != heatmap->viewport()) return;
  const HeatmapLayout& layout = heatmap->heatmap_layout();
  const QPointF at = heatmap->content_point(point);
  if (layout.cell_at(at)) return;
  const std::vector<int>& blanks = facts_->answers.blanks;
  if (const auto column = layout.column_label_at(at)) {
    if (view->folded() > 0 && *column == layout.columns - 1 && !blanks.empty())
      return panel_->answer_field()->pick(std::nullopt, blanks.front(), true);
    for (const auto& [token, text] : facts_->answers.source)
      if (map->columns[static_cast<std::size_t>(*column)].holds_token(token))
        return panel_->answer_field()->pick(std::nullopt, token, true);
  } else if (const auto row = layout.row_label_at(at)) {
    for (const auto& [step, text] : facts_->answers.output)
      if (map->rows[static_cast<std::size_t>(*row)].holds_step(step))
        return panel_->answer_field()->pick(step, std::nullopt, true);
  }
}

bool Classroom::withholds() const { return !closed_steps().empty(); }

// What is told in place of the output; null: itself. On a page before the question its words stay away as well, unless
// that page speaks of the output.
QString Classroom::withheld_output() const {
  const bool asked = covers();
  if (asked && facts_->closed.of == Places::Of::source) return {};
  const std::vector<int> closed = closed_steps();
  if (!facts_ || closed.empty()) return {};
  // Who tries another text there sees what that writes.
  const bool is_own = !facts_->document || !(*facts_->document == window_.runs->session().document());
  if (!asked && (is_own || facts_->tells_output)) return {};
  return with_gaps(*facts_, facts_->tells_output ? facts_->closed.at : closed);
}

bool Classroom::covers() const { return asks() && facts_ && !facts_->closed.at.empty(); }

// What the overlay closes is not told in any other way: to a screen reader, in readouts, tooltips and menus, in files
// and tables, on paper.
void Classroom::cover() {
  if (lesson_ && !facts_ && !exploring()) return;  // on the way to another step nothing opens
  const bool covered = covers();
  AlignmentView* view = window_.views->alignment();
  const AttentionMap* map = view->map_shown();
  const auto held = [](const std::vector<AttentionToken>& names, const std::vector<int>& steps) {
    std::vector<int> found;
    for (const int step : steps)
      for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].holds_step(step)) found.push_back(static_cast<int>(i));
    return found;
  };
  const std::vector<int> closed = closed_steps();
  view->heatmap()->set_closed(map ? held(map->rows, closed) : std::vector<int>(),
                              map ? held(map->columns, closed) : std::vector<int>());
  const bool whole = covered && facts_->closed.of == Places::Of::source;
  for (Canvas* each : window_.panels->stage()->findChildren<Canvas*>())
    each->set_covered(covered && (whole || each != view->heatmap()));
  for (ViewPanel* each : window_.panels->stage()->slot(Slot::main)->findChildren<ViewPanel*>())
    each->set_covered(covered && each != view);
  window_.views->column()->set_covered(covered);
  window_.views->source_bar()->set_closed_output(withheld_output());
  window_.cover(covered, covered || !closed.empty());
}

LessonOverlay::Picture Classroom::picture() const {
  LessonOverlay::Picture picture;
  if (lesson_ && !facts_ && !exploring()) {
    // Until it is known what the next step closes, what is closed stays so.
    picture = overlay_->picture();
    picture.lit.clear(), picture.chosen.clear();
  }
  const QWidget* ground = window_.panels->stage();
  if (lesson_ && !arrived_ && !exploring() && gone_.elapsed() > kPatience)
    picture.computing = in(window_.panels->stage()->slot(Slot::main), ground);
  if (!lesson_ || !facts_ || exploring()) return picture;
  const MapOnStage shown(*window_.views->alignment(), ground, facts_->answers.blanks);
  const auto lists = [&](Slot slot) -> const std::vector<std::string>& {
    return slot == Slot::side ? here().side : here().below;
  };
  // Other panels would say what is asked for, unless the step itself opens them.
  const auto wait_beside = [&] {
    for (const Slot slot : {Slot::side, Slot::below})
      if (const QRectF rect = in(window_.panels->stage()->slot(slot), ground); !rect.isEmpty() && lists(slot).empty())
        picture.waits << rect;
  };
  const std::vector<int> closed = closed_steps();
  if (asks() && facts_->closed.of == Places::Of::source && !facts_->closed.at.empty()) {
    picture.waits << in(window_.panels->stage()->slot(Slot::main), ground);
    wait_beside();
  } else if (!closed.empty()) {
    const int end = first_of_end(*facts_, closed);
    const auto add_closed = [&](QRectF& all, int step, const QRectF& rect) {
      step < end ? void(picture.closed << rect) : void(all |= rect);
    };
    QRectF names_at_end, rows_at_end, told_at_end;
    for (const int step : closed) {
      if (const int row = shown.row_of(step); row >= 0) {
        const QRectF cells = shown.row(row);
        add_closed(rows_at_end, step, cells);
        QRectF name = shown.layout.row_band(row).translated(shown.at);
        name.setRight(cells.left() - 1);
        step < end ? void(picture.asked << name) : void(names_at_end |= name);
      }
      // Where the model reads on what it wrote, its words are names of columns, too: on their stairs.
      for (const HeatmapLayout::Label& label : shown.layout.column_labels)
        if (shown.map && label.index < static_cast<int>(shown.map->columns.size()) &&
            shown.map->columns[static_cast<std::size_t>(label.index)].holds_step(step))
          picture.closed << label.rect.translated(shown.at);
      if (stands_on(window_.views->column(), ground))
        for (const OutputColumn::Row& each : window_.views->column()->rows())
          if (each.step == step)
            add_closed(told_at_end, step, each.rect.translated(window_.views->column()->mapTo(ground, QPoint())));
    }
    for (const QRectF& each : {rows_at_end, told_at_end})
      if (!each.isEmpty()) picture.closed << each;
    if (!names_at_end.isEmpty()) picture.asked << names_at_end;
    if (asks()) {
      // Every other picture waits as a whole: it would say what is asked for.
      if (!shown.map) picture.waits << in(window_.panels->stage()->slot(Slot::main), ground);
      wait_beside();
    }
    picture.closed_output = withheld_output();
    if (!picture.closed_output.isNull()) {
      const auto* output = ground->findChild<OutputLine*>(QStringLiteral("output"));
      picture.characters = !output || output->characters();
      picture.output = in(output, ground);
    }
  }
  if (panel_->answer_field() && shown.map) {
    const std::optional<ExpressionValue> chosen = panel_->answer_field()->value();
    if (const auto* places = chosen ? std::get_if<Places>(&*chosen) : nullptr) shown.add(picture.chosen, *places);
  }
  const bool asked = here().asks();
  if (!spot_ || !facts_->spot || (asked && !revealed_)) return picture;
  if (const auto* places = std::get_if<Places>(&*facts_->spot)) {
    shown.add(picture.lit, *places);
    MapOnStage(*window_.views->heads(), ground, facts_->answers.blanks).add(picture.lit, *places);
    add_written(picture.lit, window_.views->outputs()->list(), ground, *places);
    // A picture that has no such rows marks what is chosen itself: it is meant as a whole.
    if (picture.lit.isEmpty()) picture.lit << in(window_.panels->stage()->slot(Slot::main), ground);
  }
  if (const auto* target = std::get_if<LinkTarget>(&*facts_->spot))
    if (const QRectF rect = in(widget_of(*target), ground); !rect.isEmpty()) picture.lit << rect;
  return picture;
}

// Null: it is not there.
const QWidget* Classroom::widget_of(const LinkTarget& target) const {
  const WindowPanels& panels = *window_.panels;
  const QString name = from_utf8(target.name);
  if (target.kind == LinkTarget::Kind::view || target.kind == LinkTarget::Kind::panel) return panels.frame(name);
  if (target.kind == LinkTarget::Kind::site) return panels.frame(QStringLiteral("inspector"));
  if (name == QLatin1String("source")) return window_.views->source_bar()->source_field();
  if (name == QLatin1String("names")) return panels.stage()->names();
  if (name == QLatin1String("column")) return window_.views->column();
  if (name == QLatin1String("picture")) return panels.stage()->slot(Slot::main);
  if (name == QLatin1String("caption")) return window_.status;
  return panels.stage()->findChild<QWidget*>(name);
}

}  // namespace headlight
