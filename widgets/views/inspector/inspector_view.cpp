#include "widgets/views/inspector/inspector_view.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/base/controls.h"
#include "widgets/base/text_button.h"
#include "widgets/base/tokens.h"
#include "widgets/matrix/operation_inputs.h"
#include "widgets/text/explanation_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/tensor_names.h"
#include "widgets/views/inspector/inspector_words.h"

namespace headlight {

namespace {

constexpr std::size_t kMostStops = 200;
constexpr int kCompactBelow = 430;

QString place_text(const Location& at) {
  return at.kind == Location::Kind::unnamed ? QString::fromStdString(at.name) : QString::fromStdString(at.text());
}

}  // namespace

void InspectorView::set_selection(Selection* selection) {
  if (selection_) selection_->disconnect(this);
  selection_ = selection;
  if (!selection_) return;
  connect(selection_, &Selection::changed, this, &InspectorView::follow);
  follow(selection_->state());
}

void InspectorView::follow(const SelectionState& state) {
  if (publishing_ || !trace_ || !state.entry || !state.cell) return;
  const bool exists = *state.entry >= 0 && *state.entry < trace_->size() && *state.cell >= 0 &&
                      *state.cell < (*trace_)[*state.entry].value.size();
  if (exists) open(*state.entry, static_cast<Index>(*state.cell));
}

void InspectorView::set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels, bool stored) {
  remember_terms();
  trace_ = std::move(trace);
  stored_ = stored;
  labels_ = std::move(labels);
  for (Stop& stop : history_) {
    stop.cell = find_again(stop.at);
    if (stop.at.kind == Location::Kind::activation) stop.at.entry = trace_ ? trace_->find(stop.at.name) : -1;
    if (!stop.cell.tensor.defined()) continue;
    stop.at.shape = stop.cell.tensor.shape();
    stop.at.index = stop.cell.index;
  }
  // What had no name is lost with its run.
  const auto lost = [](const Stop& stop) { return stop.at.kind == Location::Kind::unnamed; };
  const auto before = std::count_if(history_.begin(), history_.begin() + std::max(0, at_ + 1), lost);
  std::erase_if(history_, lost);
  made_.clear();
  at_ = history_.empty() ? -1 : std::max(0, at_ - static_cast<int>(before));
  show_stop();
}

namespace {

// The same head, row and column in a value that has more or fewer of them; empty where it has not got these.
Cell same_place(const Location& at, const Tensor& now) {
  if (!now.defined() || now.shape().rank() != at.shape.rank()) return {};
  Index rest = at.index, index = 0, stride = 1;
  for (int axis = at.shape.rank() - 1; axis >= 0; --axis) {
    const Index place = rest % at.shape[axis];
    if (place >= now.shape()[axis]) return {};
    rest /= at.shape[axis];
    index += place * stride;
    stride *= now.shape()[axis];
  }
  return {now, index};
}

}  // namespace

Cell InspectorView::find_again(const Location& at) const {
  if (!trace_) return {};
  if (at.kind == Location::Kind::activation) return same_place(at, trace_->value(at.name));
  if (at.kind == Location::Kind::parameter)
    for (const NamedTensor& parameter : trace_->parameters())
      if (parameter.name == at.name) return same_place(at, parameter.value);
  return {};
}

void InspectorView::open(int entry, Index cell) {
  if (!trace_ || entry < 0 || entry >= trace_->size()) return;
  const TraceEntry& e = (*trace_)[entry];
  if (cell < 0 || cell >= e.value.size()) return;
  go({{Location::Kind::activation, entry, e.site.text, e.value.shape(), cell}, {e.value, cell}});
}

void InspectorView::open_made(std::vector<MadeNumber> numbers) {
  if (!trace_ || numbers.empty()) return;
  // What stands in the history stays; the rest of an earlier number is not met any more.
  std::erase_if(made_, [&](const MadeNumber& each) {
    return std::ranges::none_of(
        history_, [&](const Stop& stop) { return stop.cell.tensor.storage_id() == each.cell.tensor.storage_id(); });
  });
  const Cell first = numbers.front().cell;
  made_.insert(made_.end(), std::make_move_iterator(numbers.begin()), std::make_move_iterator(numbers.end()));
  Location at;
  at.name = "share";
  at.shape = first.tensor.shape();
  go({std::move(at), first});
}

