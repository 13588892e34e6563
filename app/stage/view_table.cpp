#include "app/stage/view_table.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/stage/map_panel.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/chat/chat_view.h"
#include "widgets/views/choosing/choosing_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/cost/cost_view.h"
#include "widgets/views/experts/experts_view.h"
#include "widgets/views/explain/explain_view.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/history/history_view.h"
#include "widgets/views/influence/influence_view.h"
#include "widgets/views/kv_cache/kv_cache_view.h"
#include "widgets/views/local_window/local_window_view.h"
#include "widgets/views/mechanism/mechanism_view.h"
#include "widgets/views/memory/memory_view.h"
#include "widgets/views/merges/merges_view.h"
#include "widgets/views/origins/origins_view.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/positions/positions_view.h"
#include "widgets/views/query_key/query_key_view.h"
#include "widgets/views/ribbons/ribbons_view.h"
#include "widgets/views/score_parts/score_parts_view.h"
#include "widgets/views/states/states_view.h"

namespace headlight {

namespace {

template <class View>
ResultView* make(const ViewContext& context, QWidget* parent) {
  return new View(context, parent);
}

template <InfluenceView::Kind kind>
ResultView* make_influence(const ViewContext& context, QWidget* parent) {
  return new InfluenceView(kind, context, parent);
}

template <bool (*offers)(const Result&)>
bool of_result(const AnalysedRun& run) {
  return offers(*run.result());
}

// What a model computes: of attention that was stored there is none.
bool is_computed(const AnalysedRun& run) { return !run.result()->model || !run.result()->model->stored; }

template <bool (*offers)(const AnalysedRun&)>
bool of_model(const AnalysedRun& run) {
  return is_computed(run) && offers(run);
}

// Also of a model without attention, whose picture says so.
bool aligns(const AnalysedRun& run) {
  return is_computed(run) ||
         std::ranges::any_of(run.maps(), [](const AttentionMap& map) { return map.kind == AttentionMap::Kind::cross; });
}

// The weights, and which of them are hidden.
std::vector<std::string> sites_of_attention() {
  std::vector<std::string> sites = attention_sites();
  for (const SiteKind& kind : site_catalogue())
    if (kind.role == SiteKind::Role::keep) sites.emplace_back(kind.pattern);
  return sites;
}

std::vector<std::string> sites_of_experts() {
  return {"decoder.layer.ffn.router.*",      "decoder.layer.ffn.expert.*",      "decoder.layer.ffn.out",
          "decoder.step.layer.ffn.router.*", "decoder.step.layer.ffn.expert.*", "decoder.step.layer.ffn.out"};
}

std::vector<std::string> sites_of_output() {
  std::vector<std::string> sites = sites_of_attention();
  sites.insert(sites.end(), {"decoder.step.output.logits", "decoder.step.output.probs"});
  return sites;
}

// With the embedding of a text, and the states that it was made of.
std::vector<std::string> sites_of_comparison() {
  std::vector<std::string> sites = sites_of_attention();
  sites.insert(sites.end(), {"encoder.layer.norm2.out", "encoder.sentence"});
  return sites;
}

std::vector<std::string> sites_of_cache() {
  std::vector<std::string> sites = sites_of_attention(), rows = CacheRows::sites();
  sites.insert(sites.end(), rows.begin(), rows.end());
  return sites;
}

using At = ViewRow::Place;

struct ViewRows {
  Q_DECLARE_TR_FUNCTIONS(Views)

