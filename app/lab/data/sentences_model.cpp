#include "app/lab/data/sentences_model.h"

#include <QUndoCommand>
#include <algorithm>
#include <utility>

#include "widgets/base/utf8_text.h"

namespace headlight {

// Lines at the end.
class SentencesModel::Insertion : public QUndoCommand {
 public:
  Insertion(SentencesModel* model, std::vector<CutSentence> lines)
      : QUndoCommand(tr("add lines")), model_(model), at_(model->rowCount()), lines_(std::move(lines)) {}
  void undo() override { model_->erase_at(at_, static_cast<int>(lines_.size())); }
  void redo() override { model_->insert_at(at_, lines_); }

 private:
  SentencesModel* model_;
  int at_;
  std::vector<CutSentence> lines_;
};

// Runs of lines, so that a thousand of them are few changes.
class SentencesModel::Removal : public QUndoCommand {
 public:
  Removal(SentencesModel* model, const std::vector<int>& rows) : QUndoCommand(tr("remove lines")), model_(model) {
    for (const int row : rows) {
      if (runs_.empty() || runs_.back().at + static_cast<int>(runs_.back().lines.size()) != row)
        runs_.push_back({row, {}});
      runs_.back().lines.push_back(model->cut(row));
    }
  }
  void undo() override {
    for (const Run& run : runs_) model_->insert_at(run.at, run.lines);
  }
  void redo() override {
    for (auto run = runs_.rbegin(); run != runs_.rend(); ++run)
      model_->erase_at(run->at, static_cast<int>(run->lines.size()));
  }

 private:
  struct Run {
    int at;
    std::vector<CutSentence> lines;
  };
  SentencesModel* model_;
  std::vector<Run> runs_;
};

class SentencesModel::Replacement : public QUndoCommand {
 public:
  Replacement(SentencesModel* model, int row, CutSentence after)
      : QUndoCommand(tr("change a line")),
        model_(model),
        row_(row),
        before_(model->cut(row)),
        after_(std::move(after)) {}
  void undo() override { model_->replace_at(row_, before_); }
  void redo() override { model_->replace_at(row_, after_); }

 private:
  SentencesModel* model_;
  int row_;
  CutSentence before_, after_;
};

class SentencesModel::ProbeChange : public QUndoCommand {
 public:
  ProbeChange(SentencesModel* model, Probe after)
      : QUndoCommand(tr("choose the probe")), model_(model), before_(model->probe_), after_(std::move(after)) {}
  void undo() override { model_->take_probe(before_); }
  void redo() override { model_->take_probe(after_); }