const InspectorView::MadeNumber* InspectorView::made_of(const Cell& cell) const {
  if (!cell.tensor.defined()) return nullptr;
  for (const MadeNumber& each : made_)
    if (each.cell.tensor.storage_id() == cell.tensor.storage_id()) return &each;
  return nullptr;
}

void InspectorView::go(Stop stop) {
  if (at_ >= 0) {
    const Location& now = nth(history_, at_).at;
    const bool same = now.kind == stop.at.kind && now.name == stop.at.name && now.index == stop.at.index &&
                      now.kind != Location::Kind::unnamed;
    if (same) return show_stop();
  }
  remember_terms();
  history_.resize(static_cast<std::size_t>(at_ + 1));
  history_.push_back(std::move(stop));
  if (history_.size() > kMostStops) history_.erase(history_.begin());
  at_ = static_cast<int>(history_.size()) - 1;
  show_stop();
  publish();
}

void InspectorView::go_to(int stop) {
  if (stop < 0 || stop >= static_cast<int>(history_.size())) return;
  remember_terms();
  at_ = stop;
  show_stop();
  publish();
}

void InspectorView::remember_terms() {
  if (at_ < 0 || !nth(history_, at_).cell.tensor.defined()) return;
  Stop& stop = nth(history_, at_);
  stop.scroll = table_->verticalScrollBar()->value();
  stop.row = table_->currentIndex().row();
  stop.column = std::max(0, table_->currentIndex().column());
}

void InspectorView::publish() {
  const Stop& stop = nth(history_, at_);
  if (!selection_ || stop.at.entry < 0 || !stop.cell.tensor.defined()) return;
  publishing_ = true;
  selection_->set(selection_of(*trace_, stop.at.entry, stop.at.index, labels_, selection_->state()));
  publishing_ = false;
}

void InspectorView::open_factor(const QModelIndex& index) {
  const Cell* cell = model_->cell(index);
  if (!cell || !trace_) return;
  Location at = trace_->locate(*cell);
  Cell there = *cell;
  if (at.kind == Location::Kind::activation) there = {(*trace_)[at.entry].value, at.index};
  go({std::move(at), std::move(there)});
}

std::optional<Location> InspectorView::shown() const {
  if (at_ < 0 || !nth(history_, at_).cell.tensor.defined()) return std::nullopt;
  return nth(history_, at_).at;
}

// --- showing

Explanation InspectorView::explanation_of(const Stop& stop) const {
  Explanation leaf;
  leaf.value = leaf.recomputed = stop.cell.value();
  if (stop.at.kind == Location::Kind::parameter) return leaf;
  if (const MadeNumber* made = made_of(stop.cell)) return made->explanation;
  if (stop.at.entry >= 0) {
    if (const int alias = alias_of(*trace_, stop.at.entry); alias >= 0) {
      leaf.kind = Explanation::Kind::copy;
      leaf.terms.push_back({"=", leaf.value, {{(*trace_)[alias].value, stop.at.index}}});
      return leaf;
    }
  }
  try {
    return trace_->explain(stop.cell);
  } catch (const Error&) {
    return leaf;  // the run kept no graph
  }
}

void InspectorView::show_stop() {
  const bool any = at_ >= 0;
  const Stop* stop = any ? &nth(history_, at_) : nullptr;
  const bool present = stop && stop->cell.tensor.defined();
  back_->setEnabled(can_go_back());
  forward_->setEnabled(can_go_forward());
  copy_->setEnabled(present);
  copy_numpy_->setEnabled(present);
  scroll_->setVisible(present);
  empty_->setVisible(!present);
  show_crumbs();
  if (!present) {
    model_->set_explanation(trace_, {});
    empty_->setText(any ? tr("%1 does not exist for the present input.").arg(place_text(stop->at))
                        : tr("Click any number: a cell of the alignment, of a matrix, or of the output. "
                             "Its arithmetic opens here, down to the weights of the model."));
    return;
  }
  const Explanation explanation = explanation_of(*stop);
  model_->set_explanation(trace_, explanation, labels_);
  size_columns();
  table_row_->setVisible(!explanation.terms.empty());
  show_texts(*stop, explanation);
  show_result(explanation);
  show_edit(*stop);
  show_goes(*stop);
  // As it was left; at first the term in question is on top.
  if (stop->row >= 0 && stop->row < model_->rowCount())
    table_->setCurrentIndex(model_->index(stop->row, std::min(stop->column, model_->columnCount() - 1)));
  table_->verticalScrollBar()->setValue(stop->scroll);
}

