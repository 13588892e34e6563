// The parts of the compare view: its bar, its lists, what fits, and its export.
#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/core/errors.h"
#include "model/models/variant.h"
#include "widgets/base/ask.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/head_list.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/compare/compare_pictures.h"
#include "widgets/views/compare/compare_tokens.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compare/word_pairs_picture.h"

namespace headlight {

void CompareView::build_bar() {
  QWidget* bar = this->bar();
  bar->setMinimumWidth(1);  // its direction follows the width of the view, not the other way round
  bar_ = new QVBoxLayout(bar);
  bar_->setContentsMargins(space::kMargin, 4, space::kMargin, 2);
  bar_->setSpacing(4);
  auto* first = new QHBoxLayout;
  auto* second = new QHBoxLayout;
  bar_->addLayout(first, 1);
  bar_->addLayout(second, 1);
  reference_label_ = new QLabel(bar);
  reference_box_ = choice_box(bar, 9);
  reference_label_->setBuddy(reference_box_);
  text_ = new QLineEdit(bar);
  model_box_ = choice_box(bar, 8);
  keep_ = new QPushButton(bar);
  keep_->setObjectName(QStringLiteral("keep"));
  forget_ = new QToolButton(bar);
  forget_->setObjectName(QStringLiteral("forget"));
  forget_->setAutoRaise(true);
  forget_->setFocusPolicy(Qt::TabFocus);
  difference_button_ = new QPushButton(bar);
  difference_button_->setObjectName(QStringLiteral("difference"));
  difference_button_->setCheckable(true);
  first->addWidget(reference_label_);
  first->addWidget(reference_box_);
  first->addWidget(text_, 1);
  first->addWidget(model_box_, 1);
  first->addWidget(forget_);
  first->addWidget(keep_);
  first->addStretch(0);
  subject_label_ = new QLabel(bar);
  subject_box_ = choice_box(bar, 8);
  subject_box_->setEditable(true);
  subject_box_->setInsertPolicy(QComboBox::NoInsert);
  subject_box_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  subject_box_->completer()->setFilterMode(Qt::MatchContains);
  subject_label_->setBuddy(subject_box_);
  second->addWidget(subject_label_);
  second->addWidget(subject_box_, 1);
  second->addWidget(difference_button_);
  second->addWidget(heads_button_ = new QPushButton(bar));
  second->addWidget(texts_button_ = new QPushButton(bar));
  texts_button_->setCheckable(true);
  heads_button_->setObjectName(QStringLiteral("heads"));
  heads_button_->setCheckable(true);
}

namespace {

// A list takes the room that its present choice needs, as far as there is any.
int wanted_by(const QComboBox* box) {
  return box->fontMetrics().horizontalAdvance(box->currentText()) + 3 * box->fontMetrics().height();
}
int wanted_by(const QLineEdit* field) {
  return field->fontMetrics().horizontalAdvance(field->text() + QStringLiteral("    "));
}

// How the bar uses its room: in one line or in two, with or without what can be missed, and how much of its width a
// list may have. The first one that fits.
struct BarForm {
  bool one_line, whole;
  double share;
};
constexpr BarForm kBarForms[] = {{true, true, 0.2},   {true, true, 0.16},  {false, true, 0.4},  {false, true, 0.3},
                                 {false, true, 0.22}, {false, false, 0.4}, {false, false, 0.3}, {false, false, 0.2}};

int least_of_line(const QLayout* line) {
  int wide = -line->spacing();
  for (int i = 0; i < line->count(); ++i)
    if (const QWidget* each = line->itemAt(i)->widget(); each && !each->isHidden())
      wide += (each->minimumWidth() > 0 ? each->minimumWidth() : each->minimumSizeHint().width()) + line->spacing();
  return wide;
}

}  // namespace

void CompareView::connect_parts() {
  connect(reference_box_, &QComboBox::activated, this, [this](int at) {
    const int variant = reference_box_->itemData(at, Qt::UserRole + 1).toInt();
    if (variant >= 0) variant_ = variant;
    set_reference(static_cast<Reference>(reference_box_->itemData(at).toInt()));
    if (text_->isVisible() && text_->text().isEmpty()) text_->setFocus();  // what is typed next is that text
  });
  connect(model_box_, &QComboBox::activated, this, [this](int at) {
    if (listed(at)) return set_reference(Reference::model);
    model_box_->setCurrentIndex(model_shown_);  // “Open…” is none
    emit openWanted();
  });
  connect(text_, &QLineEdit::textEdited, this, [this] { set_reference(Reference::text); });
  connect(text_, &QLineEdit::textChanged, this, &CompareView::fit);
  connect(keep_, &QPushButton::clicked, this, &CompareView::keepWanted);
  connect(forget_, &QToolButton::clicked, this, [this] {
    if (variant_ < 0 || variant_ >= static_cast<int>(variants_.size())) return;
    ask_to_lose(this,
                {tr("Delete this kept run? It cannot be brought back."), nth(variants_, variant_).name, tr("&Delete")},
                [this, at = variant_] { forget(at); });
  });
  connect(difference_button_, &QPushButton::toggled, this, &CompareView::set_difference_shown);
  connect(heads_button_, &QPushButton::toggled, this, [this](bool shown) {
    if (shown && !words_->isHidden()) set_subject({});  // words have no heads
    show_heads();
    fit();
  });
  connect(texts_button_, &QPushButton::toggled, this, &CompareView::show_heads);
  if (bench_) connect(bench_, &HeadBench::changed, this, &CompareView::show_heads);
  connect(&texts_job_, &BenchJob::failed, this, [this](const QString& problem) {
    texts_button_->setChecked(false);
    note_->setText(problem);
  });
  connect(heads_, &HeadList::headChosen, this, [this](const HeadPlace& head) { selection_->set_head(head); });
  connect(selection_, &Selection::headChanged, this, &CompareView::take_head);
  connect(subject_box_, &QComboBox::activated, this, [this](int at) {
    if (at < 0 || at >= static_cast<int>(choices_.size())) return;
    const CompareSubject chosen = nth(choices_, at);
    set_subject(chosen);
    if (chosen.kind == CompareSubject::Kind::head)
      selection_->set_head(HeadPlace{chosen.map, chosen.layer, chosen.head});
  });
  // Words that name nothing are put back.
  connect(subject_box_->lineEdit(), &QLineEdit::editingFinished, this, [this] {
    if (subject_box_->findText(subject_box_->currentText()) < 0)
      subject_box_->setEditText(subject_box_->itemText(subject_box_->currentIndex()));
  });
}

void CompareView::show_texts() {
  reference_label_->setText(tr("Compare &with"));
  show_references();
  show_models();
  reference_box_->setToolTip(tr("What the newest run, B, is compared with."));
  reference_box_->setAccessibleName(tr("Run to compare with"));
  text_->setPlaceholderText(tr("another text"));
  text_->setAccessibleName(tr("The other text"));
  model_box_->setAccessibleName(tr("The other model"));
  keep_->setText(tr("&Keep to compare"));
  keep_->setToolTip(tr("Keep the present run under a name: it is offered here as A, and saved with the session."));
  forget_->setText(tr("Delete"));
  forget_->setToolTip(tr("Delete this kept run"));
  difference_button_->setText(tr("&Difference"));
  difference_button_->setToolTip(tr("Also what changed from A to B, cell by cell, and token by token"));
  heads_button_->setText(tr("&Heads"));
  texts_button_->setText(tr("Over my &texts"));
  texts_button_->setToolTip(
      tr("Both models read every text of the list of texts: mean and deviation of how far apart each head looks"));
  heads_button_->setToolTip(tr("All heads as a list: those that look most differently in the two runs come first"));
  subject_label_->setText(tr("&Show"));
  subject_box_->setToolTip(
      tr("Where the model looks, one head, or any value of the run; what changed most comes first. Type to search."));
  subject_box_->setAccessibleName(tr("What is compared"));
  show_choices();
  fit();
}

// The run before, the model as trained, what was kept, another text, another model.
void CompareView::show_references() {
  const QSignalBlocker quiet(reference_box_);
  reference_box_->clear();
  const auto add = [&](Reference reference, const QString& name, const QString& help, int variant = -1) {
    reference_box_->addItem(name, static_cast<int>(reference));
    const int at = reference_box_->count() - 1;
    reference_box_->setItemData(at, variant, Qt::UserRole + 1);
    reference_box_->setItemData(at, help, Qt::ToolTipRole);
  };
  add(Reference::before, tr("the run before"),
      tr("The last run before you began to change something: it stays while you type."));
  add(Reference::trained, tr("as trained"), tr("The same text and model without your changes."));
  if (newest_ && as_trained(*newest_->result()->model).at_strength)
    add(Reference::without, tr("without the adapter"),
        tr("The same text and the base alone, of which the adapter changed the weights."));
  for (std::size_t i = 0; i < variants_.size(); ++i)
    add(Reference::variant, variants_[i].name,
        tr("A run that you kept: ‘%1’").arg(shown_text(variants_[i].inputs.source)), static_cast<int>(i));
  add(Reference::text, tr("another text"), tr("This model on another text, without your changes."));
  add(Reference::model, tr("another model"), tr("Another model on this text."));
  point_at_reference();
}

void CompareView::point_at_reference() {
  for (int at = 0; at < reference_box_->count(); ++at) {
    const int variant = reference_box_->itemData(at, Qt::UserRole + 1).toInt();
    if (reference_box_->itemData(at).toInt() == static_cast<int>(shown_) && (variant < 0 || variant == variant_))
      reference_box_->setCurrentIndex(at);
  }
}

void CompareView::show_models() {
  const QString before = model_box_->currentData().toString();
  const QSignalBlocker quiet(model_box_);
  model_box_->clear();
  for (int at = 0; const ModelDescription* model = listed(at); ++at) {
    const ModelBundle& bundle = *model->bundle;
    const std::string& title = bundle.title.empty() ? bundle.name : bundle.title;
    const QString translated = QCoreApplication::translate("ModelCard", title.c_str());
    model_box_->addItem(shown_text(translated.toStdString()), path_text(bundle.folder));
  }
  mark_comparable();
  model_box_->addItem(tr("Open…"));
  model_box_->setCurrentIndex(before.isEmpty() ? -1 : model_box_->findData(before));
}

// A model that was trained on something else makes nonsense of this text: it stays in the list, so that nobody looks
// for it in vain, and cannot be chosen.
void CompareView::mark_comparable() {
  auto* items = qobject_cast<QStandardItemModel*>(model_box_->model());
  for (int at = 0; newest_ && listed(at); ++at) {
    const bool fits = can_compare(*listed(at)->bundle);
    items->item(at)->setEnabled(fits);
    const QString about = shown_text(listed(at)->bundle->description);
    model_box_->setItemData(
        at, fits ? about : tr("Cannot be chosen: it was trained on texts of another kind than this one. %1").arg(about),
        Qt::ToolTipRole);
  }
}

// Where it looks; the heads, those that changed most first; the values of the run, likewise.
void CompareView::show_choices() {
  if (subject_box_->view()->isVisible() || subject_box_->lineEdit()->hasFocus()) return;
  choices_ = {CompareSubject{}};
  QStringList names{subject_name({})};
  if (words_->compared()) {
    choices_.push_back({CompareSubject::Kind::words, AttentionMap::Kind::cross, -1, 0, {}});
    names << subject_name(choices_.back());
  }
  if (difference_.heads.size() > 1)
    for (const HeadChange& head : difference_.heads) {
      choices_.push_back({CompareSubject::Kind::head, head.kind, head.layer, head.head, {}});
      names << tr("%1 · %2 bits").arg(subject_name(choices_.back())).arg(head.bits, 0, 'f', 3);
    }
  for (const SiteChange& site : difference_.sites) {
    choices_.push_back({CompareSubject::Kind::site, AttentionMap::Kind::cross, -1, 0, site.name});
    names << tr("%1 · %2 % changed").arg(subject_name(choices_.back())).arg(100 * site.relative, 0, 'f', 1);
  }
  const QSignalBlocker quiet(subject_box_);
  subject_box_->clear();
  subject_box_->addItems(names);
  // Whole in its list, however narrow the box is: which layer and head it is stands in the middle.
  const auto longest = std::ranges::max_element(names, {}, &QString::size);
  const int scroll_bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  subject_box_->view()->setMinimumWidth(std::min(
      subject_box_->fontMetrics().horizontalAdvance(*longest) + scroll_bar + 2 * space::kMargin, window()->width()));
  point_at_choice();
  show_heads();
}

void CompareView::point_at_choice() {
  if (subject_box_->lineEdit()->hasFocus()) return;
  const auto at = std::ranges::find(choices_, shown_subject_);
  subject_box_->setCurrentIndex(at == choices_.end() ? -1 : static_cast<int>(at - choices_.begin()));
  subject_box_->lineEdit()->setCursorPosition(0);
  fit();
}

// The chosen head of all views, while heads are what is compared.
void CompareView::take_head() {
  heads_->set_chosen(selection_->head());
  const auto& head = selection_->head();
  if (!head || !is_fresh() || !isVisible()) return;
  if (heads_->isHidden() && shown_subject_.kind != CompareSubject::Kind::head) return;
  const CompareSubject subject{CompareSubject::Kind::head, head->kind, head->layer, head->head, {}};
  if (std::ranges::find(choices_, subject) != choices_.end() && subject != shown_subject_) set_subject(subject);
}

// A low panel is for the pictures.
void CompareView::fit() {
  const double scale = theme().font_scale();
  const bool all = pictures_->difference_shown();
  const bool words = !words_->isHidden();
  tokens_->setVisible(all && !words && height() >= 300 * scale);
  note_->setVisible((all || words) && height() >= 280 * scale);
  text_->setVisible(shown_ == Reference::text);
  model_box_->setVisible(shown_ == Reference::model);
  forget_->setVisible(shown_ == Reference::variant);
  const bool text_or_model = shown_ == Reference::text || shown_ == Reference::model;
  const QMargins around = bar_->contentsMargins();
  const QLayout *first = bar_->itemAt(0)->layout(), *second = bar_->itemAt(1)->layout();
  for (const BarForm& form : kBarForms) {
    const bool last = !form.whole;
    if (!last && width() < (form.one_line ? 640 : 420) * scale) continue;
    subject_label_->setVisible(form.whole);
    keep_->setVisible(form.whole || !text_or_model);
    difference_button_->setVisible(form.whole);
    const int most = static_cast<int>(form.share * width());
    for (QComboBox* box : {reference_box_, model_box_, subject_box_})
      box->setMinimumWidth(std::min(wanted_by(box), most));
    text_->setMinimumWidth(std::min(wanted_by(text_), most));
    const int one = least_of_line(first), other = least_of_line(second);
    const int wide = form.one_line ? one + bar_->spacing() + other : std::max(one, other);
    bar_->setDirection(form.one_line ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    if (wide + around.left() + around.right() <= width()) break;
  }
  // Two lines above a low picture stand close.
  const bool close = bar_->direction() == QBoxLayout::TopToBottom && height() < 260 * scale;
  bar_->setContentsMargins(around.left(), close ? 2 : 4, around.right(), close ? 0 : 2);
  bar_->setSpacing(close ? 2 : 4);
}

void CompareView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void CompareView::retranslate() {
  show_texts();
  words_->retranslate();
  if (a_)
    show_pair();
  else
    find_reference();
}

// Of two texts of a model of embeddings it is the first thing to see; of two models of the same text, or where
// something else was chosen, it is one of the list.
bool CompareView::show_words() {
  const bool there = words_->set_runs(*a_->result(), *b_->result());
  const bool texts = a_->result()->source != b_->result()->source;
  const bool wanted = subject_.kind == CompareSubject::Kind::words || (!subject_chosen_ && texts);
  const bool shown = there && wanted;
  words_->setVisible(shown);
  pictures_->setVisible(!shown);
  show_heads();
  difference_button_->setEnabled(!shown);
  if (!shown) {
    if (subject_.kind == CompareSubject::Kind::words) shown_subject_ = {};
    return false;
  }
  shown_subject_ = {};
  shown_subject_.kind = CompareSubject::Kind::words;
  note_->setText(words_->summary());
  note_->setVisible(true);
  tokens_->setVisible(false);
  setAccessibleDescription(words_->summary());
  words_->fill(&table_);
  point_at_choice();
  return true;
}

void CompareView::show_table() {
  const Compared& compared = pictures_->compared();
  const auto columns = static_cast<int>(compared.table.columns.size());
  const auto number = [this](const Tensor TableDifference::*of) {
    return [this, of](int cell) {
      const Scalar value = (pictures_->compared().table.*of)[cell];
      return std::isnan(value) ? QVariant() : QVariant(static_cast<double>(value));
    };
  };
  const auto label = [this](const ComparedAxis Compared::*axis, int at) {
    return QVariant(nth((pictures_->compared().*axis).labels, at).text);
  };
  table_.set(static_cast<int>(compared.table.rows.size()) * columns,
             {{tr("row"), [=](int cell) { return label(&Compared::rows, cell / columns); }},
              {tr("column"), [=](int cell) { return label(&Compared::columns, cell % columns); }},
              {tr("A"), number(&TableDifference::before)},
              {tr("B"), number(&TableDifference::after)},
              {tr("difference"), number(&TableDifference::change)}});
}

Figure CompareView::picture() {
  if (!words_->isHidden()) {
    Figure words = words_->figure();
    words.about = about();
    return words;
  }
  if (pictures_->compared().empty()) throw UsageError(bytes_of(status()));
  const double scale = theme().font_scale();
  const bool all = pictures_->difference_shown();
  const CompareTokensLayout& outputs = tokens_->tokens_layout();
  const auto tokens = all ? static_cast<int>(std::ceil(outputs.height)) : 0;
  const int wide = std::max(
      {pictures_->width(), static_cast<int>(900 * scale), all ? static_cast<int>(std::ceil(outputs.width)) : 0});
  const QSize size(wide, tokens + std::max(pictures_->height(), static_cast<int>(300 * scale)));
  const auto paint = [=, this](QPainter& painter) {
    if (all) tokens_->paint_picture(painter);
    painter.translate(0, tokens);
    pictures_->paint_picture(painter, QSizeF(size.width(), size.height() - tokens));
  };
  return {size, paint, accessibleDescription(), nullptr, about()};
}

}  // namespace headlight
