// One undo command serves every kind of change: it holds the document before and after.

#include "app/session.h"

#include <QUndoCommand>
#include <algorithm>
#include <cstdlib>

namespace headlight {

namespace {
constexpr int kMergeSource = 1, kMergeTarget = 2;

// Typing within a word is one step of undo; a space, a pasted text or a jump to deleting starts a new one.
bool continues_typing(const QString& before, const QString& between, const QString& after) {
  const auto first = between.size() - before.size(), second = after.size() - between.size();
  if (std::abs(second) != 1 || first * second <= 0) return false;
  if (second < 0) return true;
  for (qsizetype i = 0; i < between.size(); ++i)
    if (after[i] != between[i]) return !after[i].isSpace();
  return !after.back().isSpace();
}
// Whether the model knows every character of a text, so that switching to it makes sense with this text.
bool reads(const ModelBundle& model, const QString& text) {
  const std::vector<TextToken> tokens = model.text.source.split(text.toStdString());
  return !tokens.empty() && std::ranges::none_of(tokens, [](const TextToken& token) { return token.unknown; });
}
}  // namespace

class DocumentChange : public QUndoCommand {
 public:
  DocumentChange(Session& session, Document after, const QString& text, int merge_id)
      : QUndoCommand(text),
        session_(session),
        before_(session.document()),
        after_(std::move(after)),
        merge_id_(merge_id) {}

  int id() const override { return merge_id_; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto& next = static_cast<const DocumentChange&>(*other);
    if (merge_id_ == kMergeSource && !continues_typing(before_.source, after_.source, next.after_.source)) return false;
    after_ = next.after_;
    setObsolete(after_ == before_);
    return true;
  }
  void undo() override { session_.apply(before_); }
  void redo() override { session_.apply(after_); }

 private:
  Session& session_;
  Document before_, after_;
  int merge_id_;
};

QString single_line(QString text) {
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
  document.source = single_line(document.source);
  apply(document);
}

void Session::set_model(std::shared_ptr<const ModelBundle> model) {
  if (model == document_.model) return;
  Document after = document_;
  if (!reads(*model, document_.source) && !model->examples.empty())
    after.source = QString::fromStdString(model->examples.front());
  after.model = std::move(model);
  after.target.reset();
  after.interventions.clear();
  change(std::move(after), tr("change of the model"));
}

void Session::set_source(const QString& source) {
  Document after = document_;
  after.source = single_line(source);
  change(std::move(after), tr("typing"), kMergeSource);
}

void Session::set_target(const std::optional<QString>& target) {
  Document after = document_;
  after.target = target ? std::optional(single_line(*target)) : std::nullopt;
  change(std::move(after), tr("forced output"), kMergeTarget);
}

void Session::add_intervention(const Intervention& intervention) {
  Document after = document_;
  std::erase_if(after.interventions, [&](const Intervention& other) {
    return other.site == intervention.site && other.cell == intervention.cell;
  });
  after.interventions.push_back(intervention);
  change(std::move(after), tr("edit of %1").arg(QString::fromStdString(intervention.site)));
}

void Session::remove_intervention(int index) {
  if (index < 0 || index >= static_cast<int>(document_.interventions.size())) return;
  Document after = document_;
  after.interventions.erase(after.interventions.begin() + index);
  change(std::move(after), tr("removal of an edit"));
}

void Session::clear_interventions() {
  Document after = document_;
  after.interventions.clear();
  change(std::move(after), tr("reset of all edits"));
}

Request Session::request() const {
  Request request;
  request.model = document_.model;
  request.source = document_.source.toStdString();
  if (document_.target) request.target = document_.target->toStdString();
  request.interventions = document_.interventions;
  return request;
}

void Session::change(Document after, const QString& text, int merge_id) {
  if (after == document_) return;
  undo_.push(new DocumentChange(*this, std::move(after), text, merge_id));
}

void Session::apply(const Document& document) {
  document_ = document;
  emit changed();
}

}  // namespace headlight