namespace {
// Where a name has no room between the buttons, it stands below them.
void place_crumbs(TextButton* crumbs, int wanted) {
  auto* grid = static_cast<QGridLayout*>(crumbs->parentWidget()->layout());
  const QMargins around = grid->contentsMargins();
  int room = crumbs->parentWidget()->width() - around.left() - around.right();
  for (int i = 0; i < grid->count(); ++i)
    if (const QWidget* each = grid->itemAt(i)->widget(); each != crumbs)
      room -= each->sizeHint().width() + grid->spacing();
  const bool below = wanted > room;
  if (below != (grid->itemAtPosition(1, 0) == nullptr)) return;
  grid->removeWidget(crumbs);
  grid->addWidget(crumbs, below ? 1 : 0, below ? 0 : 3, 1, below ? grid->columnCount() : 1);
  grid->activate();
}
}  // namespace

// As much of the way here as there is room for; the whole way is in the menu.
void InspectorView::show_crumbs() {
  crumbs_->setVisible(at_ >= 0);
  if (at_ < 0) return;
  const QFontMetrics metrics(crumbs_->font());
  const QString separator = QStringLiteral(" › "), before = QStringLiteral("… › ");
  QString path = trace_ ? short_place(nth(history_, at_).at, *trace_, labels_) : QString();
  crumbs_->set_lines(path);
  place_crumbs(crumbs_, crumbs_->sizeHint().width());
  for (int i = at_ - 1; trace_ && i >= 0; --i) {
    const QString longer = short_place(nth(history_, i).at, *trace_, labels_) + separator + path;
    const bool fits = metrics.horizontalAdvance((i > 0 ? before : QString()) + longer) < crumbs_->width() - 28;
    if (!fits) {
      path.prepend(before);
      break;
    }
    path = longer;
  }
  crumbs_->set_lines(path);
  const QString whole = place_text(nth(history_, at_).at);
  crumbs_->setToolTip(wrapped_tooltip(tr("%1 – click for every number on the way here").arg(whole)));
  crumbs_->setAccessibleName(tr("Numbers on the way here: %1").arg(whole));
}

void InspectorView::open_history() {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  constexpr int kMost = 24;
  for (int i = static_cast<int>(history_.size()) - 1; i >= 0 && menu->actions().size() < kMost; --i) {
    // An ampersand is no shortcut here.
    QAction* action = menu->addAction(place_text(nth(history_, i).at).replace(QLatin1Char('&'), QLatin1String("&&")));
    action->setCheckable(true);
    action->setChecked(i == at_);
    connect(action, &QAction::triggered, this, [this, i] { go_to(i); });
  }
  menu->popup(crumbs_->mapToGlobal(QPoint(0, crumbs_->height())));
}

QString InspectorView::words(const Stop& stop) const {
  if (stop.at.entry >= 0) return question_of(*trace_, stop.at.entry, stop.at.index, labels_);
  if (stop.at.kind == Location::Kind::parameter) return tr("weight %1").arg(place_text(stop.at));
  if (const MadeNumber* made = made_of(stop.cell)) return made->title;
  return tr("intermediate value of ‘%1’").arg(QString::fromStdString(stop.at.name));
}

// For a number that nothing was computed from.
QString InspectorView::leaf_words(const Stop& stop) const {
  if (stop.at.kind == Location::Kind::parameter)
    return tr("A weight, learned in training. It is the same for every input.");
  if (stop.at.entry < 0) return tr("A constant that the computation starts with.");
  const Site& site = (*trace_)[stop.at.entry].site;
  const auto id = static_cast<int>(stop.cell.value());
  const bool source = site.kind->role == SiteKind::Role::source, written = site.kind->role == SiteKind::Role::written;
  const QStringList& vocabulary = source ? labels_.source_vocabulary : labels_.target_vocabulary;
  if ((source || written) && id >= 0 && id < vocabulary.size())
    return tr("An input: token number %1 of the vocabulary is ‘%2’.").arg(QString::number(id), vocabulary[id]);
  return tr("An input of the computation.");
}

