#include "widgets/views/compare/compare_view.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "model/analysis/output_divergence.h"
#include "model/analysis/switches.h"
#include "model/models/variant.h"
#include "widgets/base/controls.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/head_list.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/text/vector_words.h"
#include "widgets/views/compare/compare_pictures.h"
#include "widgets/views/compare/compare_tokens.h"
#include "widgets/views/compare/word_pairs_picture.h"

namespace headlight {

namespace {

constexpr int kRankAfter = 150;  // ms without a new run

QString model_title(const ModelBundle& model) {
  return shown_text(
      QCoreApplication::translate("ModelCard", (model.title.empty() ? model.name : model.title).c_str()).toStdString());
}

// Whether two runs, asked for or done, answer the same question.
template <class Run>
bool same_question(const Run& a, const Run& b) {
  return a.model == b.model && a.inputs() == b.inputs();
}

}  // namespace

CompareView::CompareView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent), bench_(context.bench), texts_job_(this) {
  build_bar();
  content_ = new QWidget(this);
  auto* inside = column_in(content_, 0);
  inside->addWidget(tokens_ = new CompareTokens(context.selection, content_));
  auto* beside = new QHBoxLayout;
  beside->setSpacing(0);
  beside->addWidget(heads_ = new HeadList(content_), 2);
  beside->addWidget(pictures_ = new ComparePictures(context.selection, content_), 5);
  inside->addLayout(beside, 1);
  inside->addWidget(words_ = new WordPairsPicture(content_), 1);
  words_->hide();
  inside->addWidget(note_ = plain_label(content_));
  note_->setContentsMargins(space::kMargin, 2, space::kMargin, 4);
  note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  build(content_, {760, 380});
  set_table(&table_);
  set_keyboard_target(pictures_->heatmap(1));
  connect_parts();
  ranking_.setSingleShot(true);
  ranking_.setInterval(kRankAfter);
  connect(&ranking_, &QTimer::timeout, this, &CompareView::rank);
  theme().restyles(this, [this] { fit(); });
  show_texts();
  find_reference();
}

std::shared_ptr<const Result> CompareView::shown_reference() const { return a_ ? a_->result() : nullptr; }
std::shared_ptr<const Result> CompareView::shown_result() const { return b_ ? b_->result() : nullptr; }

namespace {

std::filesystem::path folder_of(const ModelDescription& model) { return model.bundle->folder; }

// What describes a model, without its weights: it is opened again where it is wanted.
ModelDescription description_of(const ModelBundle& model) {
  auto bundle = std::make_shared<ModelBundle>(model);
  bundle->model.reset();
  bundle->of_text = nullptr;
  return {std::move(bundle), model.model->traits()};
}

}  // namespace

void CompareView::add_opened(const std::vector<ModelDescription>& models) {
  const auto whole = [](const ModelDescription& model) {
    std::error_code none;
    return std::filesystem::weakly_canonical(folder_of(model), none);
  };
  for (const ModelDescription& model : models) {
    const auto same = [&](const ModelDescription& each) { return whole(each) == whole(model); };
    if (folder_of(model).empty() || std::ranges::any_of(models_, same) || std::ranges::any_of(opened_, same)) continue;
    opened_.push_back(model);
  }
  show_models();
}

const ModelDescription* CompareView::listed(int at) const {
  const auto own = static_cast<int>(models_.size()), all = own + static_cast<int>(opened_.size());
  if (at < 0 || at >= all) return nullptr;
  return at < own ? &nth(models_, at) : &nth(opened_, at - own);
}

void CompareView::set_models(std::vector<ModelDescription> models) {
  models_ = std::move(models);
  for (const ModelDescription& model : models_)
    std::erase_if(opened_, [&](const ModelDescription& each) { return folder_of(each) == folder_of(model); });
  show_models();
  if (newest_ && isVisible()) find_reference();  // there may be another model to show now
}

// While somebody types, the run before stays the last one before the typing began: else each letter would only be
// compared with the letter before.
void CompareView::run_arrived() {
  const bool paused = !since_.isValid() || since_.elapsed() >= pause_;
  since_.start();
  const std::shared_ptr<const AnalysedRun> last = std::exchange(newest_, newest_run());
  if (!last) {
    mark_comparable();
    show_references();
  }
  if (!last || !newest_ || same_question(*last->result(), *newest_->result())) return;
  const ModelBundle& model = as_trained(*newest_->result()->model);
  const bool other = &as_trained(*last->result()->model) != &model;
  if (paused || other || !before_) before_ = last;
  if (!other) return;
  mark_comparable();
  if (chosen_ == Reference::without && !model.at_strength) chosen_.reset();
  show_references();
  if (!model.stored && model.model) add_opened({description_of(model)});
  // What was chosen for the model before may have nothing to do with this one.
  const ModelDescription* chosen = chosen_ == Reference::model ? listed(model_box_->currentIndex()) : nullptr;
  if (chosen && (!can_compare(*chosen->bundle) || folder_of(*chosen) == model.folder)) chosen_.reset();
  if (chosen_ == Reference::text && !can_compare(as_trained(*last->result()->model))) chosen_.reset();
}

