#include "widgets/views/ribbons_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <set>

#include "model/analysis/word_groups.h"
#include "model/core/errors.h"
#include "widgets/base/export.h"
#include "widgets/items/attention_words.h"

namespace headlight {

using Side = RibbonsPlace::Side;

RibbonsView::RibbonsView(Selection* selection, QWidget* parent) : QWidget(parent), selection_(selection) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  bar_ = new QWidget(this);
  message_ = new QLabel(this);
  note_ = new QLabel(this);
  for (QWidget* each : std::initializer_list<QWidget*>{bar_, message_, note_}) {
    each->setAutoFillBackground(true);
    each->setBackgroundRole(QPalette::Base);
  }
  auto* row = new QHBoxLayout(bar_);
  row->setContentsMargins(8, 4, 8, 2);
  const auto choice = [&](QComboBox*& box, int letters) {
    box = new QComboBox(bar_);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(letters);
    row->addWidget(box);
  };
  choice(kind_box_, 7);
  choice(layer_box_, 6);
  choice(head_box_, 7);
  row->addStretch(1);
  row->addWidget(words_box_ = new QCheckBox(bar_));
  canvas_ = new RibbonsCanvas(this);
  for (QLabel* label : {message_, note_}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
  }
  message_->setAlignment(Qt::AlignCenter);
  message_->setMargin(32);
  note_->setContentsMargins(8, 2, 8, 4);
  column->addWidget(bar_);
  column->addWidget(canvas_, 1);
  column->addWidget(message_, 1);
  column->addWidget(note_);
  setFocusProxy(canvas_);
  const auto pick = [this](QComboBox* box, const std::function<void(int)>& set) {
    connect(box, &QComboBox::activated, this, [this, box, set](int at) {
      set(box->itemData(at).toInt());
      chosen_ = true;
      show_choices();
      show_map();
    });
  };
  pick(kind_box_, [this](int kind) {
    kind_ = static_cast<AttentionMap::Kind>(kind);
    layer_ = -1;
  });
  pick(layer_box_, [this](int layer) { layer_ = layer; });
  pick(head_box_, [this](int head) { head_ = head; });
  connect(canvas_, &RibbonsCanvas::hovered, this, &RibbonsView::hover);
  connect(canvas_, &RibbonsCanvas::chosen, this, &RibbonsView::choose);
  connect(words_box_, &QCheckBox::clicked, selection_, &Selection::set_words);
  connect(selection_, &Selection::changed, this, &RibbonsView::follow_selection);
  connect(selection_, &Selection::wordsChanged, this, [this] {
    taken_ = false;
    if (isVisible()) take_maps();
  });
  connect(selection_, &Selection::hovered, this, &RibbonsView::follow_hover);
  show_texts();
}

bool RibbonsView::offers(const Result& result) {
  const auto maps = attention_maps(result);
  return std::any_of(maps.begin(), maps.end(),
                     [](const AttentionMap& map) { return map.kind != AttentionMap::Kind::summary; });
}

void RibbonsView::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  taken_ = false;
  if (isVisible()) take_maps();
}

void RibbonsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  take_maps();
}

void RibbonsView::take_maps() {
  if (taken_) return;
  taken_ = true;
  maps_ = result_ ? attention_maps(*result_) : std::vector<AttentionMap>{};
  std::erase_if(maps_, [](const AttentionMap& map) { return map.kind == AttentionMap::Kind::summary; });
  show_choices();
  show_map();
}

void RibbonsView::show_head(AttentionMap::Kind kind, Index layer, Index head) {
  kind_ = kind;
  layer_ = layer;
  head_ = head;
  chosen_ = true;
  if (!taken_) return;
  show_choices();
  show_map();
}

