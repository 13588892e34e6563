#include "widgets/views/choosing/choosing_view.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

#include "model/core/errors.h"
#include "widgets/base/controls.h"
#include "widgets/base/selection.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
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
constexpr int kLeastBeside = 760;                // pixels at 100 %; narrower, the branches stand below
constexpr int kLeastBelow = 560;                 // pixels at 100 %; lower, the stages have all the room

// The stages, and what stands beside or below them.
class ChoosingPages : public QWidget {
 public:
  explicit ChoosingPages(QWidget* parent) : QWidget(parent), left_(new QWidget(this)), right_(new QWidget(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    column_in(left_, 0);
    auto* column = new QGridLayout(right_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setVerticalSpacing(0);
    column->setRowStretch(0, 1);
    row_ = row_in(this, space::kMargin);
    row_->addWidget(left_, kStagesShare);
    row_->addWidget(right_, kTreeShare);
  }
  QWidget* left() const { return left_; }
  QWidget* right() const { return right_; }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    const bool beside = width() >= kLeastBeside * theme().font_scale();
    row_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    row_->setSpacing(beside ? space::kMargin : 0);
    right_->layout()->setContentsMargins(beside ? 0 : space::kMargin, 0, 0, 0);
    const bool tree = beside || height() >= kLeastBelow * theme().font_scale();
    if (QLayoutItem* branches = right_->layout()->itemAt(0)) branches->widget()->setVisible(tree);
    row_->setStretchFactor(right_, tree ? kTreeShare : 0);
    QWidget::resizeEvent(event);
  }

 private:
  QWidget *left_, *right_;
  QHBoxLayout* row_;
};

}  // namespace

ChoosingView::ChoosingView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  settings_ = new ChoosingBar(context.requests, bar());
  bar_row()->setContentsMargins(space::kMargin, 0, 0, 0);
  bar_row()->addWidget(settings_, 1);
  auto* both = new ChoosingPages(this);
  canvas_ = new ChoosingCanvas(both->left());
  both->left()->layout()->addWidget(canvas_);
  tree_ = new ChoosingBranchesCanvas(both->right());
  auto* column = static_cast<QGridLayout*>(both->right()->layout());
  column->addWidget(tree_, 0, 0);
  auto* corner = new QHBoxLayout;
  corner->setContentsMargins(0, space::kSmall, space::kMargin, 0);
  corner->addStretch(1);
  corner->addWidget(settings_->draw_again());
  column->addLayout(corner, 0, 0, Qt::AlignTop);
  column->addWidget(settings_->stages(), 1, 0);
  build(both, {900, 460});
  own_fields();
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
  QSize field;
  for (const std::string& key : settings_->stage_keys()) field = field.expandedTo(settings_->box(key)->sizeHint());
  field.setWidth(qCeil(text_width(QStringLiteral("0.888"), theme().ui_font())) + 3 * space::kSmall);
  // The step first: fields are placed as soon as they are laid out, over the columns of this step.
  canvas_->set_step(step_);
  canvas_->set_fields(step_ && !step_->forced ? settings_->stage_keys() : std::set<std::string>(), field);
  place_fields();
  bar()->setVisible(result() && offers(*run()));
  show_message(step_ ? QString()
                     : reason(tr("Type a source to see how its output is chosen."),
                              tr("This model does not write token after token: nothing is chosen step by step.")));
  show_table();
}

// The fields of the stages stand over their columns, and go along with them.
void ChoosingView::own_fields() {
  QWidget* before = canvas_;
  for (const ChoosingBar::Field& field : ChoosingBar::fields()) {
    if (!field.is_stage()) continue;
    QWidget* box = settings_->box(field.key);
    box->setParent(canvas_->viewport());
    setTabOrder(before, box);
    before = box;
  }
  connect(canvas_, &ChoosingCanvas::heads_moved, this, &ChoosingView::place_fields);
}

void ChoosingView::place_fields() {
  std::set<std::string> hidden = settings_->stage_keys();
  for (int stage = 0; step_ && !step_->forced && stage < step_->stages(); ++stage) {
    const QRectF place = canvas_->field_place(stage);
    if (place.isNull()) continue;
    const std::string& key = step_->stage(stage).name;
    settings_->box(key)->setGeometry(place.toRect());
    settings_->box(key)->show();
    hidden.erase(key);
  }
  for (const std::string& key : hidden) settings_->box(key)->hide();
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
  if (!step_ || is_half_character(*result(), step_->step, id)) return;
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
