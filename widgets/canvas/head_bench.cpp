#include "widgets/canvas/head_bench.h"

#include <QCoreApplication>
#include <exception>
#include <utility>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

namespace {

constexpr int kTyping = 150;  // milliseconds without another key before anything is measured

}  // namespace

BenchJob::BenchJob(QObject* parent) : QObject(parent) {
  begin_.setSingleShot(true);
  begin_.setInterval(kTyping);
  connect(&begin_, &QTimer::timeout, this, &BenchJob::begin);
}

BenchJob::~BenchJob() {
  cancel_.cancel();
  queue_.clear();
  queue_.wait();
}

void BenchJob::start(Work work) {
  stop();
  busy_ = true;
  next_ = std::move(work);
  begin_.start();
}

void BenchJob::begin() {
  begin_.stop();
  if (!next_) return;
  cancel_ = CancelToken::make();
  queue_.start([this, number = newest_, cancel = cancel_, work = std::exchange(next_, nullptr)] {
    const auto tell = [this, number](const Done& done) {
      QMetaObject::invokeMethod(
          this, [this, number, done] { deliver(number, done, false); }, Qt::QueuedConnection);
    };
    Done done;
    try {
      done = work(tell, cancel);
    } catch (const Cancelled&) {
      return;
    } catch (const std::exception& error) {
      done = [this, what = from_utf8(error.what())] { emit failed(what); };
    }
    QMetaObject::invokeMethod(
        this, [this, number, done] { deliver(number, done, true); }, Qt::QueuedConnection);
  });
}

void BenchJob::deliver(quint64 number, const Done& done, bool last) {
  if (number != newest_) return;
  if (last) busy_ = false;
  if (done) done();
  if (last) emit ended();
}

void BenchJob::stop() {
  ++newest_;
  next_ = nullptr;
  begin_.stop();
  queue_.clear();
  cancel_.cancel();
  busy_ = false;
}

