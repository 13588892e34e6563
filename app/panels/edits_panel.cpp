// A list with a button in each row; Delete removes the row under the cursor.

#include "app/panels/edits_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/sheet.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {
constexpr int kEdge = EditsDelegate::kEdge;  // where the title of the panel begins
}

EditsPanel::EditsPanel(QWidget* parent)
    : QWidget(parent),
      empty_(new QLabel(this)),
      sheet_(new Sheet(this)),
      list_(new QListView(this)),
      effect_(new QLabel(this)),
      model_(new EditsModel(this)),
      clear_(new QPushButton(this)),
      keep_(new QPushButton(this)) {
  keep_->setObjectName(QStringLiteral("keep_variant"));
  make_running_text(empty_);
  empty_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  empty_->setContentsMargins(kEdge, space::kSmall, kEdge, space::kSmall);
  effect_->setObjectName(QStringLiteral("effect"));
  make_running_text(effect_);
  effect_->setForegroundRole(QPalette::PlaceholderText);
  effect_->setContentsMargins(kEdge, 0, kEdge, 0);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setBackgroundRole(QPalette::Window);
  list_->viewport()->setAutoFillBackground(false);
  list_->setSpacing(0);
  list_->setModel(model_);
  auto* delegate = new EditsDelegate(list_);
  list_->setItemDelegate(delegate);
  list_->setWordWrap(true);  // laid out anew where the width changes
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->installEventFilter(this);
  sheet_->setWidget(empty_);
  empty_->setAutoFillBackground(false);
  sheet_->viewport()->setAutoFillBackground(false);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(kEdge, space::kTight, kEdge, space::kSmall);
  buttons->addWidget(clear_);
  buttons->addWidget(keep_);
  buttons->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(sheet_, 1);
  column->addWidget(list_, 1);
  column->addWidget(effect_);
  column->addLayout(buttons);
  connect(clear_, &QPushButton::clicked, this, &EditsPanel::clearRequested);
  connect(keep_, &QPushButton::clicked, this, &EditsPanel::keepRequested);
  connect(delegate, &EditsDelegate::removeRequested, this, &EditsPanel::remove);
  connect(list_, &QListView::activated, this, [this](const QModelIndex& index) {
    const EditsModel::Row row = model_->row(index.row());
    if (row.kind != EditsModel::Kind::edit || row.edits.empty()) return;
    const Intervention& edit = model_->shown().edits[static_cast<std::size_t>(row.edits.front())];
    emit openRequested(QString::fromStdString(edit.site), static_cast<qint64>(edit.cell));
  });
  set_ink(empty_, &Tokens::ink2);
  retranslate();
  on_language(this, [this] { retranslate(); });
}

void EditsPanel::set_differences(Differences differences) {
  const Differences& shown = model_->shown();
  const bool same = differences.model == shown.model && differences.decode == shown.decode &&
                    differences.target == shown.target && differences.edits == shown.edits &&
                    differences.result == shown.result;
  if (!same) show_differences(std::move(differences));
}

void EditsPanel::show_differences(Differences differences) {
  const int row = list_->currentIndex().row();
  model_->set(std::move(differences));
  list_->setCurrentIndex(model_->index(std::clamp(row, 0, std::max(0, model_->rowCount() - 1)), 0));
  const bool any = model_->rowCount() > 0;
  list_->setUniformItemSizes(model_->rowCount() > 100);
  list_->setVisible(any);
  sheet_->setVisible(!any);
  clear_->setVisible(any);
  keep_->setVisible(any);
  effect_->setVisible(any && !effect_->text().isEmpty());
}

void EditsPanel::set_effect(const QString& effect) {
  effect_->setText(effect);
  effect_->setVisible(!effect.isEmpty() && model_->rowCount() > 0);
}

QString EditsPanel::effect() const { return effect_->text(); }

void EditsPanel::remove(int at) {
  if (at < 0) return;
  const EditsModel::Row row = model_->row(at);
  switch (row.kind) {
    case EditsModel::Kind::setting:
      return emit settingRemoved(row.key);
    case EditsModel::Kind::decoding:
      return emit decodingReset();
    case EditsModel::Kind::target:
      return emit targetRemoved();
    case EditsModel::Kind::edit: {
      std::vector<Intervention> edits;
      for (const int each : row.edits) edits.push_back(model_->shown().edits[static_cast<std::size_t>(each)]);
      if (!edits.empty()) emit removeRequested(edits);
    }
  }
}

bool EditsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key == Qt::Key_Delete || key == Qt::Key_Backspace) && list_->currentIndex().isValid()) {
      remove(list_->currentIndex().row());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void EditsPanel::retranslate() {
  sheet_->setAccessibleName(tr("What you changed"));
  empty_->setText(
      tr("Nothing is changed yet. Right-click a weight or a token, or change a number or a setting of the mechanism: "
         "what follows is computed again, and your change is listed here."));
  clear_->setText(tr("Undo all changes"));
  clear_->setToolTip(tr("Undo all changes: the model as it was trained (Ctrl+R)"));
  keep_->setText(tr("Keep to compare"));
  keep_->setToolTip(tr("Keep this run under a name: Compare (Ctrl+4) puts it beside any other one"));
  list_->setAccessibleName(tr("What differs from the trained model"));
  list_->setToolTip(tr("Delete takes back the chosen one, and so does the cross at its end"));
  show_differences(model_->shown());
}

}  // namespace headlight
