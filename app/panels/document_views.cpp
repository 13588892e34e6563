#include "app/panels/document_views.h"

#include <QListView>
#include <QMainWindow>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/document/run_texts.h"
#include "app/jobs/listed_runs.h"
#include "app/jobs/side_runs.h"
#include "app/panels/edits_panel.h"
#include "app/panels/help_panel.h"
#include "app/panels/help_text.h"
#include "app/panels/living_links.h"
#include "app/panels/message_banner.h"
#include "app/panels/text_list_links.h"
#include "app/panels/weight_dialog.h"
#include "app/stage/map_panel.h"
#include "app/stage/pictures_popup.h"
#include "app/stage/stage.h"
#include "app/stage/window_panels.h"
#include "app/text/as_trained.h"
#include "app/text/chat_rows.h"
#include "app/text/output_column.h"
#include "app/text/pair_row.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "model/core/json_library.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/effect_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/step_words.h"
#include "widgets/text/vector_words.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/cost/cost_view.h"
#include "widgets/views/explain/explain_canvas.h"
#include "widgets/views/explain/explain_view.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/history/history_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/living/view.h"
#include "widgets/views/origins/origins_view.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/ribbons/ribbons_view.h"
#include "widgets/views/stepper/stepper_view.h"
#include "widgets/views/texts/texts_view.h"
#include "widgets/views/tokens/token_strip.h"
#include "widgets/views/values/trace_list.h"

namespace headlight {

namespace {

// The text above a picture that does not show it: as many lines as it needs, up to a sixth of the window.
class TokenRow : public QWidget {
 public:
  TokenRow(TokenStrip* strip, QWidget* parent) : QWidget(parent), strip_(strip) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* row = new QVBoxLayout(this);
    row->setContentsMargins(space::kMargin, 0, space::kMargin, 0);
    row->addWidget(strip);
  }
  void fit() {
    const int wanted = strip_->heightForWidth(width() - 2 * space::kMargin), least = strip_->minimumSizeHint().height();
    const int height = std::clamp(wanted, least, std::max(least, window()->height() / 6));
    if (height != minimumHeight() || height != maximumHeight()) setFixedHeight(height);
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QWidget::resizeEvent(event);
    fit();
  }
  void showEvent(QShowEvent* event) override {
    QWidget::showEvent(event);
    fit();
  }

 private:
  TokenStrip* strip_;
};

QString output_of(const Result& result) {
  return result.output.empty() && result.steps.empty() && !result.vectors.empty()
             ? vector_summary(result.vectors.front())
             : from_utf8(result.output);
}

// Of a text that is still written: what came last.
QString end_of(const QString& text) {
  constexpr qsizetype kMost = 100;
  if (text.size() <= kMost) return text;
  const qsizetype from = text.size() - kMost;
  return QChar(0x2026) + text.mid(from + (text.at(from).isLowSurrogate() ? 1 : 0));
}

}  // namespace

DocumentViews::DocumentViews(QMainWindow* window, WindowPanels* panels, Selection* selection)
    : QObject(window),
      panels_(panels),
      bench_(new HeadBench(this)),
      source_bar_(new SourceBar(window)),
      tokens_(new TokenStrip(selection, window)),
      stepper_(new StepperView(window)),
      trace_list_(new TraceList(window)),
      inspector_(new InspectorView(window)),
      edits_(new EditsPanel(window)),
      banner_(new MessageBanner(window)),
      help_(new HelpPanel(window)),
      selection_(selection),
      as_trained_(new AsTrained(this)),
      listed_runs_(new ListedRuns(this)) {
  make_top(window);
  make_panels(window, selection);
  connect_views();
}

void DocumentViews::make_top(QMainWindow* window) {
  auto* top = new QWidget(window);
  QVBoxLayout* column = column_in(top, 0);
  column->addWidget(source_bar_);
  column->addWidget(banner_);
  source_bar_->set_models([] { return described_models(); });
  panels_->stage()->set_top(top);
  token_row_ = new TokenRow(tokens_, window);
  panels_->set_strip(token_row_);
  panels_->set_top_stops({source_bar_->source_field(), tokens_});
}

