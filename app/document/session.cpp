// One undo command serves every kind of change: it holds the document before and after.

#include "app/document/session.h"

#include <QElapsedTimer>
#include <QUndoCommand>
#include <algorithm>
#include <cstdlib>
#include <unordered_set>

#include "app/document/learned_texts.h"
#include "app/document/model_list.h"
#include "model/analysis/switches.h"
#include "model/core/json_library.h"
#include "model/models/variant.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {
constexpr int kSource = 1, kTarget = 2, kSlider = 3, kLook = 4, kSecond = 5, kTypes = 6, kChat = 7;
constexpr qint64 kPause = 1000;  // milliseconds that end the dragging of a slider

// Typing within a word is one step of undo; a space, a pasted text or a jump to deleting starts a new one.
bool continues_typing(const QString& before, const QString& between, const QString& after) {
  const auto first = between.size() - before.size(), second = after.size() - between.size();
  if (std::abs(second) != 1 || first * second <= 0) return false;
  if (second < 0) return true;
  for (qsizetype i = 0; i < between.size(); ++i)
    if (after[i] != between[i]) return !after[i].isSpace();
  return !after.back().isSpace();
}
// Whether the program itself put this text there.
bool is_example(const std::shared_ptr<const ModelBundle>& model, const std::string& text) {
  return model && (first_text(*model).toStdString() == text ||
                   std::ranges::any_of(model->examples,
                                       [&](const std::string& each) { return sentences_of(each).first == text; }));
}

// What made one list of edits out of another: some went, others came at the end. A thousand steps of undo of a document
// with thousands of edits hold what changed, not each edit a thousand times.
class EditsChange {
 public:
  using Edits = std::vector<Intervention>;
  EditsChange(const Edits& before, const Edits& after) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (kept < after.size() && before[i] == after[kept])
        ++kept;
      else
        gone_.emplace_back(i, before[i]);
    }
    come_.assign(after.begin() + static_cast<std::ptrdiff_t>(kept), after.end());
  }
  bool empty() const { return gone_.empty() && come_.empty(); }
  Edits before(const Edits& after) const {
    Edits edits;
    auto kept = after.begin();
    for (const auto& [place, edit] : gone_) {
      const auto count = static_cast<std::ptrdiff_t>(place - edits.size());
      edits.insert(edits.end(), kept, kept + count);
      kept += count;
      edits.push_back(edit);
    }
    edits.insert(edits.end(), kept, after.end() - static_cast<std::ptrdiff_t>(come_.size()));
    return edits;
  }
  Edits after(const Edits& before) const {
    Edits edits;
    auto gone = gone_.begin();
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (gone != gone_.end() && gone->first == i)
        ++gone;
      else
        edits.push_back(before[i]);
    }
    edits.insert(edits.end(), come_.begin(), come_.end());
    return edits;
  }

 private:
  std::vector<std::pair<std::size_t, Intervention>> gone_;  // with their place before
  Edits come_;
};

}  // namespace

void Document::open(std::shared_ptr<const ModelBundle> opened) {
  settings = changed_settings(*opened);
  model = opened->trained ? opened->trained : std::move(opened);
}

void Document::leave_untouched() {
  target.reset();
  prefix = false;
  settings = {};
  decode = {};
  interventions.clear();
}

class DocumentChange : public QUndoCommand {
 public:
  DocumentChange(Session& session, Document after, const QString& text, Session::Gesture gesture)
      : QUndoCommand(text),
        session_(session),
        before_(session.document()),
        after_(std::move(after)),
        edits_(before_.interventions, after_.interventions),
        gesture_(std::move(gesture)) {
    for (Document* document : {&before_, &after_}) document->interventions = EditsChange::Edits();  // {} keeps memory
    time_.start();
  }

  int id() const override { return gesture_.id; }
  // The other one was made already.
  bool mergeWith(const QUndoCommand* other) override {
    const auto& next = static_cast<const DocumentChange&>(*other);
    if (gesture_.subject != next.gesture_.subject) return false;
    const auto typed = [&](std::string RunInputs::*text) {
      return continues_typing(from_utf8(before_.*text), from_utf8(after_.*text), from_utf8(next.after_.*text));
    };
    if (gesture_.id == kSource && !typed(&RunInputs::source)) return false;
    if (gesture_.id == kSecond && !typed(&RunInputs::second)) return false;
    if ((gesture_.id == kSlider || gesture_.id == kChat) && time_.elapsed() > kPause) return false;
    time_.start();
    after_ = next.after_;
    const auto& now = session_.document().interventions;
    edits_ = EditsChange(edits_.before(next.edits_.before(now)), now);
    setObsolete(after_ == before_ && edits_.empty());
    return true;
  }
  void undo() override { apply(before_, edits_.before(session_.document().interventions)); }
  void redo() override { apply(after_, edits_.after(session_.document().interventions)); }