void CompareView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  if (asked_ && !answer_) asked_.reset();
  mark_stale();
  emit runsWanted({});
  emit pairChanged();
}

void CompareView::set_reference(Reference reference) {
  chosen_ = reference;
  if (reference == Reference::model && newest_ && !listed(model_box_->currentIndex()))
    model_box_->setCurrentIndex(other_model());
  find_reference();
}

void CompareView::set_reference_text(const QString& text) {
  if (text_->text() != text) text_->setText(text);
  set_reference(Reference::text);
}

void CompareView::set_reference_model(const QString& folder) {
  model_box_->setCurrentIndex(model_box_->findData(folder));
  set_reference(Reference::model);
}

void CompareView::set_reference_variant(int variant) {
  variant_ = variant;
  set_reference(Reference::variant);
}

void CompareView::keep(const QString& name) {
  if (!newest_) return;
  if (variants_.size() == kMostVariants) {
    variants_.erase(variants_.begin());
    kept_.erase(kept_.begin());
  }
  variants_.push_back({name, newest_->result()->model, newest_->result()->inputs()});
  kept_.push_back(newest_);
  show_references();
  set_reference_variant(static_cast<int>(variants_.size()) - 1);
  emit variantsChanged();
}

void CompareView::forget(int variant) {
  if (variant < 0 || variant >= static_cast<int>(variants_.size())) return;
  variants_.erase(variants_.begin() + variant);
  kept_.erase(kept_.begin() + variant);
  variant_ = -1;
  chosen_.reset();
  show_references();
  find_reference();
  emit variantsChanged();
}

void CompareView::set_variants(std::vector<CompareVariant> variants) {
  variants_ = std::move(variants);
  kept_.assign(variants_.size(), nullptr);
  variant_ = -1;
  if (chosen_ == Reference::variant) chosen_.reset();
  show_references();
  find_reference();
}

// Trained on the same task; of models from elsewhere, of the same kind.
bool CompareView::can_compare(const ModelBundle& other) const {
  const ModelBundle& model = as_trained(*newest_->result()->model);
  if (!model.task.empty() || !other.task.empty()) return model.task == other.task;
  const bool one_kind = (model.text.mask.has_value() == other.text.mask.has_value()) &&
                        static_cast<bool>(model.on_top) == static_cast<bool>(other.on_top);
  return !model.stored && !other.stored && one_kind;
}

int CompareView::other_model() const {
  const ModelBundle& model = as_trained(*newest_->result()->model);
  const int count = static_cast<int>(models_.size() + opened_.size());
  int own = 0;
  while (own < count && folder_of(*listed(own)) != model.folder) ++own;
  // The next one of the list, which is in the order of the lessons.
  for (int step = 1; step <= count; ++step) {
    const int at = (own + step) % count;
    if (folder_of(*listed(at)) != model.folder && can_compare(*listed(at)->bundle)) return at;
  }
  return -1;
}

CompareView::Reference CompareView::telling_reference() {
  const Result& newest = *newest_->result();
  const bool changed = newest.model->trained || !newest.interventions.empty();
  const bool before = before_ && (&as_trained(*before_->result()->model) == &as_trained(*newest.model) ||
                                  can_compare(as_trained(*before_->result()->model)));
  if (as_trained(*newest.model).at_strength && (!changed || !before)) return Reference::without;
  if (changed) return before ? Reference::before : Reference::trained;
  if (other_model() < 0) {
    if (before) return Reference::before;
    // Nobody else was trained on this task: the same model on another text.
    QString other;  // what was suggested for another model may be no text for this one
    for (const std::string& example : newest.model->examples)
      if (const std::string first = example.substr(0, example.find('\n')); other.isEmpty() && first != newest.source)
        other = from_utf8(first);
    text_->setText(other);
    return text_->text().isEmpty() ? Reference::before : Reference::text;
  }
  const ModelDescription* at = listed(model_box_->currentIndex());
  if (!at || shown_ != Reference::model || folder_of(*at) == as_trained(*newest.model).folder ||
      !can_compare(*at->bundle))
    model_box_->setCurrentIndex(other_model());
  return Reference::model;
}