void InspectorView::show_texts(const Stop& stop, const Explanation& explanation) {
  title_->setText(words(stop));
  value_->setText(short_number(stop.cell.value()));
  value_->setToolTip(exact_number(stop.cell.value()));
  value_->setAccessibleName(exact_number(stop.cell.value()));
  const SiteKind* kind = stop.at.entry >= 0 ? (*trace_)[stop.at.entry].site.kind : nullptr;
  QString help = kind ? site_help(*kind) : QString();
  const MadeNumber* made = made_of(stop.cell);
  const bool leaf = explanation.kind == Explanation::Kind::leaf && explanation.terms.empty();
  if (const QString share = share_sentence(explanation); !share.isEmpty()) help = share;
  if (const QString group = kind ? group_sentence(*trace_, stop.at.entry, stop.at.index) : QString(); !group.isEmpty())
    help = help.isEmpty() ? group : help + ' ' + group;
  if (made) help = made->help;
  if (leaf) help = help.isEmpty() ? leaf_words(stop) : help + QLatin1Char('\n') + leaf_words(stop);
  help_->setText(help);
  help_->setVisible(!help.isEmpty() && (!compact_ || leaf));
  const QString what = stop.at.entry >= 0 ? cell_in_words(*trace_, stop.at.entry, stop.at.index, labels_) : QString();
  title_->setToolTip(wrapped_tooltip((what + QLatin1Char('\n') + (kind ? site_help(*kind) : help)).trimmed()));
  QString formula = kind ? QString::fromUtf8(kind->formula) : QString();
  QString paper = kind ? QString::fromUtf8(kind->paper) : QString();
  if (formula.isEmpty() && explanation.op) formula = QString::fromUtf8(explanation.op->formula);
  if (paper.isEmpty() && explanation.op) paper = QString::fromUtf8(explanation.op->paper);
  formula_->setText(formula_markup(formula));
  formula_->setAccessibleName(formula);
  formula_->setVisible(!formula.isEmpty());
  paper_->setText(paper);
  paper_->setVisible(!paper.isEmpty() && !compact_);
  formula_->setToolTip(compact_ ? wrapped_tooltip(paper) : QString());
  show_in_file(stop, explanation);
  terms_->setText(explanation.terms.size() == 1 ? tr("1 term") : tr("%1 terms").arg(explanation.terms.size()));
}

void InspectorView::show_in_file(const Stop& stop, const Explanation& explanation) {
  QStringList lines;
  if (const QString place = place_in_file(stop.at, labels_); !place.isEmpty())
    lines << tr("In the file: %1, as %2").arg(place, parameter_words(stop.at.name));
  for (const QString& line : tensors_in_file(explanation, *trace_, labels_)) lines << tr("From the file: %1").arg(line);
  QString text = lines.join(QLatin1Char('\n'));
  in_file_->setAccessibleName(text);
  in_file_->setToolTip(wrapped_tooltip(text));
  // Long names are broken behind their points.
  in_file_->setText(text.replace(QLatin1Char('.'), QStringLiteral(".\u200b")));
  in_file_->setVisible(!lines.isEmpty() && (!compact_ || stop.at.kind == Location::Kind::parameter));
}

void InspectorView::show_result(const Explanation& explanation) {
  const bool edit = explanation.op && std::string_view(explanation.op->id) == "edit" && !explanation.terms.empty();
  sum_->setText(edit ? tr("set by you; before it was %1").arg(exact_number(explanation.terms[0].value))
                     : result_line(explanation));
  sum_->setVisible(!sum_->text().isEmpty());
  const bool arithmetic =
      !edit && explanation.kind != Explanation::Kind::leaf && explanation.kind != Explanation::Kind::copy;
  check_->setVisible(arithmetic && !compact_);
  if (arithmetic) {
    const double apart = std::abs(explanation.recomputed - explanation.value);
    const bool same = apart <= 1e-4 * std::max(1.0, std::abs(explanation.value)) ||
                      (std::isnan(explanation.recomputed) && std::isnan(explanation.value));
    const QString size = short_number(apart, 1);
    check_->setText(apart == 0 ? tr("✓ checked, the same")
                    : same     ? tr("✓ checked (difference %1)").arg(size)
                               : tr("✗ checked (difference %1)").arg(size));
    check_->setToolTip(wrapped_tooltip(tr("computed again in double precision: %1, difference %2")
                                           .arg(exact_number(explanation.recomputed), short_number(apart))));
  }
  sum_->setToolTip(arithmetic && compact_ ? wrapped_tooltip(check_->text()) : QString());
}