 public:
  // In the order of the tabs.
  static constexpr ViewRow kViews[] = {
      {"alignment", At::picture, QT_TR_NOOP("Alignment"),
       QT_TR_NOOP("Which tokens of the text the model looked at for each token that it wrote."), aligns,
       make<AlignmentView>, QT_TR_NOOP("Click a square to see why."), true, sites_of_attention},
      {"heads", At::picture, QT_TR_NOOP("Heads"),
       QT_TR_NOOP("Every attention head of every layer as a small picture, with what it does: click one "
                  "to see it large."),
       HeadsView::offers, make<HeadsView>, QT_TR_NOOP("Click a head to see it large."), false, sites_of_attention},
      {"ribbons", At::picture, QT_TR_NOOP("Ribbons"),
       QT_TR_NOOP("Which head looks where: ribbons of one head, and a row for each."), RibbonsView::offers,
       make<RibbonsView>, QT_TR_NOOP("Click a head for its ribbons, or a word at the top."), true, sites_of_attention},
      {"query-key", At::picture, QT_TR_NOOP("Query and key"),
       QT_TR_NOOP("Why it looks there: add up each column, the largest sum gets the largest share."),
       of_model<QueryKeyView::offers>, make<QueryKeyView>,
       QT_TR_NOOP("Click a unit to open its product, a column for its key."), true},
      {"local-window", At::picture, QT_TR_NOOP("Local window"),
       QT_TR_NOOP("The bell is where it expects the token; it looks nowhere else."), of_result<LocalWindowView::offers>,
       make<LocalWindowView>, QT_TR_NOOP("Drag a bell to move it."), true},
      {"positions", At::picture, QT_TR_NOOP("Positions"),
       QT_TR_NOOP("How the model is told where a token stands: a pattern of numbers that is added to it, or angles "
                  "that turn it."),
       PositionsView::offers, make<PositionsView>, QT_TR_NOOP("Click a place or a number."), true},
      {"states", At::picture, QT_TR_NOOP("States"),
       QT_TR_NOOP("A column is what the network knows after that token; a unit (a row) is one number of it."),
       of_result<StatesView::offers>, make<StatesView>, QT_TR_NOOP("Click a unit, or a line of the map, to open it."),
       true},
      {"memory", At::picture, QT_TR_NOOP("Memory"),
       QT_TR_NOOP("Rows are slots of its memory: tiles where it writes, rings where it reads."),
       of_result<MemoryView::offers>, make<MemoryView>, QT_TR_NOOP("Click a step to see how it found its slot."), true},
      {"map", At::picture, QT_TR_NOOP("Map"),
       QT_TR_NOOP("The whole model as one picture. Wide: a large part of what is known there. Strong colour: it led to "
                  "the chosen output."),
       of_model<MapPanel::offers>, make<MapPanel>, QT_TR_NOOP("Click a word at the right."), true},
      {"mechanism", At::side, QT_TR_NOOP("Mechanism"),
       QT_TR_NOOP("The switches of the model: how it scores, where it looks, what is hidden, which heads are on."),
       of_model<MechanismView::offers>, make<MechanismView>},
      {"compare", At::picture, QT_TR_NOOP("Compare"),
       QT_TR_NOOP("This run beside another one: the run before, the model as trained, another text or "
                  "another model."),
       nullptr, make<CompareView>, QT_TR_NOOP("Click a square to mark it in both."), true, sites_of_comparison},
      {"history", At::picture, QT_TR_NOOP("One history"),
       QT_TR_NOOP("The same text through every model that can read it, from the first to the newest idea."),
       is_computed, make<HistoryView>, QT_TR_NOOP("Click a model to open it."), true},
      {"origins", At::side, QT_TR_NOOP("Where it comes from"),
       QT_TR_NOOP("What each word brought to the chosen output, and what happens when its way is cut."),
       OriginsView::offers, make<OriginsView>},
      {"outputs", At::picture, QT_TR_NOOP("Output"),
       QT_TR_NOOP("What the model wrote and how it was chosen: the most probable tokens of each step, the "
                  "tree of a beam search, or the guesses at hidden words."),
       is_computed, make<OutputPanel>, QT_TR_NOOP("Click a token to write it instead."), false, sites_of_output},
      {"score-parts", At::picture, QT_TR_NOOP("Score parts"),
       QT_TR_NOOP(
           "Why a head of the first layer looks there: what the tokens add to each score, and what their places."),
       of_model<ScorePartsView::offers>, make<ScorePartsView>, QT_TR_NOOP("Click a square to add it up."), true},
      {"gradients", At::picture, QT_TR_NOOP("Gradients"),
       QT_TR_NOOP("How much each layer, and each token far or near, moves what is written: lengths of derivatives."),
       of_model<InfluenceView::offers>, make_influence<InfluenceView::Kind::gradients>,
       QT_TR_NOOP("Click a written token at the top to ask about it."), true},
      {"cone", At::picture, QT_TR_NOOP("Receptive field"),
       QT_TR_NOOP("Which tokens can reach a state, layer by layer; the stronger a line, the more it moves."),
       of_model<InfluenceView::offers>, make_influence<InfluenceView::Kind::cone>,
       QT_TR_NOOP("Click a dot to ask about it."), true},
      {"experts", At::picture, QT_TR_NOOP("Experts"),
       QT_TR_NOOP("Which experts of a layer work on each token, and with what share."), of_result<ExpertsView::offers>,
       make<ExpertsView>, QT_TR_NOOP("Click a token to see how its experts were chosen."), true, sites_of_experts},
      {"choosing", At::picture, QT_TR_NOOP("Choosing"),
       QT_TR_NOOP("Why it wrote that token: what each stage of choosing left, and what it would have written instead."),
       of_model<ChoosingView::offers>, make<ChoosingView>,
       QT_TR_NOOP("Click a token to go on from it; this output stays."), false, sites_of_output},
      {"kv-cache", At::picture, QT_TR_NOOP("KV cache"),
       QT_TR_NOOP("What the model keeps of each token that it has read: a row of keys and values in every layer, and "
                  "how many bytes that is."),
       of_model<KvCacheView::offers>, make<KvCacheView>, QT_TR_NOOP("Click a token to see the cache when it was read."),
       false, sites_of_cache},
      {"cost", At::picture, QT_TR_NOOP("Time and cost"),
       QT_TR_NOOP("What waits for what, and how many multiplications each part of the model takes: counted, with the "
                  "clock beside it."),
       of_result<CostView::offers>, make<CostView>, QT_TR_NOOP("Click a box to see what it waits for."), false,
       sites_of_attention},
      {"merges", At::picture, QT_TR_NOOP("Word pieces"),
       QT_TR_NOOP("How the tokenizer cuts a word of the text, step by step."), is_computed, make<MergesView>,
       QT_TR_NOOP("Click a word at the top."), true, sites_of_attention},
      {"chat", At::picture, QT_TR_NOOP("Chat template"),
       QT_TR_NOOP("Which line of the chat template wrote which part of the text, and whose words it has."),
       of_result<ChatView::offers>, make<ChatView>, QT_TR_NOOP("Click a part to mark its tokens."), true,
       sites_of_attention},
      {"explain", At::bottom, QT_TR_NOOP("How it came about"),
       QT_TR_NOOP("Four steps to one token of the output: what was compared, shared out, mixed and "
                  "chosen."),
       is_computed, make<ExplainView>, QT_TR_NOOP("Click a number to see how it came about."), true},
  };

