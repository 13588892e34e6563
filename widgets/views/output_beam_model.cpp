// The hypotheses as rows.
#include "widgets/views/output_beam_model.h"

#include <QCoreApplication>
#include <map>

#include "widgets/base/export.h"
#include "widgets/base/token_text.h"
#include "widgets/base/utf8_text.h"
#include "widgets/items/output_text.h"

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
  if (result_ && result_->beam)
    for (std::size_t step = 0; step < result_->beam->steps.size(); ++step)
      for (std::size_t place = 0; place < result_->beam->steps[step].hypotheses.size(); ++place)
        rows_.emplace_back(static_cast<int>(step), static_cast<int>(place));
  endResetModel();
}

int BeamModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BeamModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant BeamModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole) return {};
  const auto [step, place] = rows_[static_cast<std::size_t>(index.row())];
  const BeamHypothesis& hypothesis =
      result_->beam->steps[static_cast<std::size_t>(step)].hypotheses[static_cast<std::size_t>(place)];
  switch (index.column()) {
    case kStep:
      return step;
    case kToken:
      return token_text(result_->model->target_vocabulary().text(hypothesis.token)).text;
    case kText:
      return spelled(*result_, result_->beam->tokens_of(step, place));
    case kLogProbability:
      return log_text(hypothesis.logp);
    case kScore:
      return log_text(hypothesis.score);
    default:
      return fate_name(hypothesis.fate);
  }
}

QVariant BeamModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const QString names[] = {tr("step"), tr("token"), tr("text so far"), tr("log probability"), tr("score"), tr("fate")};
  return names[section];
}

QByteArray BeamModel::csv() const {
  QString text = "step,place,parent,token,text,log probability,score,fate,rank\r\n";
  std::map<std::pair<int, int>, std::size_t> ranks;
  if (!rows_.empty())
    for (std::size_t i = 0; i < result_->beam->best.size(); ++i)
      ranks[{result_->beam->best[i].step, result_->beam->best[i].place}] = i + 1;
  for (const auto& at : rows_) {
    const auto [step, place] = at;
    const BeamHypothesis& hypothesis =
        result_->beam->steps[static_cast<std::size_t>(step)].hypotheses[static_cast<std::size_t>(place)];
    const QString token = from_utf8(result_->model->target_vocabulary().text(hypothesis.token));
    const auto rank = ranks.find(at);
    text += QStringList{QString::number(step),
                        QString::number(place),
                        QString::number(hypothesis.parent),
                        csv_field(token),
                        csv_field(spelled(*result_, result_->beam->tokens_of(step, place))),
                        csv_number(hypothesis.logp),
                        csv_number(hypothesis.score),
                        csv_field(QString::fromUtf8(plain_fate(hypothesis.fate))),
                        rank == ranks.end() ? QString() : QString::number(rank->second)}
                .join(',') +
            "\r\n";
  }
  return text.toUtf8();
}

}  // namespace headlight