// Fills the boxes, and goes over to what there is where a choice is not there.
void RibbonsView::show_choices() {
  std::set<AttentionMap::Kind> kinds;
  for (const AttentionMap& each : maps_) kinds.insert(each.kind);
  if (!maps_.empty() && (!chosen_ || !kinds.contains(kind_)))
    kind_ = kinds.contains(AttentionMap::Kind::cross) ? AttentionMap::Kind::cross : maps_.front().kind;
  const AttentionMap* wanted = nullptr;
  layer_box_->clear();
  for (const AttentionMap& each : maps_) {
    if (each.kind != kind_) continue;
    layer_box_->addItem(layer_name(each.layer), static_cast<int>(each.layer));
    if (!wanted || each.layer == layer_ || !chosen_) wanted = &each;  // unasked: the last layer
  }
  const bool pieces = wanted && has_pieces(*result_, *wanted);
  words_box_->setVisible(pieces);
  words_box_->setChecked(selection_->words());
  map_ = !wanted
             ? nullptr
             : std::make_shared<const AttentionMap>(selection_->words() ? between_words(*result_, *wanted) : *wanted);
  layer_ = wanted ? wanted->layer : -1;
  layer_box_->setCurrentIndex(layer_box_->findData(static_cast<int>(layer_)));
  kind_box_->clear();
  for (const AttentionMap::Kind kind : kinds) kind_box_->addItem(kind_name(kind), static_cast<int>(kind));
  kind_box_->setCurrentIndex(kind_box_->findData(static_cast<int>(kind_)));
  kind_box_->setToolTip(kind_help(kind_));
  const Index heads = wanted ? wanted->heads : 1;
  head_box_->clear();
  if (heads > 1) {
    head_box_->addItem(tr("all heads"), static_cast<int>(kAllHeads));
    for (const Index head : {AttentionMap::kMean, AttentionMap::kMax})
      head_box_->addItem(head_name(head), static_cast<int>(head));
  }
  for (Index head = 0; head < heads; ++head) head_box_->addItem(head_name(head), static_cast<int>(head));
  if (head_box_->findData(static_cast<int>(head_)) < 0) head_ = heads > 1 ? kAllHeads : 0;
  head_box_->setCurrentIndex(head_box_->findData(static_cast<int>(head_)));
  for (QComboBox* box : {kind_box_, layer_box_, head_box_}) box->setVisible(box->count() > 1);
  bar_->setVisible(pieces || kind_box_->count() > 1 || layer_box_->count() > 1 || head_box_->count() > 1);
}

void RibbonsView::show_texts() {
  kind_box_->setAccessibleName(tr("Kind of attention that is shown"));
  layer_box_->setAccessibleName(tr("Layer whose attention is shown"));
  layer_box_->setToolTip(tr("A model of several layers looks anew in each of them."));
  words_box_->setText(words_name());
  words_box_->setToolTip(words_help());
  words_box_->setAccessibleDescription(words_help());
  head_box_->setAccessibleName(tr("Head whose attention is shown"));
  head_box_->setToolTip(tr(
      "A head is one of several attentions that a layer makes side by side, each with its own habit. ‘All heads’ gives "
      "each head a colour."));
  canvas_->setToolTip(
      tr("Each line goes from a token that looks to a token that it looks at. The stronger the line, the more of its "
         "attention goes there.\nPoint at a token to see its lines alone. Click it to select it everywhere; then click "
         "one on the other side to open the weight between them."));
  message_->setText(!result_          ? tr("Type a source to see what its tokens look at.")
                    : !result_->trace ? tr("This run was not recorded, so there are no lines to show.")
                                      : tr("This model has no attention, so there are no lines to show."));
}

void RibbonsView::show_map() {
  show_texts();
  canvas_->setVisible(map_ != nullptr);
  message_->setVisible(map_ == nullptr);
  std::vector<Index> heads;
  if (map_ && head_ == kAllHeads)
    for (Index head = 0; head < map_->heads; ++head) heads.push_back(head);
  else
    heads.push_back(head_);
  canvas_->set_map(map_, std::move(heads));
  note_->setText(tr("Only the %1 strongest lines are drawn. Point at a token to see all of its lines.")
                     .arg(RibbonsCanvas::kMostLines));
  note_->setVisible(canvas_->is_limited());
  follow_selection();
}

Index RibbonsView::matrix_head() const { return head_ == kAllHeads ? AttentionMap::kMax : head_; }

MatrixModel* RibbonsView::table_model() {
  take_maps();
  if (!map_) {
    table_.set_matrix(0, 0, {});
    return &table_;
  }
  const Tensor matrix = map_->matrix(matrix_head());
  table_.set_matrix(static_cast<int>(matrix.rows()), static_cast<int>(matrix.columns()),
                    std::vector<float>(matrix.data(), matrix.data() + matrix.size()));
  const auto names = [](const std::vector<HeatmapLabel>& labels) {
    QStringList list;
    for (const HeatmapLabel& label : labels) list << label.name;
    return list;
  };
  table_.set_labels(names(row_labels(*map_)), names(column_labels(*map_)));
  return &table_;
}

void RibbonsView::hover(const RibbonsPlace& place) {
  if (!map_ || place.index < 0) return selection_->hover({}, {});
  const AttentionToken& token =
      (place.side == Side::looks ? map_->rows : map_->columns)[static_cast<std::size_t>(place.index)];
  selection_->hover(token.token >= 0 ? std::optional(token.token) : std::nullopt,
                    token.step >= 0 ? std::optional(token.step) : std::nullopt);
}

