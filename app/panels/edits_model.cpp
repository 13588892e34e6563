#include "app/panels/edits_model.h"

#include <QAbstractItemView>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QWidget>
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "model/core/json_library.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/text/edit_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/switch_words.h"
#include "widgets/text/token_text.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

namespace {

// "beam search, 4 hypotheses", "drawn, temperature 0.7".
QString decoding_in_words(const DecodeSettings& decode) {
  if (decode.generation) {
    QStringList keys;
    for (const auto& [key, value] : (**decode.generation).items())
      keys << QString::fromStdString(key + " " + value.dump(-1, ' ', false, Json::error_handler_t::replace));
    return keys.isEmpty() ? EditsModel::tr("as generation_config.json says") : keys.join(QStringLiteral(", "));
  }
  switch (decode.kind) {
    case DecodeSettings::Kind::beam:
      return EditsModel::tr("beam search, %n hypotheses", nullptr, static_cast<int>(decode.beam.width));
    case DecodeSettings::Kind::sample:
      return EditsModel::tr("tokens are drawn, temperature %1").arg(short_number(decode.sampling.temperature));
    case DecodeSettings::Kind::greedy:
      break;
  }
  return EditsModel::tr("greedy");
}

// The same for edits that a person made as one: a head is off in the prompt and at every step, a weight is pinned in
// all heads of a layer.
std::string what_it_says(const Intervention& edit) {
  std::string key = edit.site;
  constexpr std::string_view kEveryStep = "step[*].", kHead = "head[";
  if (const std::size_t at = key.find(kEveryStep); at != std::string::npos) key.erase(at, kEveryStep.size());
  if (const std::size_t at = key.find(kHead); edit.kind == Intervention::Kind::pin && at != std::string::npos)
    key.erase(at, key.find(']', at) - at);
  for (const Index part : {static_cast<Index>(edit.kind), edit.cell, edit.count, std::max<Index>(edit.row, -1),
                           edit.outside ? edit.outside->width : Index{-1}})
    key += '|' + std::to_string(part);
  return key + '|' + std::to_string(static_cast<double>(edit.value));
}

}  // namespace

void EditsModel::set(Differences differences) {
  beginResetModel();
  shown_ = std::move(differences);
  others_.clear();
  groups_.clear();
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < shown_.edits.size(); ++i) {
    const auto [at, is_new] = known.try_emplace(what_it_says(shown_.edits[i]), groups_.size());
    if (is_new) groups_.emplace_back();
    groups_[at->second].push_back(static_cast<int>(i));
  }
  const Json changed = shown_.model && shown_.model->model ? changed_settings(*shown_.model) : Json::object();
  for (const auto& [key, value] : changed.items()) {
    const QString name = QString::fromStdString(key);
    others_.push_back({Kind::setting, setting_in_words(*shown_.model, name),
                       tr("Setting %1 of the model: %2").arg(name, QString::fromStdString(value.dump())), name});
  }
  if (shown_.decode != DecodeSettings{})
    others_.push_back({Kind::decoding, tr("Decoding: %1").arg(decoding_in_words(shown_.decode)),
                       tr("Without a change the model writes the most probable token at each step.")});
  if (shown_.target)
    others_.push_back({Kind::target, tr("You wrote the output: %1").arg(*shown_.target),
                       tr("The model does not choose: it says how probable it finds this output.")});
  endResetModel();
}

int EditsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(others_.size() + groups_.size());
}

