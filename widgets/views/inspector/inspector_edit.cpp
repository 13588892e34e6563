// Changing the shown number: which changes it takes, and what is asked for.

#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <cmath>

#include "widgets/canvas/view_panel.h"
#include "widgets/views/inspector/inspector_view.h"

namespace headlight {

// Beside what every panel offers.
void InspectorView::contextMenuEvent(QContextMenuEvent* event) {
  const Stop* stop = at_ >= 0 ? &nth(history_, at_) : nullptr;
  if (!stop || !stop->cell.tensor.defined() || stop->at.entry < 0) return event->ignore();
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const ListedNumber number = listed_number((*trace_)[stop->at.entry].site, stop->at.shape, stop->at.index);
  connect(menu->addAction(tr("This number over my &texts…")), &QAction::triggered, this,
          [this, number] { emit overTextsRequested(number); });
  add_frame_actions(this, menu);
  menu->popup(event->globalPos());
}

QString InspectorView::edit_problem(const Stop& stop) const {
  if (stop.at.kind == Location::Kind::parameter)
    return tr("Weights stay as they were trained. Change a value that is computed from them.");
  if (stop.at.entry < 0) return tr("This number has no name of its own. Change the value that it goes into.");
  const Site& site = (*trace_)[stop.at.entry].site;
  if (site.kind->role == SiteKind::Role::source) return tr("This is the input: change it by typing another text.");
  if (site.kind->role == SiteKind::Role::written)
    return tr("This is what was written before: force another output to change it.");
  if (site.kind->derived)
    return tr("This value is only shown, nothing is computed from it: change what it comes from.");
  return {};
}

void InspectorView::show_edit(const Stop& stop) {
  edit_row_->setVisible(!stored_);
  const QString problem = edit_problem(stop);
  const bool possible = problem.isEmpty();
  // Of an attention: a row that adds up to 1.
  const bool weights = stop.at.entry >= 0 && (*trace_)[stop.at.entry].site.kind->role == SiteKind::Role::weights;
  using Kind = Intervention::Kind;
  const bool had_weights = edit_kind_->findData(int(Kind::pin)) >= 0;
  if (weights != had_weights || edit_kind_->count() == 0) {
    edit_kind_->clear();
    const auto add = [this](Kind kind, const QString& text, const QString& tip) {
      edit_kind_->addItem(text, int(kind));
      edit_kind_->setItemData(edit_kind_->count() - 1, tip, Qt::ToolTipRole);
    };
    if (weights)
      add(Kind::pin, tr("set this share to"),
          tr("This weight becomes the number; the others are rescaled, so that all still add up to 1"));
    add(Kind::set, tr("set to"), tr("Only this number changes; what follows is computed from it"));
    add(Kind::scale, tr("times"), tr("This number is multiplied"));
    add(Kind::zero, tr("switch off"), tr("This number becomes 0"));
  }
  for (QWidget* widget :
       {static_cast<QWidget*>(edit_kind_), static_cast<QWidget*>(edit_value_), static_cast<QWidget*>(edit_button_)}) {
    widget->setEnabled(possible);
  }
  edit_value_->setEnabled(possible && chosen_kind() != Kind::zero);
  // What somebody is typing stays while the same number is computed again.
  const std::string number = stop.at.text();
  if (!edit_value_->isModified() || number != edit_of_) prefill_edit();
  edit_of_ = number;
  edit_note_->setText(possible ? edit_kind_->currentData(Qt::ToolTipRole).toString() : problem);
  edit_note_->setVisible(!possible || !compact_);
}

void InspectorView::prefill_edit() {
  if (!shown() || !trace_) return edit_value_->clear();
  const double value = nth(history_, at_).cell.value();
  edit_value_->setText(chosen_kind() == Intervention::Kind::scale ? QStringLiteral("1")
                                                                  : QString::number(value, 'g', 9));
  if (edit_value_->hasFocus()) edit_value_->selectAll();
}

Intervention::Kind InspectorView::chosen_kind() const {
  return static_cast<Intervention::Kind>(edit_kind_->currentData().toInt());
}

void InspectorView::start_edit() {
  if (!edit_value_->isEnabled()) return;
  edit_value_->setFocus();
  edit_value_->selectAll();
}

void InspectorView::request_edit() {
  const std::optional<Location> at = shown();
  if (!at || !edit_button_->isEnabled()) return;
  Intervention edit;
  edit.site = at->name;
  edit.cell = at->index;
  edit.kind = chosen_kind();
  if (edit.kind != Intervention::Kind::zero) {
    bool is_number = false;
    QString text = edit_value_->text().trimmed();
    text.replace(QChar(0x2212), QLatin1Char('-')).replace(QLatin1Char(','), QLatin1Char('.'));
    const double value = text.toDouble(&is_number);
    if (!is_number || !std::isfinite(static_cast<float>(value))) {
      edit_note_->setText(text.isEmpty() ? tr("Type the new number first.") : tr("‘%1’ is not a number.").arg(text));
      edit_note_->show();
      edit_value_->setFocus();
      edit_value_->selectAll();
      return;
    }
    edit.value = static_cast<Scalar>(value);
  }
  edit_value_->setModified(false);
  emit editRequested(edit);
}

}  // namespace headlight