void DocumentViews::make_panels(QMainWindow* window, Selection* selection) {
  for (const ViewRow& row : view_table()) {
    ResultView* view = row.make({selection, &requests_, bench_}, window);
    views_[QString::fromUtf8(row.name)] = view->widget();
    panels_->add(row, view->widget(), view);
  }
  QWidget* const of_numbers[] = {stepper_,   trace_list_, texts_ = new TextsView({selection, &requests_}, window),
                                 inspector_, edits_,      help_};
  for (std::size_t i = 0; i < std::size(of_numbers); ++i)
    panels_->add(number_panels()[i], of_numbers[i], dynamic_cast<ResultView*>(of_numbers[i]));
  alignment_ = qobject_cast<AlignmentView*>(views_["alignment"]);
  outputs_ = qobject_cast<OutputPanel*>(views_["outputs"]);
  ribbons_ = qobject_cast<RibbonsView*>(views_["ribbons"]);
  heads_ = qobject_cast<HeadsView*>(views_["heads"]);
  compare_ = qobject_cast<CompareView*>(views_["compare"]);
  explanation_ = qobject_cast<ExplainView*>(views_["explain"]);
  column_ = new OutputColumn(selection, &requests_, window);
  column_->follow(alignment_);
  column_->follow(heads_);
  panels_->set_column(column_);
  tokens_->set_requests(&requests_);
  stepper_->set_selection(selection);
  trace_list_->set_selection(selection);
  inspector_->set_selection(selection);
  panels_->reset_layout();
}

void DocumentViews::connect_views() {
  auto* map = qobject_cast<MapPanel*>(views_["map"]);
  connect(stepper_, &StepperView::attentionRowsChanged, this, [this, map](int rows) {
    rows_stepped_ = rows;
    emit stepped(rows);
    alignment_->set_visible_rows(rows);
    heads_->set_visible_rows(rows);
    const int shown = rows >= 0 && alignment_->map_shown() ? rows : -1;
    outputs_->set_visible_steps(shown);
    column_->set_visible_steps(shown);
    map->set_computed(rows < 0 ? -1 : stepper_->position());
  });
  auto* origins = qobject_cast<OriginsView*>(views_["origins"]);
  link_living_map(map->living(), origins, selection_, inspector_, panels_);
  // Where runs are compared, the map marks what differs.
  const auto compare_map = [this, living = map->living()] {
    const bool compares = compare_->isVisible() || panels_->arrangement() == QLatin1String("compare");
    living->set_compared(compares ? compare_->reference_run() : nullptr);
  };
  connect(compare_, &CompareView::pairChanged, this, compare_map);
  connect(panels_, &WindowPanels::arranged, this, compare_map);
  // A weight that is chosen, wherever that is, chooses its head.
  connect(selection_, &Selection::changed, this, &DocumentViews::choose_head_of);
  connect(heads_, &HeadsView::stateShown, this, &DocumentViews::captionChanged);
  connect(alignment_, &AlignmentView::coloursShown, this, &DocumentViews::captionChanged);
  connect(map, &MapPanel::stateShown, this, &DocumentViews::captionChanged);
  connect(selection_, &Selection::headChanged, this, &DocumentViews::captionChanged, Qt::QueuedConnection);
  connect(this, &DocumentViews::captionChanged, this, &DocumentViews::refresh_help);
  connect(&requests_, &ViewRequests::rankHeads, this, [this] { panels_->raise(QStringLiteral("heads")); });
  connect(&requests_, &ViewRequests::overTexts, this, &DocumentViews::show_texts);
  connect(inspector_, &InspectorView::overTextsRequested, &requests_, &ViewRequests::overTexts);
  connect(&requests_, &ViewRequests::open, this,
          [this](int entry, qint64 cell) { inspector_->open(entry, static_cast<Index>(cell)); });
  for (const Heatmap* cells : {alignment_->heatmap(), heads_->heatmap()})
    connect(cells, &Heatmap::painted, this, &DocumentViews::align_explanation);
  connect(panels_, &WindowPanels::arranged, this, &DocumentViews::align_explanation);
  connect(edits_, &EditsPanel::openRequested, this,
          [this](const QString& site, qint64 cell) { open_cell(site.toStdString(), cell); });
  connect(trace_list_, &TraceList::opened, this, [this](int entry) {
    inspector_->open(entry, 0);
    panels_->raise(QStringLiteral("inspector"));
  });
  connect(as_trained_, &AsTrained::arrived, this, &DocumentViews::show_effect);
  connect(edits_, &EditsPanel::keepRequested, this, &DocumentViews::keepWanted);
  connect(compare_, &CompareView::keepWanted, this, &DocumentViews::keepWanted);
  connect(panels_, &WindowPanels::arranged, this, &DocumentViews::refresh_help);
  connect(selection_, &Selection::changed, this, &DocumentViews::refresh_help);
}