// A second token on the other side opens the weight between the two.
void RibbonsView::choose(const RibbonsPlace& place, const RibbonsPlace& before) {
  if (!map_) return;
  SelectionState state;
  const auto add = [&](const RibbonsPlace& at) {
    if (at.index < 0) return;
    const AttentionToken& token =
        (at.side == Side::looks ? map_->rows : map_->columns)[static_cast<std::size_t>(at.index)];
    if (token.token >= 0) state.source_token = token.token;
    if (token.step >= 0) state.step = token.step;
  };
  const bool pair = place.index >= 0 && before.index >= 0 && place.side != before.side;
  if (pair) add(before);
  add(place);
  if (pair) {
    const Index row = place.side == Side::looks ? place.index : before.index;
    const Index column = place.side == Side::seen ? place.index : before.index;
    Index head = map_->heads == 1 ? 0 : head_;
    if (head == kAllHeads || head == AttentionMap::kMax) {  // the strongest of the lines
      head = 0;
      for (Index h = 1; h < map_->heads; ++h)
        if (map_->weight(h, row, column) > map_->weight(head, row, column)) head = h;
    }
    if (head >= 0 && map_->has(row, column) && !map_->is_merged()) {
      state.entry = map_->entry(row);
      state.cell = map_->cell(head, row, column);
    }
  }
  selection_->set(state);
}

void RibbonsView::follow_selection() {
  if (!map_ || !taken_) return;
  const SelectionState& state = selection_->state();
  const auto holds = [&](const RibbonsPlace& place) {
    if (place.index < 0) return false;
    const AttentionToken& token =
        (place.side == Side::looks ? map_->rows : map_->columns)[static_cast<std::size_t>(place.index)];
    return (state.step && token.holds_step(*state.step)) ||
           (state.source_token && token.holds_token(*state.source_token));
  };
  if (holds(canvas_->cursor())) return;  // it was chosen here
  for (std::size_t i = 0; i < map_->rows.size(); ++i)
    if (const RibbonsPlace place{Side::looks, static_cast<int>(i)}; holds(place)) return canvas_->set_cursor(place);
  for (std::size_t i = 0; i < map_->columns.size(); ++i)
    if (const RibbonsPlace place{Side::seen, static_cast<int>(i)}; holds(place)) return canvas_->set_cursor(place);
  canvas_->set_cursor({});
}

void RibbonsView::follow_hover() {
  if (!map_ || !taken_ || canvas_->underMouse()) return;
  const auto token = selection_->hovered_token();
  const auto step = selection_->hovered_step();
  for (std::size_t i = 0; step && i < map_->rows.size(); ++i)
    if (map_->rows[i].holds_step(*step)) return canvas_->set_hover({Side::looks, static_cast<int>(i)});
  for (std::size_t i = 0; token && i < map_->columns.size(); ++i)
    if (map_->columns[i].holds_token(*token)) return canvas_->set_hover({Side::seen, static_cast<int>(i)});
  canvas_->set_hover({});
}

void RibbonsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    show_texts();
    if (taken_) {
      show_choices();
      show_map();
    }
  }
  QWidget::changeEvent(event);
}

void RibbonsView::export_to(const QString& path) const {
  if (!map_) throw UsageError(message_->text().toStdString());
  if (QFileInfo(path).suffix().compare("csv", Qt::CaseInsensitive) == 0) {
    QString text = "layer,head,row,looks,column,seen,weight\r\n";
    const auto looks = row_labels(*map_), seen = column_labels(*map_);
    for (Index head = 0; head < map_->heads; ++head)
      for (Index row = 0; row < map_->row_count(); ++row)
        for (Index column = 0; column < map_->column_count(); ++column)
          if (map_->has(row, column))
            text += QStringList{QString::number(map_->layer + 1),
                                QString::number(head + 1),
                                QString::number(row),
                                csv_field(looks[static_cast<std::size_t>(row)].text),
                                QString::number(column),
                                csv_field(seen[static_cast<std::size_t>(column)].text),
                                csv_number(static_cast<double>(map_->weight(head, row, column)))}
                        .join(',') +
                    "\r\n";
    return export_bytes(path, text.toUtf8());
  }
  PictureOptions options;
  options.title = canvas_->accessibleName();
  export_picture(
      path, canvas_->picture_size(), [this](QPainter& painter) { canvas_->paint_picture(painter); }, options);
}

}  // namespace headlight
