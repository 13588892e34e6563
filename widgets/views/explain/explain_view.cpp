#include "widgets/views/explain/explain_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/output_text.h"
#include "widgets/views/explain/explain_canvas.h"

namespace headlight {

ExplainView::ExplainView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent),
      canvas_(new ExplainCanvas(context.selection, this)),
      which_(new QLabel(bar())),
      back_(new QToolButton(bar())),
      forth_(new QToolButton(bar())),
      play_(new QToolButton(bar())) {
  QHBoxLayout* row = bar_row();
  row->setContentsMargins(space::kMargin, 0, space::kMargin, 0);
  row->setSpacing(space::kSmall);
  which_->setTextFormat(Qt::PlainText);
  which_->setForegroundRole(QPalette::PlaceholderText);
  back_->setArrowType(Qt::LeftArrow);
  forth_->setArrowType(Qt::RightArrow);
  play_->setCheckable(true);
  for (QToolButton* button : {back_, play_, forth_}) {
    button->setFocusPolicy(Qt::TabFocus);
    button->setAutoRaise(button != play_);
  }
  which_->setWordWrap(true);
  row->addWidget(which_, 1);
  row->addWidget(back_);
  row->addWidget(play_);
  row->addWidget(forth_);
  build(canvas_, {640, 340});
  set_table(&table_);
  timer_.setInterval(kPause);
  connect(&timer_, &QTimer::timeout, this, [this] {
    if (step() + 1 >= (result() ? ExplainRows::count(*result()) : 0)) return play(false);
    walk(1);
  });
  connect(back_, &QToolButton::clicked, this, [this] { walk(-1); });
  connect(forth_, &QToolButton::clicked, this, [this] { walk(1); });
  connect(play_, &QToolButton::clicked, this, &ExplainView::play);
  connect(selection_, &Selection::changed, this, [this] {
    if (isVisible() && is_fresh()) show_step();
  });
  show_texts();
}

int ExplainView::step() const { return canvas_->rows() ? canvas_->rows()->step : -1; }

// The one that is chosen, else the one that was shown.
int ExplainView::wanted_step() const {
  const int count = result() ? ExplainRows::count(*result()) : 0;
  if (count == 0) return -1;
  const bool words = result()->steps.empty();
  const auto chosen = words ? ExplainRows::word(*run(), selection_->state()) : selection_->state().step;
  return std::clamp(chosen.value_or(std::max(0, step())), 0, count - 1);
}

void ExplainView::refresh() { show_step(); }

void ExplainView::show_step() {
  canvas_->set_rows(run() ? ExplainRows::of(*run(), wanted_step(), selection_->state(), folded_) : std::nullopt);
  show_message(result() && !result()->trace ? reason({}, {}) : QString());
  show_table();
  show_texts();
}

ShownAttention ExplainView::attention() const {
  const auto& rows = canvas_->rows();
  return rows ? ShownAttention{rows->map, rows->head} : ShownAttention{};
}

void ExplainView::set_folded(bool folded) {
  if (std::exchange(folded_, folded) != folded && is_fresh()) show_step();
}

Figure ExplainView::picture() {
  const double head = canvas_->shows_tokens() ? 0 : std::ceil(canvas_->tokens_height());
  Figure figure = figure_of(canvas_);
  figure.size.rheight() += static_cast<int>(head);
  figure.paint = [canvas = canvas_, head](QPainter& painter) {
    if (head > 0) canvas->paint_tokens(painter);
    painter.translate(0, head);
    canvas->paint_picture(painter);
  };
  return figure;
}

void ExplainView::walk(int steps) {
  if (step() < 0) return;
  // The same number of another output: a weight becomes the strongest one there.
  SelectionState state;
  const int to = std::clamp(step() + steps, 0, ExplainRows::count(*result()) - 1);
  if (canvas_->rows()->only_read)
    state.source_token = nth(result()->token_of_position, to);
  else
    state.step = to;
  selection_->set(state);
}

void ExplainView::play(bool on) {
  if (on && step() >= 0) {
    if (result() && step() + 1 >= ExplainRows::count(*result())) walk(-step());
    timer_.start();
  } else {
    timer_.stop();
  }
  play_->setChecked(timer_.isActive());
  show_texts();
}

QString ExplainView::heading() const { return which_->text(); }

void ExplainView::show_texts() {
  const auto& rows = canvas_->rows();
  const auto heading = [&] {
    const QString text = rows->hidden     ? tr("word %1 of %2 is hidden, guesses %3")
                         : rows->of_words ? tr("word %1 of %2: %3")
                                          : tr("output %1 of %2, writes %3");
    const QString said = text.arg(QString::number(rows->step + 1), QString::number(rows->steps), quoted(rows->written));
    // Of several heads the one whose question it is.
    return rows->map && rows->map->heads > 1 ? QStringLiteral("%1 · %2").arg(said, head_place(*rows->map, rows->head))
                                             : said;
  };
  which_->setText(rows ? heading() : QString());
  describe(back_, tr("Previous output"), tr("Previous output"));
  describe(forth_, tr("Next output"), tr("Next output"));
  play_->setText(timer_.isActive() ? tr("Pause") : tr("Play"));
  play_->setToolTip(tr("Walk from output to output, slowly enough to be followed."));
  back_->setEnabled(rows && rows->step > 0);
  forth_->setEnabled(rows && rows->step + 1 < rows->steps);
  play_->setEnabled(rows.has_value());
}

void ExplainView::show_table() {
  const auto& shown = canvas_->rows();
  if (!shown) return table_.clear();
  struct Line {
    QString step, what;
    double value;
  };
  std::vector<Line> lines;
  for (const ExplainRows::Row& row : shown->rows)
    for (std::size_t i = 0; i < row.numbers.size(); ++i) {
      if (row.numbers[i].cell < 0) continue;
      const bool of_token = row.kind == ExplainRows::Kind::compare || row.kind == ExplainRows::Kind::share;
      lines.push_back({ExplainCanvas::title(row.kind),
                       of_token                                ? from_utf8(shown->columns[i].text)
                       : row.kind == ExplainRows::Kind::choose ? from_utf8(shown->candidates[i])
                                                               : QString::number(i),
                       row.numbers[i].value});
    }
  const auto all = std::make_shared<const std::vector<Line>>(std::move(lines));
  const auto at = [all](int line) -> const Line& { return nth(*all, line); };
  table_.set(static_cast<int>(all->size()), {{tr("what happens"), [at](int line) { return QVariant(at(line).step); }},
                                             {tr("of"), [at](int line) { return QVariant(at(line).what); }},
                                             {tr("number"), [at](int line) { return QVariant(at(line).value); }}});
}

void ExplainView::retranslate() {
  show_texts();
  show_table();
}

}  // namespace headlight