// The steps of an output stand on the columns of the picture above them.
void DocumentViews::align_explanation() {
  if (!explanation_->isVisible()) return;
  std::vector<std::pair<double, double>> columns;
  // Of a model of one text, heads look at the same tokens as its steps.
  const bool one_text = result_ && result_->model && result_->model->model &&
                        result_->model->model->traits().kind != ModelTraits::Kind::encoder_decoder;
  RowPicture* picture = nullptr;  // that stands above
  for (RowPicture* each : {static_cast<RowPicture*>(alignment_), static_cast<RowPicture*>(heads_)})
    if (!picture && (each != heads_ || one_text) && each->is_seen_in(explanation_->window()) && each->map_shown())
      picture = each;
  if (picture) {
    const Heatmap* cells = picture->heatmap();
    const HeatmapLayout& layout = cells->heatmap_layout();
    const double from = explanation_->canvas()->mapFromGlobal(cells->mapToGlobal(QPoint())).x();
    const bool whole = layout.window == HeatmapWindow::whole(layout.rows, layout.columns);
    for (int column = 0; whole && column < layout.columns; ++column) {
      const QRectF cell = layout.cell_rect(0, column);
      columns.emplace_back(cell.left() + from, cell.right() + from);
    }
  }
  if (!columns.empty()) explanation_->set_folded(picture->folded() > 0);
  explanation_->canvas()->set_columns(std::move(columns));
}

void DocumentViews::serve(RunController* runs) {
  Session* session = &runs->session();
  connect(source_bar_, &SourceBar::sourceEdited, session, &Session::set_source);
  connect(source_bar_->pair(), &PairRow::secondEdited, session, &Session::set_second);
  connect(source_bar_->pair(), &PairRow::typesEdited, session, &Session::set_type_ids);
  connect(source_bar_, &SourceBar::chatEdited, session, &Session::set_chat);
  connect(source_bar_, &SourceBar::viewWanted, panels_, &WindowPanels::raise);
  connect(source_bar_, &SourceBar::targetEdited, session, &Session::set_target);
  connect(source_bar_, &SourceBar::prefixToggled, session, &Session::set_prefix);
  connect(source_bar_, &SourceBar::modelChosen, runs, &RunController::open_model);
  connect(source_bar_, &SourceBar::modelLookedAt, runs, &RunController::look_at_model);
  connect(source_bar_, &SourceBar::modelLookedBack, runs, &RunController::look_back);
  connect(&requests_, &ViewRequests::edit, session, &Session::add_intervention);
  connect(&requests_, &ViewRequests::withdraw, session,
          [session](const Intervention& edit) { session->change_interventions({}, {edit}); });
  connect(&requests_, &ViewRequests::edits, session, &Session::change_interventions);
  connect(&requests_, &ViewRequests::setting, session, &Session::set_setting);
  connect(&requests_, &ViewRequests::decoding, session, &Session::set_decoding);
  connect(&requests_, &ViewRequests::target, session, &Session::set_target);
  connect(&requests_, &ViewRequests::source, session, &Session::set_source);
  connect(column_, &OutputColumn::beginningWanted, session, &Session::set_beginning);
  connect(&requests_, &ViewRequests::beginning, session, &Session::set_beginning);
  connect(edits_, &EditsPanel::removeRequested, session,
          [session](const std::vector<Intervention>& edits) { session->change_interventions({}, edits); });
  connect(edits_, &EditsPanel::settingRemoved, session, [session](const QString& key) {
    session->set_setting(key, session->document().model->model->config().value(key.toStdString(), Json()));
  });
  connect(edits_, &EditsPanel::decodingReset, session, [session] { session->set_decoding({}, 1); });
  connect(edits_, &EditsPanel::clearRequested, session, &Session::clear_differences);
  connect(edits_, &EditsPanel::targetRemoved, session, [session] { session->set_target(std::nullopt); });
  connect(inspector_, &InspectorView::editRequested, session, &Session::add_intervention);
  connect(&requests_, &ViewRequests::weight, this, [this](double now, const std::function<void(double)>& done) {
    ask_weight(source_bar_->window(), now, done);
  });
  // What a run that goes on has read and written so far stands there until its result comes; else that of the last one
  // again.
  const auto read = std::make_shared<bool>(false), written = std::make_shared<bool>(false);
  connect(runs, &RunController::read, this, [this, read](const std::shared_ptr<const Result>& text) {
    if (!token_row_->isVisible()) return;
    *read = true;
    show_tokens(text);
  });
  connect(runs, &RunController::wrote, this, [this, written](const QString& text) {
    *written = true;
    source_bar_->set_output(end_of(text));
  });
  const auto output_back = [this, written] {
    if (std::exchange(*written, false) && result_) source_bar_->set_output(output_of(*result_));
  };
  const auto all_back = [this, read, output_back] {
    output_back();
    if (std::exchange(*read, false)) show_tokens(result_);
  };
  connect(runs, &RunController::started, this, output_back);  // what is typed next is read in a moment
  connect(runs, &RunController::stopped, this, all_back);
  connect(runs, &RunController::failed, this, all_back);
  const auto compute = [this](bool computing) {
    requests_.set_computing(computing);
    source_bar_->chat()->set_writing(computing);
  };
  connect(runs, &RunController::started, this, [compute] { compute(true); });
  const auto computed = [compute] { compute(false); };
  connect(runs, &RunController::stopped, this, computed);
  connect(runs, &RunController::failed, this, computed);
  connect(runs, &RunController::finished, this, computed);
  SideRuns* side_runs = &runs->side_runs();
  side_runs->serve(compare_);
  connect(side_runs, &SideRuns::openedListed, compare_, &CompareView::add_opened);
  side_runs->serve(as_trained_);
  panels_->stage()->names()->pictures()->set_side_runs(side_runs);
  link_text_list(texts_, listed_runs_, runs, selection_, bench_, &requests_);
  auto* history = qobject_cast<HistoryView*>(views_["history"]);
  side_runs->serve(history);
  connect(history, &HistoryView::modelWanted, runs, &RunController::open_model);
  side_runs->serve(qobject_cast<CostView*>(views_["cost"]));
  // A view that compares needs to know what models there are, when it is seen for the first time.
  connect(panels_, &WindowPanels::seen, side_runs, [side_runs](const QString& name) {
    if (name == QLatin1String("compare") || name == QLatin1String("history")) side_runs->list_models();
  });
  connect(source_bar_, &SourceBar::modelsWanted, side_runs, &SideRuns::list_models);
  connect(side_runs, &SideRuns::modelsListed, source_bar_, &SourceBar::take_models);
}

