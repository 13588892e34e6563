#include "widgets/views/choosing/choosing_view.h"

#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

#include "model/core/errors.h"
#include "widgets/base/controls.h"
#include "widgets/base/selection.h"
#include "widgets/base/tokens.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/views/choosing/choosing_words.h"

namespace headlight {

namespace {

constexpr const char* kBranches = "branches";
constexpr int kStagesShare = 5, kTreeShare = 3;  // of the width

}  // namespace

ChoosingView::ChoosingView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  settings_ = new ChoosingBar(context.requests, bar());
  bar_row()->setContentsMargins(space::kMargin, 0, 0, 0);
  bar_row()->addWidget(settings_, 1);
  auto* both = new QWidget(this);
  QHBoxLayout* row = row_in(both, space::kMargin);
  row->addWidget(canvas_ = new ChoosingCanvas(both), kStagesShare);
  row->addWidget(tree_ = new ChoosingBranchesCanvas(both), kTreeShare);
  build(both, {900, 460});
  set_keyboard_target(canvas_);
  set_table(&table_);
  connect(canvas_, &ChoosingCanvas::step_wanted, this, &ChoosingView::choose_step);
  connect(canvas_, &ChoosingCanvas::token_wanted, this, &ChoosingView::write_instead);
  connect(canvas_, &ChoosingCanvas::hovered_step, this,
          [this](int step) { selection_->hover(std::nullopt, unless_none(step)); });
  connect(tree_, &ChoosingBranchesCanvas::wanted, this, &ChoosingView::go_to);
  connect(tree_, &ChoosingBranchesCanvas::removed, this, [this](int branch) {
    kept_.remove(branch);
    show_branches();
  });
  connect(selection_, &Selection::changed, this, [this] {
    if (is_fresh()) show_step();
  });
  retranslate();
}

bool ChoosingView::offers(const AnalysedRun& run) {
  const Result& result = *run.result();
  return result.model && result.model->model && !result.model->stored && result.model->text.writes &&
         !result.model->text.mask && !result.model->text.answers && !result.model->on_top;
}

// Also unseen: what was written before is a branch when somebody looks.
void ChoosingView::run_arrived() {
  if (newest_run() && offers(*newest_run())) kept_.add(*newest_run()->result());
}

void ChoosingView::refresh() {
  if (result() && offers(*run())) settings_->set_result(*result());
  show_step();
  show_branches();
}

void ChoosingView::show_step() {
  const int count = result() ? static_cast<int>(result()->steps.size()) : 0;
  const int step = std::clamp(selection_->state().step.value_or(0), 0, std::max(0, count - 1));
  try {
    step_ = result() && offers(*run()) && count > 0 ? ChosenStep::of(run()->result(), step) : nullptr;
  } catch (const Error&) {  // nothing is left to choose from
    step_ = nullptr;
  }
  canvas_->set_step(step_);
  bar()->setVisible(result() && offers(*run()));
  show_message(step_ ? QString()
                     : reason(tr("Type a source to see how its output is chosen."),
                              tr("This model does not write token after token: nothing is chosen step by step.")));
  show_table();
}

void ChoosingView::show_branches() { tree_->set_branches(step_ ? run()->result() : nullptr, kept_); }

void ChoosingView::show_table() {
  if (!step_) return table_.clear();
  std::vector<ColumnTable::Column> columns = {
      {tr("token"), [step = step_](int row) { return QVariant(token_text(nth(step->rows, row).text).name); }}};
  for (int stage = 0; stage < step_->stages(); ++stage)
    columns.push_back({stage_title(step_->stage(stage).name),
                       [step = step_, stage](int row) {
                         const double share = nth(nth(step->rows, row).shares, stage);
                         return share < 0 ? QVariant() : QVariant(share);
                       },
                       [step = step_, stage](int row) {
                         const double share = nth(nth(step->rows, row).shares, stage);
                         return share < 0 ? QString() : percent(share);
                       }});
  columns.push_back({tr("fell at"), [step = step_](int row) {
                       const int fell = nth(step->rows, row).fell;
                       return fell < 0 ? QVariant() : QVariant(stage_title(step->stage(fell).name));
                     }});
  table_.set_help([step = step_](int row) { return fate_of(*step, row); });
  table_.set(static_cast<int>(step_->rows.size()), std::move(columns));
}

QString ChoosingView::caption() const { return step_ ? reason_for(*step_) : QString(); }

void ChoosingView::choose_step(int step) {
  SelectionState state = selection_->state();
  state.step = step;
  state.entry.reset();
  state.cell.reset();
  selection_->set(state);
}

// The model goes on from another token; the sign of the end ends the output there.
void ChoosingView::write_instead(TokenId id) {
  if (!step_) return;
  const bool ends = id == result()->model->text.eos;
  const QString beginning = ends ? QString() : beginning_with(*result(), step_->step, id);
  if (!beginning.isEmpty())
    emit requests_->beginning(beginning);
  else if (const auto text = with_candidate(*result(), step_->step, id))
    emit requests_->target(text);
}

void ChoosingView::go_to(int branch) {
  if (!result()) return;
  const ChoosingBranch& to = nth(kept_.all(), branch);
  if (to.said > 0) {
    emit requests_->beginning(to.beginning);
  } else if (result()->target) {
    emit requests_->target(std::nullopt);
  } else {  // that was written with other settings, or drawn with another seed
    const QString text = spelled(*result(), to.ids);
    if (!text.isEmpty()) emit requests_->beginning(text);
  }
}

Figure ChoosingView::picture() {
  const Figure stages = figure_of(canvas_), tree = figure_of(tree_);
  const int gap = space::kMargin;
  const QSize size(stages.size.width() + gap + tree.size.width(), std::max(stages.size.height(), tree.size.height()));
  return {size,
          [stages, tree, gap](QPainter& painter) {
            stages.paint(painter);
            painter.translate(stages.size.width() + gap, 0);
            tree.paint(painter);
          },
          {},
          nullptr};
}

QVariantMap ChoosingView::own_choices() const {
  const QVariantList branches = kept_.written();
  return branches.isEmpty() ? QVariantMap() : QVariantMap{{kBranches, branches}};
}

void ChoosingView::set_own_choices(const QVariantMap& choices) {
  kept_.read(choices.value(kBranches).toList());
  show_again();
}

void ChoosingView::retranslate() {
  show_step();
  show_branches();
}

}  // namespace headlight