// The next values that are computed from it, and what the step writes in the end.
void InspectorView::show_goes(const Stop& stop) {
  QStringList links;
  // With its colour: the same text set again would keep that of the theme in which it was set first.
  const auto link = [&](int entry, const QString& text) {
    links << QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
                 .arg(QString::number(entry), tokens().ink.name(), text.toHtmlEscaped());
  };
  if (stop.at.entry >= 0 && !compact_) {  // to find who takes it is work
    const TraceEntry& here = (*trace_)[stop.at.entry];
    const bool weights = here.site.kind->role == SiteKind::Role::weights;
    for (const int entry : consumers_of(*trace_, stop.at.entry, 1)) {
      QString text = site_title(*(*trace_)[entry].site.kind);
      if (weights) text = tr("%1 % of the %2").arg(100 * stop.cell.value(), 0, 'f', 0).arg(text);
      link(entry, text);
    }
    const int step = static_cast<int>(here.site.step);
    const bool decoder = here.site.kind->side == SiteKind::Side::decoder && step >= 0 && step < labels_.written.size();
    const int probabilities = decoder ? trace_->find("decoder.step[" + std::to_string(step) + "].output.probs") : -1;
    if (probabilities > stop.at.entry) link(probabilities, tr("the ‘%1’").arg(labels_.written[step]));
  }
  goes_->setText(links.join(QStringLiteral(" &nbsp;›&nbsp; ")));
  goes_->setVisible(!links.isEmpty() && !compact_);
  goes_title_->setVisible(!links.isEmpty() && !compact_);
}

// The same cell where the value has the same shape; of probabilities the largest; else the first.
void InspectorView::follow_link(const QString& link) {
  const int entry = link.toInt();
  if (!trace_ || !shown() || entry < 0 || entry >= trace_->size()) return;
  const Tensor& value = (*trace_)[entry].value;
  Index cell = 0;
  if (value.shape() == shown()->shape)
    cell = shown()->index;
  else if ((*trace_)[entry].site.text.ends_with(".probs"))
    value.array().maxCoeff(&cell);
  open(entry, cell);
}

// --- copies

QString InspectorView::plain_text() const {
  if (!shown()) return {};
  const Explanation& e = model_->explanation();
  const QString what =
      shown()->entry >= 0 ? cell_in_words(*trace_, shown()->entry, shown()->index, labels_) : title_->text();
  QStringList lines{what, QStringLiteral("%1 = %2").arg(place_text(*shown()), exact_number(e.value))};
  if (const QString formula = formula_->accessibleName(); !formula.isEmpty())
    lines << formula + (paper_->text().isEmpty() ? QString() : QStringLiteral("   (%1)").arg(paper_->text()));
  for (const Term& term : e.terms) {
    QStringList factors;
    for (const Cell& cell : term.cells)
      factors << QStringLiteral("%1 [%2]").arg(exact_number(cell.value()), place_text(trace_->locate(cell)));
    lines << QStringLiteral("  %1: %2 = %3")
                 .arg(QString::fromStdString(term.label), factors.join(QStringLiteral("; ")), exact_number(term.value));
  }
  if (!sum_->text().isEmpty()) lines << sum_->text();
  if (const QString file = in_file_->accessibleName(); !file.isEmpty()) lines << file;
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString InspectorView::numpy_text() const {
  if (!shown()) return {};
  return QStringLiteral("%1  # %2 = %3")
      .arg(numpy_expression(model_->explanation()), place_text(*shown()),
           QString::number(model_->explanation().value, 'g', 9));
}

void InspectorView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool compact = height() < kCompactBelow;
  if (compact != std::exchange(compact_, compact)) return show_stop();
  show_crumbs();
}

void InspectorView::copy_text() { QApplication::clipboard()->setText(plain_text()); }
void InspectorView::copy_numpy() { QApplication::clipboard()->setText(numpy_text()); }

void InspectorView::keyPressEvent(QKeyEvent* event) {
  const bool alt = event->modifiers() & Qt::AltModifier;
  if ((alt && event->key() == Qt::Key_Left) || event->key() == Qt::Key_Back) return back();
  if ((alt && event->key() == Qt::Key_Right) || event->key() == Qt::Key_Forward) return forward();
  if (event->matches(QKeySequence::Copy)) return copy_text();
  QWidget::keyPressEvent(event);
}

}  // namespace headlight