void DocumentViews::show_document(const Document& document) {
  source_bar_->set_texts(from_utf8(document.source), target_text(document));
  source_bar_->pair()->set_texts(from_utf8(document.second), document.type_ids);
  source_bar_->set_chat(document.chat);
  source_bar_->set_prefix(document.prefix, document.target.has_value());
  show_target_problem(document);
  alignment_->set_interventions(document.interventions);
}

void DocumentViews::show_target_problem(const Document& document) {
  source_bar_->set_target_problem(target_problem(document));
}

void DocumentViews::show_model(const ModelBundle& model) {
  source_bar_->set_model(model);
  if (!model.stored || model.stored->count() < 2) return texts_->forget_numbers();
  // Numbers of texts are nothing to choose by: their list stands beside the picture.
  if (texts_->set_stored(from_utf8(model.name), static_cast<int>(model.stored->count())) && !panels_->is_on_stage())
    QMetaObject::invokeMethod(
        panels_, [this] { panels_->raise(QStringLiteral("texts")); }, Qt::QueuedConnection);
}

void DocumentViews::show_texts() {
  panels_->raise(QStringLiteral("texts"));
  panels_->focus_panel(QStringLiteral("texts"));
}

void DocumentViews::show_tokens(const std::shared_ptr<const Result>& text) {
  tokens_->set_result(text);
  if (token_row_->isVisible()) static_cast<TokenRow*>(token_row_)->fit();
}

