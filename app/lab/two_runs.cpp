#include "app/lab/two_runs.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <utility>

#include "app/file_dialogs.h"
#include "app/lab/lab_picture.h"
#include "app/lab/lab_probe.h"
#include "app/lab/more_seeds.h"
#include "app/lab/setup/training_words.h"
#include "model/core/errors.h"
#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/segments.h"
#include "widgets/base/spoken.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/tables/table_pane.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr int kRests = 600;           // milliseconds without another sentence, before it is read aloud
constexpr int kTableHeight = 180;     // pixels, below the pictures
constexpr double kFigureWords = 2.4;  // lines of the sentence in a file, and of the heading over each picture

using Together = LabShown::Together;
constexpr Together kTogether[] = {Together::same_moment, Together::same_score, Together::end};

// A square of the table.
struct SquareRow {
  QString word, at;
  double first = 0, second = 0;
};

}  // namespace

TwoRuns::TwoRuns(LabShown* shown, QWidget* parent)
    : QWidget(parent),
      shown_(shown),
      seeds_(new MoreSeeds(shown, this)),
      together_(nullptr),
      sentence_(nullptr),
      problem_(nullptr),
      more_seeds_(nullptr),
      show_table_(nullptr),
      export_(nullptr),
      pane_(nullptr) {
  setObjectName(QStringLiteral("two_runs"));
  auto* rows = column_in(this, space::kMedium);
  rows->addWidget(make_head());
  auto* columns = new QHBoxLayout;
  columns->setSpacing(space::kMargin + space::kSmall);
  for (int side = 0; side < 2; ++side) {
    sides_[static_cast<std::size_t>(side)] = make_side(side);
    columns->addWidget(sides_[static_cast<std::size_t>(side)].box, 1);
  }
  rows->addLayout(columns, 1);
  rows->addWidget(make_foot());
  table_.setSourceModel(&cells_);
  pane_ = new TablePane(&table_, this);
  pane_->setFixedHeight(kTableHeight);
  pane_->hide();
  rows->addWidget(pane_);
  connect(pane_, &TablePane::closed, this, [this] {
    show_table_->setChecked(false);
    show_table_->setFocus(Qt::OtherFocusReason);
  });
  rests_.setSingleShot(true);
  rests_.setInterval(kRests);
  connect(&rests_, &QTimer::timeout, this, [this] { Spoken::instance().say(sentence_, said_.text); });
  for (const auto signal : {&LabShown::runsChanged, &LabShown::moved, &LabShown::chosenChanged})
    connect(shown_, signal, this, &TwoRuns::refresh);
  retranslates(this, [this] { retranslate(); });
  retranslate();
}

QWidget* TwoRuns::make_head() {
  auto* head = new QWidget(this);
  auto* row = row_in(head, space::kSmall);
  row->addStretch(1);
  together_ = new Segments(head);
  together_->setObjectName(QStringLiteral("two_runs_together"));
  row->addWidget(together_);
  connect(together_, &Segments::chosen, this, [this](int at) {
    if (at >= 0 && at < static_cast<int>(std::size(kTogether))) shown_->set_together(kTogether[at]);
  });
  return head;
}

TwoRuns::Side TwoRuns::make_side(int side) {
  Side made;
  made.box = new QWidget(this);
  auto* rows = column_in(made.box, space::kSmall);
  auto* head = new QHBoxLayout;
  head->setSpacing(space::kSmall);
  made.name = text_label(made.box, false);
  made.what = text_label(made.box);
  set_ink(made.what, &Tokens::ink2);
  made.state = text_label(made.box, false);
  head->addWidget(made.name, 0, Qt::AlignTop);
  head->addWidget(made.what, 1, Qt::AlignTop);
  head->addWidget(made.state, 0, Qt::AlignTop);
  rows->addLayout(head);
  theme().restyles(made.box, [made] {
    made.name->setFont(bold_font(type::kTitle));
    made.what->setFont(theme().ui_font(type::kSource));
  });
  made.name->setFont(bold_font(type::kTitle));
  made.what->setFont(theme().ui_font(type::kSource));
  made.picture = new LabPicture(shown_, side, made.box);
  made.picture->setObjectName(QStringLiteral("two_runs_picture_%1").arg(side));
  made.picture->installEventFilter(this);
  rows->addWidget(made.picture, 1);
  return made;
}