void CompareView::find_reference() {
  if (!newest_) return nothing(tr("Type a source: this panel shows what each change of it changes."));
  const Result& newest = *newest_->result();
  if (!newest.trace) return nothing(tr("This run was not recorded, so there is nothing to compare."));
  shown_ = chosen_ ? *chosen_ : telling_reference();
  point_at_reference();
  fit();
  Request request;
  request.model = newest.model;
  request.inputs() = newest.inputs();
  request.interventions.clear();
  request.capture.explain = false;
  switch (shown_) {
    case Reference::before:
      if (!before_)
        return nothing(
            tr("Nothing has changed yet. Change the text, a weight or a setting: the run before stays here as A."));
      return compare_with(before_);
    case Reference::variant: {
      if (variant_ < 0 || variant_ >= static_cast<int>(variants_.size()))
        return nothing(tr("No run is kept. ‘Keep to compare’ keeps the present run as A, whatever you change."));
      const auto at = static_cast<std::size_t>(variant_);
      request.model = variants_[at].model;
      request.inputs() = variants_[at].inputs;
      // It follows the text: what is kept is the model with its changes.
      if (request.source != newest.source || request.second != newest.second) {
        request.source = newest.source;
        request.second = newest.second;
        request.chat = newest.chat;
        request.type_ids.clear();
        request.target.reset();
        request.prefix = false;
      }
      if (kept_[at] && kept_[at]->result()->inputs() == request.inputs()) return compare_with(kept_[at]);
      return ask(std::move(request));
    }
    case Reference::trained:
      if (!newest.model->trained && newest.interventions.empty())
        return nothing(
            tr("Nothing is changed: this is the model as it was trained. Change a number or a setting to see what that "
               "does."));
      if (newest.model->trained) request.model = newest.model->trained;
      return ask(std::move(request));
    case Reference::without: {
      if (!as_trained(*newest.model).at_strength) return nothing(tr("No adapter lies over this model."));
      Json settings = changed_settings(*newest.model);
      settings[kStrengthSwitch] = 0.0;
      const std::shared_ptr<const ModelBundle>& whole = newest.model->trained ? newest.model->trained : newest.model;
      if (!without_ || without_->trained != whole || changed_settings(*without_) != settings)
        without_ = headlight::variant(newest.model, settings);
      request.model = without_;
      request.interventions = newest.interventions;
      return ask(std::move(request));
    }
    case Reference::text:
      if (text_->text().isEmpty()) return nothing(tr("Type another text above, to compare this model on both."));
      request.source = text_->text().toStdString();
      if (request.source != newest.source) request.type_ids.clear();  // of other tokens
      request.target.reset();
      request.prefix = false;
      return ask(std::move(request));
    case Reference::model: {
      model_shown_ = model_box_->currentIndex();
      const ModelDescription* other = listed(model_shown_);
      if (!other) return nothing(tr("Choose another model above, to see both read the same text."));
      request.model = other->bundle;
      request.type_ids.clear();
      if (!request.model->text.source.takes_pairs()) request.second.clear();
      if (!request.model->chat) request.chat.reset();
      request.target.reset();
      request.prefix = false;
      return ask(std::move(request));
    }
  }
}

// Until the answer is there, the pair before it stays: both of its runs are true.
void CompareView::ask(Request request) {
  if (asked_ && same_question(*asked_, request)) return answer_ ? compare_with(answer_) : void();
  asked_ = request;
  answer_.reset();
  if (!a_) nothing(tr("Computing the run to compare with …"));
  emit runsWanted({std::move(request)});
}

void CompareView::set_run(int, std::shared_ptr<const Result> result) {
  answer_ = analysed(std::move(result));
  if (shown_ == Reference::before) return;
  if (shown_ == Reference::variant) nth(kept_, variant_) = answer_;
  compare_with(answer_);
}

void CompareView::set_run_failed(int, const QString& message) {
  asked_.reset();
  nothing(message);
}

void CompareView::nothing(const QString& why) {
  a_.reset();
  b_.reset();
  show_message(why);
  setAccessibleDescription(why);
  keep_->setEnabled(newest_ != nullptr);
  note_->clear();
  table_.clear();
  emit pairChanged();
}

void CompareView::compare_with(std::shared_ptr<const AnalysedRun> reference) {
  a_ = std::move(reference);
  b_ = newest_;
  show_message({});
  keep_->setEnabled(true);
  show_pair();
  ranking_.start();
  emit pairChanged();
}

namespace {

// Of two models that read one text: how far apart what they expect is, and where what they write parts.
QString output_words(const Result& a, const Result& b) {
  if (a.source != b.source || a.second != b.second) return {};
  const auto found = output_divergence(a, b);
  if (!found) return {};
  QString words;
  if (!found->kl.empty()) {
    double sum = 0;
    for (const double kl : found->kl) sum += kl;
    words += ' ' + CompareView::tr("What they expect next is %1 nats apart on the average (KL divergence of B from A).")
                       .arg(short_number(sum / static_cast<double>(found->kl.size())));
  }
  if (found->parts_at) words += ' ' + CompareView::tr("The texts part at token %1.").arg(counted(*found->parts_at));
  return words;
}

}  // namespace

