// A list with a button in each row; Delete removes the row under the cursor.

#include "app/edits_panel.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/actions.h"
#include "widgets/base/theme.h"
#include "widgets/base/token_text.h"
#include "widgets/items/edit_words.h"
#include "widgets/items/switch_words.h"
#include "widgets/items/trace_labels.h"

namespace headlight {

namespace {
constexpr int kRowRole = Qt::UserRole, kWhatRole = Qt::UserRole + 1;

// A text that is too long ends in front of the button of its row.
class ShortenedText : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const int room = option->rect.width() - option->fontMetrics.height() - 20;
    option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight, room);
  }
};
}  // namespace

EditsPanel::EditsPanel(QWidget* parent)
    : QWidget(parent),
      empty_(new QLabel(this)),
      list_(new QListWidget(this)),
      remove_(new QPushButton(this)),
      clear_(new QPushButton(this)) {
  empty_->setWordWrap(true);
  empty_->setTextFormat(Qt::PlainText);
  empty_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  empty_->setMargin(8);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setItemDelegate(new ShortenedText(list_));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->installEventFilter(this);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(6, 0, 6, 6);
  buttons->addWidget(remove_);
  buttons->addWidget(clear_);
  buttons->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(empty_, 1);
  column->addWidget(list_, 1);
  column->addLayout(buttons);
  connect(remove_, &QPushButton::clicked, this, [this] { remove(list_->currentItem()); });
  connect(clear_, &QPushButton::clicked, this, &EditsPanel::clearRequested);
  connect(list_, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
    if (static_cast<Row>(item->data(kRowRole).toInt()) != Row::edit) return;
    const Intervention& edit = differences_.edits[item->data(kWhatRole).toUInt()];
    emit openRequested(QString::fromStdString(edit.site), static_cast<qint64>(edit.cell));
  });
  connect(&Theme::instance(), &Theme::changed, this, &EditsPanel::refresh);
  retranslate();
}

void EditsPanel::set_differences(Differences differences) {
  const bool same = differences.model == differences_.model && differences.decode == differences_.decode &&
                    differences.target == differences_.target && differences.edits == differences_.edits &&
                    differences.result == differences_.result;
  // Most of the time there is nothing, keystroke after keystroke.
  const auto nothing = [](const Differences& d) {
    return d.edits.empty() && !d.target && d.decode == DecodeSettings{} && (!d.model || !d.model->trained);
  };
  const bool still_nothing = nothing(differences) && nothing(differences_) && !empty_->isHidden();
  differences_ = std::move(differences);
  if (!same && !still_nothing) refresh();
}

void EditsPanel::add(Row row, const QString& text, const QString& help, const QVariant& what) {
  auto* item = new QListWidgetItem(text, list_);
  item->setData(kRowRole, static_cast<int>(row));
  item->setData(kWhatRole, what);
  item->setForeground(Theme::instance().edited());
  item->setToolTip(plain_tooltip(text + '\n' + help));
  // The button stands at the right end of the row, the text ends in front of it.
  auto* line = new QWidget(list_);
  auto* button = new QToolButton(line);
  button->setAutoRaise(true);
  button->setText(QStringLiteral("×"));
  button->setToolTip(tr("Take this back (Delete)"));
  button->setAccessibleName(tr("Take back: %1").arg(text));
  button->setFocusPolicy(Qt::NoFocus);
  auto* layout = new QHBoxLayout(line);
  layout->setContentsMargins(0, 0, 2, 0);
  layout->addStretch(1);
  layout->addWidget(button, 0, Qt::AlignVCenter);
  connect(button, &QToolButton::clicked, this, [this, item] { remove(item); });
  item->setSizeHint({0, std::max(button->sizeHint().height(), fontMetrics().height() + 6)});
  list_->setItemWidget(item, line);
}

void EditsPanel::add_settings() {
  if (!differences_.model || !differences_.model->model) return;
  const Json changed = changed_settings(*differences_.model);
  for (const auto& [key, value] : changed.items()) {
    const QString name = QString::fromStdString(key);
    add(Row::setting, setting_in_words(*differences_.model, name),
        tr("Setting %1 of the model: %2").arg(name, QString::fromStdString(value.dump())), name);
  }
}

void EditsPanel::add_edits() {
  const std::vector<Intervention>& edits = differences_.edits;
  const Result* result = differences_.result.get();
  const bool reached_known = result && result->interventions == edits;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    QString words = edit_in_words(edits[i], result);
    QString help = QString::fromStdString(to_text(edits[i]));
    if (reached_known && std::ranges::find(result->not_reached, static_cast<int>(i)) != result->not_reached.end()) {
      words = tr("%1 (not reached)").arg(words);
      help += '\n' + tr("This run has no such step or token; the edit waits for one that has.");
    }
    help += '\n' + tr("Enter or a double click shows this number in the inspector; Delete takes the edit back.");
    add(Row::edit, words, help, static_cast<uint>(i));
  }
}

void EditsPanel::refresh() {
  const int row = list_->currentRow();
  list_->clear();
  add_settings();
  if (differences_.decode != DecodeSettings{})
    add(Row::decoding, tr("Decoding: %1").arg(decoding_in_words(differences_.decode)),
        tr("Without a change the model writes the most probable token at each step."));
  if (differences_.target)
    add(Row::target, tr("Forced output: %1").arg(*differences_.target),
        tr("The model does not choose: it says how probable it finds this output."));
  add_edits();
  const bool any = list_->count() > 0;
  list_->setCurrentRow(std::clamp(row, 0, std::max(0, list_->count() - 1)));
  list_->setVisible(any);
  empty_->setVisible(!any);
  remove_->setVisible(any);
  clear_->setVisible(any);
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, Theme::instance().muted_text());
  empty_->setPalette(colours);
}

void EditsPanel::remove(const QListWidgetItem* item) {
  if (!item) return;
  const QVariant what = item->data(kWhatRole);
  switch (static_cast<Row>(item->data(kRowRole).toInt())) {
    case Row::setting:
      return emit settingRemoved(what.toString());
    case Row::decoding:
      return emit decodingReset();
    case Row::target:
      return emit targetRemoved();
    case Row::edit:
      return emit removeRequested(what.toInt());
  }
}

bool EditsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key == Qt::Key_Delete || key == Qt::Key_Backspace) && list_->currentRow() >= 0) {
      remove(list_->currentItem());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void EditsPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void EditsPanel::retranslate() {
  empty_->setText(tr(
      "Nothing differs from the trained model. Right-click a weight or a token, change a number in the inspector, or a "
      "setting in the panel ‘Mechanism’: everything after it is computed again, and listed here."));
  remove_->setText(tr("Remove"));
  remove_->setToolTip(tr("Take back the selected difference and compute again (Delete)"));
  clear_->setText(tr("Remove all"));
  clear_->setToolTip(tr("Take back everything: the model as it was trained (Ctrl+R)"));
  list_->setAccessibleName(tr("What differs from the trained model"));
  refresh();
}

QString decoding_in_words(const DecodeSettings& decode) {
  switch (decode.kind) {
    case DecodeSettings::Kind::beam:
      return EditsPanel::tr("beam search, %n hypotheses", nullptr, static_cast<int>(decode.beam.width));
    case DecodeSettings::Kind::sample:
      return EditsPanel::tr("tokens are drawn, temperature %1").arg(short_number(decode.sampling.temperature));
    case DecodeSettings::Kind::greedy:
      break;
  }
  return EditsPanel::tr("greedy");
}

}  // namespace headlight