void BenchJob::finish() {
  if (!busy_) return;
  begin();
  queue_.wait();
  QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

bool HeadBench::Asked::operator==(const Asked& other_asked) const {
  const auto same = [](const std::optional<Target>& x, const std::optional<Target>& y) {
    return x.has_value() == y.has_value() &&
           (!x || (x->kind == y->kind && x->row == y->row && x->a == y->a && x->b == y->b && x->unit == y->unit));
  };
  return same(target, other_asked.target) && second == other_asked.second && off == other_asked.off &&
         other == other_asked.other && over_texts == other_asked.over_texts;
}

HeadBench::HeadBench(QObject* parent) : QObject(parent), heads_job_(this), effect_job_(this) {
  for (BenchJob* job : {&heads_job_, &effect_job_}) {
    connect(job, &BenchJob::failed, this, [this](const QString& problem) { problem_ = problem; });
    connect(job, &BenchJob::ended, this, &HeadBench::changed);
  }
}

bool HeadBench::offers(const AnalysedRun& run) {
  const Result& result = *run.result();
  if (!result.model || result.model->stored || !result.model->model || !result.trace) return false;
  for (const AttentionMap& map : run.maps())
    if (map.kind != AttentionMap::Kind::summary && !map.is_merged() && map.row_count() > 0 &&
        (*map.trace)[map.entry(0)].site.kind->of_heads())
      return true;
  return false;
}

HeadBench::Text HeadBench::text_of(const AnalysedRun& run, bool written) {
  const Result& result = *run.result();
  if (!result.model || !result.model->model) return {};
  const bool fed = result.model->model->traits().kind == ModelTraits::Kind::encoder_decoder;
  return {result.model, result.source, result.second, written || fed ? result.output : std::string(), nullptr};
}

HeadBench::Text HeadBench::asked_text(const AnalysedRun& run) const {
  return is_over_texts() ? Text{run.result()->model, {}, {}, {}, texts_} : text_of(run, false);
}

void HeadBench::set_texts(const QString& name, std::shared_ptr<const std::vector<ListedText>> texts) {
  const bool was_over = is_over_texts();
  texts_name_ = name;
  texts_ = texts && !texts->empty() ? std::move(texts) : nullptr;
  if (was_over || is_over_texts()) {
    effect_job_.stop();
    effects_of_ = {};
  }
  emit changed();
}

std::shared_ptr<const TextHeads> HeadBench::heads(const std::shared_ptr<const AnalysedRun>& run) {
  const Text text = text_of(*run, true);
  if (heads_of_ == text) return heads_;
  heads_of_ = text;
  heads_ = nullptr;
  heads_job_.start([this, result = run->result()](const auto&, const CancelToken& cancel) -> BenchJob::Done {
    const TextReader reader(result->model);
    auto made = std::make_shared<const TextHeads>(heads_of_text(reader, ids_of_run(reader, *result, true), cancel));
    return [this, made] { heads_ = made; };
  });
  return heads_;
}

std::shared_ptr<const HeadEffects> HeadBench::effects(const std::shared_ptr<const AnalysedRun>& run) {
  const Text text = asked_text(*run);
  if (effects_of_ == text) return effects_;
  effects_of_ = text;
  asked_of_ = run->result();
  start_effects();
  return effects_;
}

std::shared_ptr<const HeadEffects> HeadBench::known_effects(const AnalysedRun& run) const {
  return effects_of_ == asked_text(run) ? effects_ : nullptr;
}

void HeadBench::start_effects() {
  if (!asked_of_) return;
  effects_ = nullptr;
  stopped_ = false;
  problem_.clear();
  began_.start();
  effect_job_.start([this, result = asked_of_, asked = asked_, list = is_over_texts() ? texts_ : nullptr](
                        const auto& tell, const CancelToken& cancel) -> BenchJob::Done {
    const TextReader reader(result->model);
    EffectAsked question{asked.target, {}, asked.off, {}};
    const bool similar = asked.target && asked.target->kind == Target::Kind::similarity;
    if (similar && !asked.second.empty()) question.second = reader.ids_of(asked.second);
    if (asked.off == HeadOff::other && !asked.other.empty()) question.other = reader.ids_of(asked.other);
    std::shared_ptr<const HeadEffects> last;
    const auto told = [&](const HeadEffects& found) {
      last = std::make_shared<const HeadEffects>(found);
      tell([this, found = last] {
        if (found->without.empty()) began_.restart();
        effects_ = found;
        emit changed();
      });
    };
    if (list)
      effects_over_texts(reader, *list, question, told, cancel);
    else
      effects_of_heads(reader, ids_of_run(reader, *result, false), question, told, cancel);
    return [this, last] { effects_ = last; };
  });
}

HeadBench::Progress HeadBench::progress() const {
  Progress made;
  if (!effects_) return made;
  const bool listed = effects_->of_texts > 0;
  made.done = static_cast<int>(listed ? effects_->texts : static_cast<Index>(effects_->without.size()));
  made.of = static_cast<int>(listed ? effects_->of_texts : static_cast<Index>(effects_->heads.size()));
  if (made.done > 0)
    made.seconds_left = static_cast<double>(began_.elapsed()) / 1000.0 * (made.of - made.done) / made.done;
  return made;
}

void HeadBench::ask(const Asked& asked) {
  if (asked == asked_) return;
  const bool other_texts = asked.over_texts != asked_.over_texts;
  asked_ = asked;
  if (other_texts)
    effects_of_ = {};  // they are asked for again by who shows them
  else
    start_effects();
  emit changed();
}

void HeadBench::stop() {
  if (!effect_job_.is_busy()) return;
  effect_job_.stop();
  stopped_ = true;
  emit changed();
}

void HeadBench::resume() {
  start_effects();
  emit changed();
}

void HeadBench::finish() {
  heads_job_.finish();
  effect_job_.finish();
}

std::string HeadBench::about(const AnalysedRun& run) const {
  Json about{{"method", "effect"}, {"off", kHeadOffNames[static_cast<int>(asked_.off)]}};
  if (const auto known = known_effects(run)) about["target"] = known->target_text;
  if (asked_.off == HeadOff::other) about["other"] = asked_.other;
  if (!asked_.second.empty()) about["second"] = asked_.second;
  if (is_over_texts()) {
    constexpr std::size_t kMostTexts = 100;
    about["texts_of"] = texts_name_.toStdString();
    about["texts_in_all"] = texts_->size();
    about["texts_done"] = progress().done;
    about["texts"] = Json::array();
    for (std::size_t i = 0; i < std::min(kMostTexts, texts_->size()); ++i) about["texts"].push_back((*texts_)[i].text);
  }
  return about.dump(-1, ' ', false, Json::error_handler_t::replace);
}

QVariantMap HeadBench::choices() const {
  QVariantMap made;
  if (asked_.off != HeadOff::zero)
    made[QStringLiteral("off")] = QString::fromUtf8(kHeadOffNames[static_cast<int>(asked_.off)]);
  if (!asked_.other.empty()) made[QStringLiteral("other")] = from_utf8(asked_.other);
  if (!asked_.second.empty()) made[QStringLiteral("second")] = from_utf8(asked_.second);
  if (asked_.over_texts) made[QStringLiteral("over_texts")] = true;
  if (!asked_.target) return made;
  QVariantMap target{{QStringLiteral("kind"), QString::fromUtf8(kTargetNames[static_cast<int>(asked_.target->kind)])}};
  if (asked_.target->row >= 0) target[QStringLiteral("row")] = static_cast<int>(asked_.target->row);
  if (asked_.target->a) target[QStringLiteral("a")] = static_cast<int>(*asked_.target->a);
  if (asked_.target->b) target[QStringLiteral("b")] = static_cast<int>(*asked_.target->b);
  if (asked_.target->unit > 0) target[QStringLiteral("unit")] = static_cast<int>(asked_.target->unit);
  made[QStringLiteral("target")] = target;
  return made;
}

void HeadBench::set_choices(const QVariantMap& choices) {
  Asked asked;
  const auto text = [&choices](const char* name) { return choices.value(QLatin1String(name)).toString(); };
  for (int i = 0; i < static_cast<int>(std::size(kHeadOffNames)); ++i)
    if (text("off") == QLatin1String(kHeadOffNames[i])) asked.off = static_cast<HeadOff>(i);
  asked.other = bytes_of(text("other"));
  asked.second = bytes_of(text("second"));
  asked.over_texts = choices.value(QStringLiteral("over_texts")).toBool();
  const QVariantMap target = choices.value(QStringLiteral("target")).toMap();
  for (int i = 0; i < static_cast<int>(std::size(kTargetNames)); ++i) {
    if (target.value(QStringLiteral("kind")).toString() != QLatin1String(kTargetNames[i])) continue;
    const auto number = [&target](const char* name) -> std::optional<int> {
      bool is_number = false;
      const int found = target.value(QLatin1String(name)).toInt(&is_number);
      return is_number && found >= 0 ? std::optional(found) : std::nullopt;
    };
    asked.target = Target{static_cast<Target::Kind>(i), number("row").value_or(-1), {}, {}, number("unit").value_or(0)};
    if (const auto a = number("a")) asked.target->a = static_cast<TokenId>(*a);
    if (const auto b = number("b")) asked.target->b = static_cast<TokenId>(*b);
  }
  ask(asked);
}

}  // namespace headlight