// The chosen subject; where not both runs have it, where they look; else what they were about to write.
void CompareView::show_pair() {
  if (!a_ || show_words()) return;
  tokens_->set_results(a_->result(), b_->result());
  const bool other = &as_trained(*a_->result()->model) != &as_trained(*b_->result()->model);
  pictures_->set_titles(title_of(*a_->result(), reference_title(), false),
                        title_of(*b_->result(), other ? model_title(*b_->result()->model) : tr("now"), true));
  CompareSubject probabilities;
  probabilities.kind = CompareSubject::Kind::site;
  probabilities.site = "decoder.step[*].output.probs";
  Compared compared;
  for (const CompareSubject& subject : {subject_, CompareSubject{}, probabilities}) {
    compared = compare(*a_, *b_, subject);
    shown_subject_ = subject;
    if (!compared.empty()) break;
  }
  const bool has = !compared.empty();
  pictures_->set_compared(std::move(compared), b_->result()->id);
  // Of models that write nothing, what they say of the text as a whole.
  const QString alike = cosine_text(*a_->result(), *b_->result());
  const bool silent = a_->result()->steps.empty() && b_->result()->steps.empty();
  const QString said = alike.isEmpty() ? tokens_->summary() : silent ? alike : alike + ' ' + tokens_->summary();
  const QString text =
      said + (other ? output_words(*a_->result(), *b_->result()) : QString()) + ' ' +
      (has ? pictures_->change_text() : tr("These two runs have nothing of the same shape to compare."));
  note_->setText(text);
  setAccessibleDescription(text);
  point_at_choice();
  show_table();
}

// What changed most, for the list: over all numbers of both runs, so not at every keystroke.
void CompareView::rank() {
  if (!a_ || !isVisible()) return;
  difference_ = difference(*a_->result(), a_->maps(), *b_->result(), b_->maps());
  show_choices();
}

void CompareView::set_subject(const CompareSubject& subject) {
  subject_ = shown_subject_ = subject;
  subject_chosen_ = true;
  show_pair();
}

ColourKey CompareView::colour_key() const {
  const Compared& compared = pictures_->compared();
  if (!words_->isHidden()) return {ColourKey::Kind::none};
  return {!compared.empty() && compared.weights ? ColourKey::Kind::shares : ColourKey::Kind::none};
}

ShownAttention CompareView::attention() const {
  if (!b_ || !words_->isHidden() || pictures_->compared().empty() || shown_subject_.kind == CompareSubject::Kind::site)
    return {};
  const bool mean = shown_subject_.kind == CompareSubject::Kind::alignment;
  return {map_of(b_->maps(), shown_subject_), mean ? AttentionMap::kMean : shown_subject_.head};
}

QString CompareView::reference_title() const {
  const QString text = in_quotes(shown_text(a_->result()->source));
  const QString source = a_->result()->source == b_->result()->source ? QString() : QStringLiteral(" · ") + text;
  const QString model = &as_trained(*a_->result()->model) == &as_trained(*b_->result()->model)
                            ? QString()
                            : QStringLiteral(" · ") + model_title(*a_->result()->model);
  switch (shown_) {
    case Reference::before:
      return tr("the run before") + source + model;
    case Reference::trained:
      return tr("as trained");
    case Reference::without:
      return tr("without the adapter");
    case Reference::variant:
      return nth(variants_, variant_).name + source + model;
    case Reference::text:
      return text;
    case Reference::model:
      return model_title(*a_->result()->model);
  }
  return {};
}

CompareTitle CompareView::title_of(const Result& result, const QString& name, bool after) const {
  CompareTitle title;
  title.name = name;
  if (result.model->model) {
    const Published& published = result.model->model->traits().published;
    if (published.year > 0)
      title.detail = QStringLiteral("%1 %2").arg(QString::fromUtf8(published.authors)).arg(published.year);
  }
  for (const PlacePair& place : tokens_->places()) {
    const Index at = after ? place.after : place.before;
    if (at >= 0) title.output.push_back({token_text(nth(result.steps, at).text).text, place.same});
  }
  title.spaced = result.model->text.target.kind() != TokenizerKind::characters;
  return title;
}

void CompareView::set_difference_shown(bool shown) {
  difference_button_->setChecked(shown);
  pictures_->set_difference_shown(shown);
  fit();
}

QString CompareView::status() const { return a_ ? note_->text() : message(); }

}  // namespace headlight