 private:
  void apply(Document document, std::vector<Intervention> edits) {
    document.interventions = std::move(edits);
    session_.apply(document);
  }

  Session& session_;
  Document before_, after_;  // but for their edits
  EditsChange edits_;
  Session::Gesture gesture_;
  QElapsedTimer time_;
};

std::optional<QString> target_text(const Document& document) {
  return document.target ? std::optional(from_utf8(*document.target)) : std::nullopt;
}

QString single_line(QString text) {
  text = whole_characters(text);
  text.replace(QStringLiteral("\r\n"), QStringLiteral(" "));
  for (QChar& c : text)
    if (c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f' || c.unicode() == 0x85 || c.unicode() == 0x2028 ||
        c.unicode() == 0x2029)
      c = ' ';
  return text;
}

Session::Session(QObject* parent) : QObject(parent) { undo_.setUndoLimit(1000); }

void Session::start(Document document) {
  undo_.clear();
  looking_.reset();
  document.source = single_line(from_utf8(document.source)).toStdString();
  document.second = single_line(from_utf8(document.second)).toStdString();
  apply(document);
}

void Session::set_model(std::shared_ptr<const ModelBundle> model) {
  if (model == document_.model) return;
  Document after = looking_.value_or(document_);
  const auto [first, second] = sentences_of(model->examples.empty() ? std::string() : model->examples.front());
  // A model that asks for two sentences is shown with two.
  const bool asks = !second.empty() && after.second.empty();
  // What nobody has typed says nothing about a model of one's own; that one has examples for what it can do.
  if (const SetAside aside = looking_ ? aside_before_looking_ : is_set_aside() ? set_aside_ : SetAside(); aside.model)
    after.source = aside.text;
  const bool typed = !after.source.empty() && !is_example(after.model, after.source);
  const bool other = model->text.source.kind() == TokenizerKind::other && !typed;
  set_aside_ = {};
  if (!model->examples.empty() && (asks || other || !suits(*model, after.model.get(), after.source, typed))) {
    if (typed) set_aside_ = {after.source, model, first};
    after.source = first;
  }
  if (asks) after.second = second;
  if (!model->text.source.takes_pairs()) after.second.clear();
  if (!model->chat) after.chat.reset();
  after.type_ids.clear();
  after.model = std::move(model);
  after.leave_untouched();
  change(std::move(after), tr("change of the model"), looking_ ? Gesture{kLook, QString::number(looks_)} : Gesture{});
}

bool Session::is_set_aside() const {
  return set_aside_.model && set_aside_.model == document_.model && set_aside_.example == document_.source;
}

QString Session::set_aside() const { return is_set_aside() ? from_utf8(set_aside_.text) : QString(); }

void Session::begin_looking() {
  ++looks_;
  looking_ = document_;
  aside_before_looking_ = is_set_aside() ? set_aside_ : SetAside();
}

void Session::look_back() {
  if (!looking_ || document_ == *looking_) return;
  set_aside_ = aside_before_looking_;
  change(*looking_, tr("change of the model"), {kLook, QString::number(looks_)});
}

void Session::end_looking() {
  if (!looking_) return;
  looking_.reset();
  emit looked();
}

void Session::set_source(const QString& source) {
  Document after = document_;
  after.source = single_line(source).toStdString();
  after.chat.reset();
  change(std::move(after), tr("typing"), {kSource, {}});
}

void Session::set_second(const QString& second) {
  Document after = document_;
  after.second = single_line(second).toStdString();
  change(std::move(after), tr("typing"), {kSecond, {}});
}

void Session::set_type_ids(const std::vector<TokenId>& types) {
  Document after = document_;
  after.type_ids = types;
  change(std::move(after), tr("kinds of sentences"), {kTypes, {}});
}

bool Session::refuses_changes() {
  const bool stored = document_.model && document_.model->stored;
  if (stored) emit refused(tr("This attention was stored: there is no model that could run again."));
  return stored;
}