QWidget* TwoRuns::make_foot() {
  auto* foot = new QWidget(this);
  auto* rows = column_in(foot, space::kTight);
  sentence_ = text_label(foot);
  sentence_->setObjectName(QStringLiteral("two_runs_sentence"));
  sentence_->setTextFormat(Qt::RichText);
  problem_ = text_label(foot);
  problem_->setObjectName(QStringLiteral("two_runs_problem"));
  set_ink(problem_, &Tokens::bad);
  problem_->hide();
  const auto button = [foot](const char* name) {
    auto* made = new QPushButton(foot);
    made->setObjectName(QString::fromUtf8(name));
    made->setAutoDefault(false);
    return made;
  };
  more_seeds_ = button("two_runs_more_seeds");
  show_table_ = button("two_runs_table");
  show_table_->setCheckable(true);
  export_ = button("two_runs_export");
  connect(more_seeds_, &QPushButton::clicked, this, [this] {
    problem_->hide();
    if (seeds_->left() > 0)
      seeds_->stop();
    else if (ready())
      seeds_->train(missing_seeds(compared()));
  });
  connect(seeds_, &MoreSeeds::changed, this, &TwoRuns::show_more_seeds);
  connect(seeds_, &MoreSeeds::trained, this, &TwoRuns::seedTrained);
  connect(seeds_, &MoreSeeds::failed, this, [this](const QString& message) {
    problem_->setText(message);
    problem_->show();
  });
  connect(show_table_, &QPushButton::toggled, this, [this](bool shown) { pane_->setVisible(shown); });
  connect(export_, &QPushButton::clicked, this, &TwoRuns::export_figure);
  auto* acts = new QHBoxLayout;
  acts->setSpacing(space::kSmall);
  acts->addWidget(more_seeds_);
  acts->addStretch(1);
  acts->addWidget(show_table_);
  acts->addWidget(export_);
  rows->addWidget(sentence_);
  rows->addWidget(problem_);
  rows->addLayout(acts);
  return foot;
}

void TwoRuns::set_probe(LabProbe* probe) {
  if (probe_) disconnect(probe_, nullptr, this, nullptr);
  probe_ = probe;
  for (const Side& side : sides_) side.picture->set_probe(probe);
  if (probe_) connect(probe_, &LabProbe::changed, this, &TwoRuns::refresh);
  refresh();
}

void TwoRuns::compare_moments(bool compared) {
  if (std::exchange(moments_, compared) == compared) return;
  if (!compared) shown_->set_together(Together::same_moment);
  refresh();
}

bool TwoRuns::ready() const {
  const auto& runs = shown_->runs();
  return runs.size() == 2 && !runs[0]->moments.empty() && !runs[1]->moments.empty();
}

RunsCompared TwoRuns::compared() const {
  RunsCompared all;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto at = static_cast<int>(side);
    const LabShown::Run& run = all.runs[side] = shown_->runs()[side];
    all.moments[side] = shown_->moment(at);
    const auto probe = static_cast<std::size_t>(shown_->probe());
    const Moment& now = shown_->now(at);
    all.probes[side] = probe_ ? probe_->probe(at) : probe < run->probes.size() ? &run->probes[probe] : nullptr;
    all.tried[side] = probe_ ? probe_->run(at) : probe < now.probes.size() ? &now.probes[probe] : nullptr;
  }
  all.map = shown_->map();
  all.together = shown_->together();
  all.one_run = moments_;
  all.thin = shown_->thin();
  return all;
}

// --- what is shown

void TwoRuns::refresh() {
  if (!ready()) {
    said_ = {};
    cells_.clear();
    for (const Side& side : sides_) side.picture->set_outlined({});
    together_->hide();
    return show_sentence();
  }
  if (moments_ && shown_->together() != Together::apart) return shown_->set_together(Together::apart);
  const RunsCompared all = compared();
  const ProbeDifference difference = squares_between(all);
  for (const Side& side : sides_) side.picture->set_outlined(difference.cells);
  show_together();
  show_headings();
  said_ = two_runs_said(all, difference);
  show_sentence();
  show_cells(all, difference);
}

void TwoRuns::show_together() {
  const auto reached = [this](int side) {
    return first_at(*shown_->runs()[static_cast<std::size_t>(side)], kSameScore).has_value();
  };
  const QString share = share_percent(kSameScore);
  const bool possible = reached(0) || reached(1);
  together_->set_choices({{tr("same moment"), tr("Both after as many sentences read: one handle")},
                          {tr("both at %1").arg(share),
                           possible ? tr("Each where it first had %1 right of what it never saw").arg(share)
                                    : tr("Neither run has had %1 right of what it never saw").arg(share),
                           possible},
                          {tr("both at the end"), tr("The last moment of each")}});
  const auto* at = std::ranges::find(kTogether, shown_->together());
  together_->set_current(at == std::end(kTogether) ? -1 : static_cast<int>(at - std::begin(kTogether)));
  together_->setVisible(!moments_);
}

void TwoRuns::show_more_seeds() {
  const int left = seeds_->left();
  more_seeds_->setVisible(left > 0 || said_.more_seeds);
  if (left > 0) return more_seeds_->setText(tr("Stop: trainings left: %1").arg(left));
  if (!said_.more_seeds) return;
  double seconds = 0;
  for (const WantedSeed& each : missing_seeds(compared())) seconds += each.seconds;
  more_seeds_->setText(tr("Train %1 seeds of each (about %2)").arg(kSeedsNeeded).arg(duration_words(seconds)));
}