void DocumentViews::show_result(const std::shared_ptr<const Result>& result) {
  // Who types is not stepping any more.
  const bool other_text = result_ && (result_->source != result->source || result_->second != result->second);
  result_ = result;
  const auto run = run_ = analysed(result);
  panels_->take(run);
  show_tokens(result);
  source_bar_->set_output(output_of(*result));
  as_trained_->follow(result);
  show_effect();
  source_bar_->pair()->set_result(*result);
  source_bar_->chat()->set_result(*result);
  if (!result->chat_text) source_bar_->show_unread(*result);
  column_->set_result(result);
  stepper_->set_trace(result->trace, run->labels());
  trace_list_->set_trace(result->trace, run->labels());
  inspector_->set_trace(result->trace, run->labels(), result->model && result->model->stored);
  if (other_text && rows_stepped_ >= 0) stepper_->leave();
  panels_->offer_what_there_is(*run);
  if (panels_->arrangement() == QLatin1String("compare")) compare_->follow();
  refresh_help();
}

// What the changes of the person made of the run: in its output, in the picture, and in a sentence.
void DocumentViews::show_effect() {
  const std::shared_ptr<const Result> before = as_trained_->result();
  alignment_->set_as_trained(before);
  const bool characters = result_->model && result_->model->text.target.kind() == TokenizerKind::characters;
  source_bar_->set_unchanged_output(before ? from_utf8(before->output) : QString(), characters);
  if (!before) return edits_->set_effect({});
  const QString effect = effect_words(*before, *result_);
  const int moved = alignment_->isVisible() ? alignment_->moved() : 0;
  edits_->set_effect(
      moved > 0 ? tr("%1 A dot marks each square that moved by %2 or more.").arg(effect).arg(AlignmentView::kMoved)
                : effect);
}

void DocumentViews::show_differences(Differences differences) {
  edits_->set_differences(std::move(differences));
  source_bar_->set_changes(edits_->list()->model()->rowCount());
}

void DocumentViews::show_probability(const Document& document, const Result& result) {
  const bool given = document.target && result.target;
  source_bar_->set_target_probability(given ? std::optional(output_probability(result)) : std::nullopt);
}

void DocumentViews::say(const QString& what, const QString& advice, QAction* action) {
  banner_->show_message(what, advice, action);
}

bool DocumentViews::put_away_message() {
  if (banner_->isHidden()) return false;
  banner_->dismiss();
  return true;
}

void DocumentViews::explain(const QString& panel, const QString& pointed) {
  help_of_ = panel;
  pointed_ = pointed;
  refresh_help();
}

// It follows the run, and what is in front.
void DocumentViews::refresh_help() {
  if (!help_->isVisible()) return;
  const bool seen = !help_of_.isEmpty() && panels_->is_seen(help_of_);
  const QString panel = seen ? help_of_ : panels_->front();
  QStringList text =
      help_text(panel, run_.get(), dynamic_cast<const Captioned*>(views_.value(panel)), selection_->state().step);
  if (!pointed_.isEmpty()) text.prepend(pointed_);
  help_->set_text(text);
}

void DocumentViews::choose_head_of(const SelectionState& state) {
  const Trace* trace = run_ ? run_->result()->trace.get() : nullptr;
  if (!trace || !state.entry || !state.cell || *state.entry >= static_cast<int>(trace->size()) ||
      (*trace)[*state.entry].site.kind->role != SiteKind::Role::weights)
    return;
  for (const AttentionMap& map : run_->maps()) {
    Index head = 0, row = 0, column = 0;
    if (map.kind == AttentionMap::Kind::summary || !map.find(*state.entry, *state.cell, &head, &row, &column)) continue;
    return selection_->set_head(HeadPlace{map.kind, map.layer, head});
  }
}

void DocumentViews::open_cell(const std::string& site, qint64 cell) {
  const int entry = result_ && result_->trace ? result_->trace->find(site) : -1;
  if (entry >= 0) inspector_->open(entry, static_cast<Index>(std::max<qint64>(cell, 0)));
}

QString DocumentViews::step_sentence() {
  const auto at = static_cast<std::size_t>(rows_stepped_ - 1);
  if (rows_stepped_ <= 0 || !result_ || at >= result_->steps.size()) return {};
  const AttentionMap* map = alignment_->map_shown();
  Index row = -1;
  for (Index i = 0; map && i < map->row_count(); ++i)
    if (map->rows[static_cast<std::size_t>(i)].holds_step(rows_stepped_ - 1)) row = i;
  return headlight::step_sentence(result_->steps[at].text, map, row);
}

void DocumentViews::retranslate() {
  panels_->retranslate();
  if (result_) show_effect();
  refresh_help();
  tokens_->setAccessibleName(tr("Tokens of the text"));
}

}  // namespace headlight