void Session::set_target(const std::optional<QString>& target) {
  if (target && refuses_changes()) return;
  Document after = document_;
  after.target = target ? std::optional(single_line(*target).toStdString()) : std::nullopt;
  change(std::move(after), tr("forced output"), {kTarget, {}});
}

void Session::set_prefix(bool prefix) {
  Document after = document_;
  after.prefix = prefix;
  change(std::move(after), tr("forced output"));
}

void Session::set_beginning(const QString& text) {
  if (refuses_changes()) return;
  Document after = document_;
  after.target = text.toStdString();
  after.prefix = true;
  change(std::move(after), tr("forced output"));
}

void Session::set_chat(const std::optional<SharedJson>& chat, const QString& what) {
  Document after = document_;
  after.chat = chat;
  if (what.isEmpty()) {  // what was said to come next answers other messages
    after.target.reset();
    after.prefix = false;
  }
  change(std::move(after), tr("chat"), what.isEmpty() ? Gesture() : Gesture{kChat, what});
}

void Session::set_setting(const QString& key, const Json& value) {
  if (refuses_changes()) return;
  const std::string name = key.toStdString();
  Document after = document_;
  Json settings = *document_.settings;
  settings[name] = value;
  try {
    const Json& trained = document_.model->model->config();
    if (trained.contains(name) && trained[name] == value) settings.erase(name);
    variant(document_.model, settings);
  } catch (const Error& error) {
    emit refused(QString::fromUtf8(error.what()));
    return;
  }
  after.settings = settings;
  change(std::move(after), tr("change of %1").arg(key), {kSlider, key});
}

void Session::set_decoding(const DecodeSettings& settings, std::uint64_t seed) {
  if (settings != document_.decode && refuses_changes()) return;
  Document after = document_;
  const bool same_kind = settings.kind == after.decode.kind && seed == after.seed;
  after.decode = settings;
  after.seed = seed;
  change(std::move(after), tr("way of decoding"), same_kind ? Gesture{kSlider, QStringLiteral("decoding")} : Gesture{});
}

void Session::change_interventions(const std::vector<Intervention>& added, const std::vector<Intervention>& withdrawn) {
  if (!added.empty() && refuses_changes()) return;
  Document after = document_;
  std::unordered_set<Intervention, CellsHash, decltype(&same_cells)> gone(added.size() + withdrawn.size() + 1, {},
                                                                          &same_cells);
  gone.insert(withdrawn.begin(), withdrawn.end());
  gone.insert(added.begin(), added.end());
  std::erase_if(after.interventions, [&](const Intervention& each) { return gone.contains(each); });
  if (after.interventions.size() + added.size() > kMaxEdits && !added.empty()) {
    emit refused(tr("A run can have at most %L1 edits.").arg(kMaxEdits));
    return;
  }
  QString subject;
  for (Intervention each : added) {
    after.interventions.push_back(each);
    each.value = 0;
    subject += QString::fromStdString(to_text(each));
  }
  if (added.empty()) return change(std::move(after), tr("removal of an edit"));
  change(std::move(after), tr("edit of %1").arg(QString::fromStdString(added.front().site)), {kSlider, subject});
}

void Session::add_intervention(const Intervention& intervention) { change_interventions({intervention}, {}); }

void Session::remove_intervention(int index) {
  if (index < 0 || index >= static_cast<int>(document_.interventions.size())) return;
  Document after = document_;
  after.interventions.erase(after.interventions.begin() + index);
  change(std::move(after), tr("removal of an edit"));
}

bool Session::has_differences() const {
  return document_.target || !document_.settings.empty() || !document_.interventions.empty() ||
         document_.decode != DecodeSettings{};
}

void Session::clear_differences() {
  Document after = document_;
  after.leave_untouched();
  change(std::move(after), tr("reset of all changes"));
}

Request Session::request() const {
  Request request;
  request.inputs() = document_.inputs();
  request.model = running_;
  return request;
}

void Session::change(Document after, const QString& text) { change(std::move(after), text, Gesture()); }

void Session::change(Document after, const QString& text, const Gesture& gesture) {
  if (after == document_) return;
  undo_.push(new DocumentChange(*this, std::move(after), text, gesture));
}

void Session::apply(const Document& document) {
  const bool other = document.model != document_.model || document.settings != document_.settings;
  document_ = document;
  if (other || !running_) running_ = document_.model ? variant(document_.model, *document_.settings) : nullptr;
  emit changed();
}

}  // namespace headlight