 private:
  SentencesModel* model_;
  Probe before_, after_;
};

SentencesModel::SentencesModel(QObject* parent) : QAbstractTableModel(parent) {}

void SentencesModel::set_languages(const QString& from, const QString& to) {
  source_language_ = from;
  target_language_ = to;
  retranslate();
}

void SentencesModel::add(std::vector<CutSentence> lines) {
  lines.resize(std::min(lines.size(), kMostSentences - std::min(list_.size(), kMostSentences)));
  if (!lines.empty()) undo_.push(new Insertion(this, std::move(lines)));
}

void SentencesModel::remove_rows(std::vector<int> rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::erase_if(rows, [this](int row) { return row < 0 || row >= rowCount(); });
  if (!rows.empty()) undo_.push(new Removal(this, rows));
}

void SentencesModel::replace(int row, const SentenceLine& line) {
  if (row < 0 || row >= rowCount() || list_.line(static_cast<std::size_t>(row)) == line) return;
  undo_.push(new Replacement(this, row, cut_sentence(line, list_.options())));
}

void SentencesModel::set_probe(const Probe& probe) {
  if (probe.source == probe_.source && probe.target == probe_.target) return;
  undo_.push(new ProbeChange(this, probe));
}

void SentencesModel::reset(std::vector<CutSentence> lines, const Probe& probe) {
  undo_.clear();
  beginResetModel();
  list_ = SentenceList(list_.options());
  list_.insert(0, lines);
  probe_ = probe;
  list_.set_probe(probe.source);
  endResetModel();
  emit changed();
}

void SentencesModel::insert_at(int row, const std::vector<CutSentence>& lines) {
  beginInsertRows({}, row, row + static_cast<int>(lines.size()) - 1);
  list_.insert(static_cast<std::size_t>(row), lines);
  endInsertRows();
  judged();
}

void SentencesModel::erase_at(int row, int count) {
  beginRemoveRows({}, row, row + count - 1);
  list_.erase(static_cast<std::size_t>(row), static_cast<std::size_t>(count));
  endRemoveRows();
  judged();
}

void SentencesModel::replace_at(int row, const CutSentence& line) {
  list_.replace(static_cast<std::size_t>(row), line);
  judged();
}

void SentencesModel::take_probe(const Probe& probe) {
  probe_ = probe;
  list_.set_probe(probe.source);
  judged();
}

// What is said of any line may have become something else.
void SentencesModel::judged() {
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
  emit changed();
}

void SentencesModel::retranslate() {
  emit headerDataChanged(Qt::Horizontal, 0, columns - 1);
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

QString SentencesModel::reason(int row) const {
  constexpr std::size_t kWordsNamed = 4;
  const SentenceVerdict& verdict = list_.verdict(static_cast<std::size_t>(row));
  switch (verdict.status) {
    case SentenceStatus::used:
      return {};
    case SentenceStatus::lone_words: {
      QStringList words;
      for (const std::string& word : verdict.words)
        //: A word in quotes, one of several.
        if (static_cast<std::size_t>(words.size()) < kWordsNamed) words << tr("‘%1’").arg(from_utf8(word));
      if (verdict.words.size() > kWordsNamed) words << QStringLiteral("…");
      const QString all = words.join(tr(", "));
      return verdict.words.size() == 1 ? tr("%1 stands nowhere else").arg(all) : tr("%1 stand nowhere else").arg(all);
    }
    case SentenceStatus::other_target:
      return tr("line %1 says something else for it; both are used").arg(verdict.line + 1);
    case SentenceStatus::repeated:
      return tr("stands in line %1 already; used once").arg(verdict.line + 1);
    case SentenceStatus::probe:
      return tr("the probe: kept out of the training");
    case SentenceStatus::too_long:
      return tr("longer than %1 words; not used").arg(list_.options().max_tokens);
    case SentenceStatus::no_source:
      return tr("no %1; not used").arg(source_language_);
    case SentenceStatus::no_target:
      return tr("no %1; not used").arg(target_language_);
    case SentenceStatus::too_many_bytes:
      return tr("too long for a line; not used");
    case SentenceStatus::broken_text:
      return tr("letters that cannot be read (saved in another encoding than UTF-8?); not used");
    case SentenceStatus::control_characters:
      return tr("signs that cannot be seen; not used");
  }
  return {};
}

int SentencesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(list_.size());
}

int SentencesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant SentencesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto row = static_cast<std::size_t>(index.row());
  const SentenceLine& line = list_.line(row);
  const SentenceVerdict& verdict = list_.verdict(row);
  if (role == used_role) return verdict.used();
  if (role == fault_role) return !verdict.used() && verdict.status >= SentenceStatus::too_long;
  if (role == reason_role) return reason(index.row());
  const QString source_text = from_utf8(line.source);
  if (role == Qt::AccessibleTextRole && index.column() == source) {
    const QString said = reason(index.row());
    return said.isEmpty() ? source_text : tr("%1 (%2)").arg(source_text, said);
  }
  if (role == Qt::AccessibleTextRole && index.column() == remove) return tr("Remove line %1").arg(index.row() + 1);
  if (role == Qt::ToolTipRole && index.column() == remove) return tr("Remove this line (Del)");
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (index.column()) {
    case number:
      return index.row() + 1;
    case source:
      return source_text;
    case target:
      return line.target.empty() && role == Qt::DisplayRole ? QStringLiteral("—") : from_utf8(line.target);
    case made:
      return line.made ? tr("made") : QString();
    default:
      return {};
  }
}

QVariant SentencesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical || role != Qt::DisplayRole) return {};
  return section == source ? source_language_ : section == target ? target_language_ : QString();
}

Qt::ItemFlags SentencesModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (index.column() == source || index.column() == target) flags |= Qt::ItemIsEditable;
  return flags;
}

bool SentencesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || (index.column() != source && index.column() != target)) return false;
  SentenceLine line = list_.line(static_cast<std::size_t>(index.row()));
  (index.column() == source ? line.source : line.target) = whole_characters(value.toString()).trimmed().toStdString();
  line.made = false;
  replace(index.row(), line);
  return true;
}

}  // namespace headlight
