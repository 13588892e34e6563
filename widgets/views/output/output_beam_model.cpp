// The hypotheses as rows.
#include "widgets/views/output/output_beam_model.h"

#include <QCoreApplication>

#include "widgets/base/utf8_text.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

using Fate = BeamHypothesis::Fate;

const char* plain_fate(Fate fate) {
  switch (fate) {
    case Fate::alive:
      return QT_TRANSLATE_NOOP("BeamFate", "went on");
    case Fate::finished:
      return QT_TRANSLATE_NOOP("BeamFate", "finished");
    case Fate::pruned:
      return QT_TRANSLATE_NOOP("BeamFate", "dropped: not among the best");
    case Fate::truncated:
      return QT_TRANSLATE_NOOP("BeamFate", "cut at the longest output");
    case Fate::stopped:
      break;
  }
  return QT_TRANSLATE_NOOP("BeamFate", "left when the search ended");
}

}  // namespace

QString fate_name(Fate fate) { return QCoreApplication::translate("BeamFate", plain_fate(fate)); }

void BeamModel::set_result(std::shared_ptr<const Result> result) {
  beginResetModel();
  result_ = std::move(result);
  rows_.clear();
  ranks_.clear();
  if (result_ && result_->beam)
    for (std::size_t step = 0; step < result_->beam->steps.size(); ++step)
      for (std::size_t place = 0; place < result_->beam->steps[step].hypotheses.size(); ++place)
        rows_.emplace_back(static_cast<int>(step), static_cast<int>(place));
  if (result_ && result_->beam)
    for (const auto& best : result_->beam->best)
      ranks_.emplace(std::pair(best.step, best.place), static_cast<int>(ranks_.size()) + 1);
  endResetModel();
}

int BeamModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BeamModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant BeamModel::data(const QModelIndex& index, int role) const {
  const bool number = index.column() == kLogProbability || index.column() == kScore;
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::TextAlignmentRole && number) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  const bool read = role == Qt::DisplayRole;
  const auto [step, place] = rows_[static_cast<std::size_t>(index.row())];
  const BeamHypothesis& hypothesis =
      result_->beam->steps[static_cast<std::size_t>(step)].hypotheses[static_cast<std::size_t>(place)];
  switch (index.column()) {
    case kStep:
      return step;
    case kPlace:
      return place;
    case kParent:
      return static_cast<int>(hypothesis.parent);
    case kToken: {
      const std::string text = result_->model->target_vocabulary().text(hypothesis.token);
      return read ? token_text(text).text : from_utf8(text);
    }
    case kText:
      return spelled(*result_, result_->beam->tokens_of(step, place));
    case kLogProbability:
      return read ? QVariant(log_text(hypothesis.logp)) : QVariant(hypothesis.logp);
    case kScore:
      return read ? QVariant(log_text(hypothesis.score)) : QVariant(hypothesis.score);
    case kFate:
      return fate_name(hypothesis.fate);
    default: {
      const auto rank = ranks_.find({step, place});
      return rank == ranks_.end() ? QVariant() : QVariant(rank->second);
    }
  }
}

QVariant BeamModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const QString names[] = {tr("step"),  tr("place"),       tr("parent"),
                           tr("token"), tr("text so far"), tr("log probability"),
                           tr("score"), tr("fate"),        tr("rank")};
  return names[section];
}

}  // namespace headlight