EditsModel::Row EditsModel::row(int at) const {
  if (at < 0 || at >= rowCount()) return {};
  const auto others = static_cast<int>(others_.size());
  if (at < others) return others_[static_cast<std::size_t>(at)];
  const std::vector<int>& group = groups_[static_cast<std::size_t>(at - others)];
  const Intervention& edit = shown_.edits[static_cast<std::size_t>(group.front())];
  const Result* result = shown_.result.get();
  QStringList texts;
  for (const int index : group) texts << QString::fromStdString(to_text(shown_.edits[static_cast<std::size_t>(index)]));
  Intervention said = edit;
  if (const std::size_t head = said.site.find("head[");
      group.size() > 1 && edit.kind == Intervention::Kind::pin && head != std::string::npos)
    said.site.replace(head + 5, said.site.find(']', head) - head - 5, "*");
  Row row{Kind::edit, edit_in_words(said, result), texts.join('\n'), {}, group};
  if (!row.text.isEmpty()) row.text[0] = row.text[0].toUpper();
  const bool waits =
      result && result->interventions.size() == shown_.edits.size() && std::ranges::all_of(group, [&](int index) {
        const auto i = static_cast<std::size_t>(index);
        return std::ranges::binary_search(result->not_reached, index) && result->interventions[i] == shown_.edits[i];
      });
  if (waits) {
    row.text = tr("%1 (not reached)").arg(row.text);
    row.help += '\n' + tr("This run has no such step or token; the edit waits for one that has.");
  }
  row.help += '\n' + tr("Enter or a double click shows this number in ‘This number’; Delete takes the change back.");
  return row;
}

QVariant EditsModel::data(const QModelIndex& index, int role) const {
  if (role == Qt::ForegroundRole) return Theme::instance().edited();
  if (role == Qt::DisplayRole) return row(index.row()).text;
  if (role != Qt::ToolTipRole) return {};
  const Row at = row(index.row());
  return plain_tooltip(at.text + '\n' + at.help);
}

namespace {

constexpr int kWrapped = 100;  // more changes stand in a line each
constexpr int kFlags = static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextWordWrap;

}  // namespace

QRect EditsDelegate::button(const QStyleOptionViewItem& option) const {
  const QRect& row = option.rect;
  const int side = option.fontMetrics.height() + 4;
  return {row.right() - kEdge - side - space::kTight, row.top() + (row.height() - side) / 2, side, side};
}

QRectF EditsDelegate::text_room(const QStyleOptionViewItem& option) const {
  const int left = option.rect.left() + kEdge + space::kMedium;
  return QRectF(left, option.rect.top(), button(option).left() - space::kTight - left, option.rect.height());
}

QSize EditsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const int line = option.fontMetrics.height(), around = space::kLarge + space::kTight;
  const auto* list = qobject_cast<const QAbstractItemView*>(option.widget);
  if (!list || index.model()->rowCount() > kWrapped) return {0, line + around};
  QStyleOptionViewItem row(option);
  row.rect = QRect(0, 0, list->viewport()->width(), line);
  const auto room = static_cast<int>(text_room(row).width());
  const QRect text = option.fontMetrics.boundingRect(QRect(0, 0, std::max(room, 40), 100'000), kFlags,
                                                     index.data(Qt::DisplayRole).toString());
  return {0, text.height() + around};
}

// A card: its ground and its bar say that it is of the person, a ring that it is chosen.
void EditsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Tokens& t = tokens();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRectF card = QRectF(option.rect).adjusted(kEdge, 2, -kEdge, -2);
  QColor ground = t.edited;
  ground.setAlphaF(0.1F);
  draw_box(*painter, card, radius::kCell, QPen(Qt::NoPen), ground);
  painter->fillRect(QRectF(card.left(), card.top(), 3, card.height()), t.edited);
  if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Selected))
    draw_box(*painter, card.adjusted(1, 1, -1, -1), radius::kCell, QPen(t.ink, 2));
  const QRect cross = button(option);
  const QRectF room = text_room(option);
  painter->setFont(option.font);
  painter->setPen(t.ink);
  const QString text = index.data().toString();
  const bool line = index.model()->rowCount() > kWrapped;
  draw_text(*painter, room, kFlags, line ? elided_text(text, option.font, Qt::ElideRight, room.width()) : text);
  draw_sign(*painter, QRectF(cross).adjusted(3, 3, -3, -3), Sign::close, t.ink2);
  painter->restore();
}

bool EditsDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                                const QModelIndex& index) {
  if (event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() == Qt::LeftButton && button(option).contains(mouse->position().toPoint())) {
      emit removeRequested(index.row());
      return true;
    }
  }
  return QStyledItemDelegate::editorEvent(event, model, option, index);
}

}  // namespace headlight
