#include "widgets/canvas/target_chip.h"

#include <QMenu>
#include <algorithm>

#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

using Asks = Target::Kind;

constexpr std::size_t kMostCandidates = 6;

QString asked_word(std::optional<TokenId> id, const ModelBundle& model) {
  const std::vector<std::string>& words = model.target_vocabulary().tokens();
  const auto at = static_cast<std::size_t>(id.value_or(0));
  return at < words.size() ? in_quotes(token_text(words[at]).text) : QString::number(at);
}

// Of the row that is asked: of a decoder behind an encoder its last step, else the first that was written.
std::vector<Candidate> candidates_of(const Result& result) {
  if (result.steps.empty()) return {};
  const bool last = result.model->model->traits().kind == ModelTraits::Kind::encoder_decoder && !result.model->on_top;
  std::vector<Candidate> top = (last ? result.steps.back() : result.steps.front()).top;
  if (top.size() > kMostCandidates) top.resize(kMostCandidates);
  return top;
}

Target target_of(Asks kind, std::optional<TokenId> a = {}, std::optional<TokenId> b = {}) {
  Target target;
  target.kind = kind;
  target.a = a;
  target.b = b;
  return target;
}

bool makes_embedding(const Result& result) {
  return std::ranges::any_of(result.vectors, [](const TextVector& v) { return v.kind == TextVector::Kind::sentence; });
}

}  // namespace

QString asked_name(const std::optional<Target>& target, const ModelBundle& model, bool embeds) {
  if (!target) return embeds ? TargetChip::tr("like itself") : TargetChip::tr("best − second");
  switch (target->kind) {
    case Asks::diff:
      return target->a && target->b
                 ? QStringLiteral("%1 − %2").arg(asked_word(target->a, model), asked_word(target->b, model))
                 : TargetChip::tr("best − second");
    case Asks::logit:
      return TargetChip::tr("logit of %1").arg(asked_word(target->a, model));
    case Asks::log_p:
      return TargetChip::tr("log p of %1").arg(asked_word(target->a, model));
    case Asks::similarity:
      return TargetChip::tr("similarity to the second text");
    case Asks::unit:
      return TargetChip::tr("unit %1 of the embedding").arg(counted(target->unit));
    case Asks::embedding:
      break;
  }
  return TargetChip::tr("like itself");
}

TargetChip::TargetChip(HeadBench* bench, QWidget* parent) : QToolButton(parent), bench_(bench) {
  setPopupMode(QToolButton::InstantPopup);
  setToolButtonStyle(Qt::ToolButtonTextOnly);
  setProperty(kLook, QByteArray("sign"));  // its text says that it opens a menu
  setMenu(new QMenu(this));
  menu()->setToolTipsVisible(true);
  connect(menu(), &QMenu::aboutToShow, this, &TargetChip::fill_menu);
  connect(bench_, &HeadBench::changed, this, &TargetChip::show_target);
  retranslate();
}

void TargetChip::set_run(std::shared_ptr<const AnalysedRun> run) {
  run_ = std::move(run);
  show_target();
}

void TargetChip::retranslate() {
  const QString help =
      tr("What the heads are measured by: the target of all analyses. A single logit also counts what "
         "raises every token.");
  describe(this, tr("Target"), help);
  show_target();
}

void TargetChip::show_target() {
  if (!run_ || !run_->result()->model) return setText(tr("Target"));
  const Result& result = *run_->result();
  const auto known = bench_->known_effects(*run_);
  const bool embedding = known ? known->target.of_embedding() : makes_embedding(result);
  QString text = asked_name(known ? std::optional(known->target) : bench_->asked().target, *result.model, embedding);
  if (known && known->target.kind != Asks::embedding) text += QStringLiteral("  ") + short_number(known->base);
  if (bench_->is_over_texts()) text = tr("%1, over %2 texts").arg(text).arg(bench_->texts());
  setText(text + QStringLiteral(" ▾"));
}

// Over which texts: this one, or the list of the window.
void TargetChip::add_texts(QMenu* menu) {
  if (bench_->texts() == 0) return;
  menu->addSeparator();
  for (const bool over : {false, true}) {
    HeadBench::Asked asked = bench_->asked();
    asked.over_texts = over;
    QAction* action = menu->addAction(
        over ? tr("Over my texts: %1 (%2)").arg(shown_text(bytes_of(bench_->texts_name()))).arg(bench_->texts())
             : tr("Of this text"),
        this, [this, asked] { bench_->ask(asked); });
    action->setCheckable(true);
    action->setChecked(over == bench_->is_over_texts());
    if (over) action->setToolTip(tr("Mean and deviation over the list of texts."));
  }
}

void TargetChip::add(QMenu* menu, const QString& text, const std::optional<Target>& target, const QString& help) {
  HeadBench::Asked asked = bench_->asked();
  asked.target = target;
  QAction* action = menu->addAction(text, this, [this, asked] { bench_->ask(asked); });
  action->setCheckable(true);
  action->setChecked(asked == bench_->asked());
  action->setToolTip(help);
}

void TargetChip::fill_menu() {
  menu()->clear();
  if (!run_ || !run_->result()->model) return;
  const Result& result = *run_->result();
  const ModelBundle& model = *result.model;
  add(menu(), tr("As usual: %1").arg(asked_name({}, model, makes_embedding(result))), {});
  if (!result.vectors.empty()) {
    menu()->addSeparator();
    add(menu(), tr("Like itself"), target_of(Asks::embedding),
        tr("Cosine with the embedding as it was: 1 where nothing is lost."));
    add(menu(), tr("Similarity to a second text"), target_of(Asks::similarity),
        tr("Cosine with the embedding of another text."));
    add(menu(), tr("One unit of the embedding"), target_of(Asks::unit));
  }
  add_texts(menu());
  const std::vector<Candidate> candidates = candidates_of(result);
  if (candidates.size() < 2) return;
  menu()->addSeparator();
  QMenu* apart = menu()->addMenu(tr("Difference of two tokens"));
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const Target target = target_of(Asks::diff, candidates[0].id, candidates[i].id);
    add(apart, asked_name(target, model, false), target);
  }
  for (const Asks kind : {Asks::logit, Asks::log_p}) {
    QMenu* of_one = menu()->addMenu(kind == Asks::logit ? tr("Logit of a token") : tr("log p of a token"));
    for (const Candidate& each : candidates) {
      const Target target = target_of(kind, each.id);
      add(of_one, asked_name(target, model, false), target);
    }
  }
}

}  // namespace headlight