void TwoRuns::show_headings() {
  const RunsCompared all = compared();
  for (int side = 0; side < 2; ++side) {
    const SideHeading heading = side_heading(all, side);
    const Side& to = sides_[static_cast<std::size_t>(side)];
    to.name->setText(heading.name);
    to.what->setText(heading.what);
    to.state->setText(heading.state);
    set_ink(to.name, side == shown_->side() ? &Tokens::ink : &Tokens::ink2);
  }
}

QString TwoRuns::heading(int side) const {
  const Side& of = sides_[static_cast<std::size_t>(side)];
  QStringList parts = {of.name->text(), of.what->text(), of.state->text()};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

void TwoRuns::show_sentence() {
  QString rich = said_.text.toHtmlEscaped();
  const QString most = said_.most.toHtmlEscaped();
  if (const auto at = most.isEmpty() ? -1 : rich.indexOf(most); at >= 0)
    rich.replace(at, most.size(), QStringLiteral("<b>%1</b>").arg(most));
  show_more_seeds();
  show_table_->setEnabled(ready());
  export_->setEnabled(ready());
  if (rich == sentence_->text()) return;
  sentence_->setText(rich);
  sentence_->setAccessibleName(said_.text);
  if (isVisible() && !said_.text.isEmpty()) rests_.start();
}

void TwoRuns::show_cells(const RunsCompared& compared, const ProbeDifference& difference) {
  auto squares = std::make_shared<std::vector<SquareRow>>();
  for (const ProbeDifference::Cell& cell : difference.cells)
    squares->push_back({row_word(compared, cell.row), column_word(compared, cell.column), cell.first, cell.second});
  const auto of = [squares](auto value) {
    return [squares, value](int row) { return QVariant(value((*squares)[static_cast<std::size_t>(row)])); };
  };
  const auto share = [squares](auto value) {
    return [squares, value](int row) { return plain_number(value((*squares)[static_cast<std::size_t>(row)])); };
  };
  const auto first = [](const SquareRow& row) { return row.first; };
  const auto second = [](const SquareRow& row) { return row.second; };
  const auto apart = [](const SquareRow& row) { return row.second - row.first; };
  cells_.set(static_cast<int>(squares->size()), {{tr("word"), of([](const SquareRow& row) { return row.word; })},
                                                 {tr("at"), of([](const SquareRow& row) { return row.at; })},
                                                 {tr("left"), of(first), share(first)},
                                                 {tr("right"), of(second), share(second)},
                                                 {tr("difference"), of(apart), share(apart)}});
}

void TwoRuns::retranslate() {
  together_->set_words(tr("Where the two runs stand"), tr("Which moments are beside each other"));
  more_seeds_->setToolTip(wrapped_tooltip(tr("By chance alone, all %1 of the left setting lie above all of the right "
                                             "one in 1 of 20 cases; with one each, in "
                                             "1 of 2.")
                                              .arg(kSeedsNeeded)));
  show_table_->setText(tr("&Table"));
  show_table_->setToolTip(tr("The squares that differ, as numbers"));
  export_->setText(tr("E&xport…"));
  export_->setToolTip(tr("Both pictures as PNG, SVG or PDF, or the squares that differ as CSV"));
  pane_->set_name(tr("Squares that differ"));
  refresh();
}

bool TwoRuns::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn)
    for (int side = 0; side < 2; ++side)
      if (watched == picture(side) && ready()) shown_->set_side(side);
  return QWidget::eventFilter(watched, event);
}

// --- files

Figure TwoRuns::figure() {
  if (!ready()) throw UsageError(bytes_of(tr("There are no two runs to compare.")));
  const QSize first = picture(0)->figure().size, second = picture(1)->figure().size;
  const auto words = static_cast<int>(kFigureWords * Theme::line_height(theme().ui_font()));
  const QSize size(first.width() + second.width() + space::kMargin,
                   std::max(first.height(), second.height()) + 2 * words + 2 * space::kSmall);
  return {size, [this, size](QPainter& painter) { paint_figure(painter, size); }, said_.text, &table_};
}

void TwoRuns::paint_figure(QPainter& painter, QSize size) const {
  const double words = kFigureWords * Theme::line_height(theme().ui_font());
  double left = 0;
  for (int side = 0; side < 2; ++side) {
    const Figure drawn = picture(side)->figure();
    const QRectF head(left, 0, drawn.size.width(), words);
    write_words(painter, head, heading(side), bold_font(), tokens().ink);
    painter.save();
    painter.translate(left, words + space::kSmall);
    drawn.paint(painter);
    painter.restore();
    left += drawn.size.width() + space::kMargin;
  }
  const QRectF foot(0, size.height() - words, size.width(), words);
  write_words(painter, foot, said_.text, theme().ui_font(), tokens().ink);
}

void TwoRuns::export_figure() {
  problem_->hide();
  ask_where_to_write(this, figure_question(tr("Export the comparison"), QStringLiteral("two-runs.png")),
                     [this](const QString& path) {
                       try {
                         write_figure(figure(), path);
                       } catch (const Error& error) {
                         problem_->setText(from_utf8(error.what()));
                         problem_->show();
                       }
                     });
}

}  // namespace headlight