  static constexpr ViewRow kNumbers[] = {
      {"steps", At::bottom, QT_TR_NOOP("Every operation"),
       QT_TR_NOOP("The run as single operations: step forward and back, or play it."), is_computed, nullptr},
      {"values", At::bottom, QT_TR_NOOP("Every number"),
       QT_TR_NOOP("Every value of the run in the order of computation, with search."), nullptr, nullptr},
      {"texts", At::side, QT_TR_NOOP("Texts"),
       QT_TR_NOOP("Many texts in one list: search, sort, measure what a head does in each, and read one of them."),
       nullptr, nullptr},
      {"inspector", At::side, QT_TR_NOOP("This number"), QT_TR_NOOP("The arithmetic behind the selected number."),
       nullptr, nullptr},
      {"differences", At::side, QT_TR_NOOP("What you changed"),
       QT_TR_NOOP("What you changed in this run: what it was, what it is, and ways to take it back."), is_computed,
       nullptr},
      {"help", At::side, QT_TR_NOOP("What am I looking at?"),
       QT_TR_NOOP("The model and the panel in front, in a few sentences with their own tokens."), nullptr, nullptr},
  };
};

}  // namespace

bool ViewRow::is_there_at_first() const { return !offers || offers == &is_computed || offers == &aligns; }

std::span<const ViewRow> view_table() { return ViewRows::kViews; }
std::span<const ViewRow> number_panels() { return ViewRows::kNumbers; }

QString translated_view_text(const char* source) { return ViewRows::tr(source); }

}  // namespace headlight
