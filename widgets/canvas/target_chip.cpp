#include "widgets/canvas/target_chip.h"

#include <QMenu>
#include <algorithm>

#include "widgets/base/controls.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

using Kind = Target::Kind;

constexpr std::size_t kMostCandidates = 6;

QString word_of(std::optional<TokenId> id, const ModelBundle& model) {
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

Target target_of(Kind kind, std::optional<TokenId> a = {}, std::optional<TokenId> b = {}) {
  Target target;
  target.kind = kind;
  target.a = a;
  target.b = b;
  return target;
}

bool embeds(const Result& result) {
  return std::ranges::any_of(result.vectors, [](const TextVector& v) { return v.kind == TextVector::Kind::sentence; });
}

}  // namespace

QString target_name(const std::optional<Target>& target, const ModelBundle& model, bool embeds) {
  if (!target) return embeds ? TargetChip::tr("like itself") : TargetChip::tr("best − second");
  switch (target->kind) {
    case Kind::diff:
      return target->a && target->b
                 ? QStringLiteral("%1 − %2").arg(word_of(target->a, model), word_of(target->b, model))
                 : TargetChip::tr("best − second");
    case Kind::logit:
      return TargetChip::tr("logit of %1").arg(word_of(target->a, model));
    case Kind::log_p:
      return TargetChip::tr("log p of %1").arg(word_of(target->a, model));
    case Kind::similarity:
      return TargetChip::tr("similarity to the second text");
    case Kind::unit:
      return TargetChip::tr("unit %1 of the embedding").arg(counted(target->unit));
    case Kind::embedding:
      break;
  }
  return TargetChip::tr("like itself");
}

TargetChip::TargetChip(HeadBench* bench, QWidget* parent) : QToolButton(parent), bench_(bench) {
  setPopupMode(QToolButton::InstantPopup);
  setToolButtonStyle(Qt::ToolButtonTextOnly);
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
  const QString help = tr("What the heads are measured by: the target of all analyses. A single logit also counts what "
                          "raises every token.");
  describe(this, tr("Target"), help);
  show_target();
}

void TargetChip::show_target() {
  if (!run_) return setText(tr("Target"));
  const Result& result = *run_->result();
  const auto known = bench_->known_effects(*run_);
  const bool embedding = known ? known->target.of_embedding() : embeds(result);
  QString text = target_name(known ? std::optional(known->target) : bench_->asked().target, *result.model, embedding);
  if (known && known->target.kind != Kind::embedding) text += QStringLiteral("  ") + short_number(known->base);
  setText(text);
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
  if (!run_) return;
  const Result& result = *run_->result();
  const ModelBundle& model = *result.model;
  add(menu(), tr("As usual: %1").arg(target_name({}, model, embeds(result))), {});
  if (!result.vectors.empty()) {
    menu()->addSeparator();
    add(menu(), tr("Like itself"), target_of(Kind::embedding),
        tr("Cosine with the embedding as it was: 1 where nothing is lost."));
    add(menu(), tr("Similarity to a second text"), target_of(Kind::similarity),
        tr("Cosine with the embedding of another text."));
    add(menu(), tr("One unit of the embedding"), target_of(Kind::unit));
  }
  const std::vector<Candidate> candidates = candidates_of(result);
  if (candidates.size() < 2) return;
  menu()->addSeparator();
  QMenu* apart = menu()->addMenu(tr("Difference of two tokens"));
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const Target target = target_of(Kind::diff, candidates[0].id, candidates[i].id);
    add(apart, target_name(target, model, false), target);
  }
  for (const Kind kind : {Kind::logit, Kind::log_p}) {
    QMenu* of_one = menu()->addMenu(kind == Kind::logit ? tr("Logit of a token") : tr("log p of a token"));
    for (const Candidate& each : candidates) {
      const Target target = target_of(kind, each.id);
      add(of_one, target_name(target, model, false), target);
    }
  }
}

}  // namespace headlight
