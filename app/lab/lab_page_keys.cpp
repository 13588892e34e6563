#include <QKeyEvent>
#include <array>
#include <span>

#include "app/lab/lab_page.h"
#include "app/lab/lab_shown.h"

namespace headlight {

std::span<const LabPage::KeyRow> LabPage::key_table() {
  static constexpr std::array kRows = {
      KeyRow{"← / →", QT_TR_NOOP("The moment before, the next one")},
      KeyRow{"PageUp / PageDown", QT_TR_NOOP("The mark before, the next one")},
      KeyRow{"Home / End", QT_TR_NOOP("The first moment, the newest")},
      KeyRow{"Ctrl+Enter", QT_TR_NOOP("Start the training")},
      KeyRow{"Space", QT_TR_NOOP("Pause the training, go on")},
      KeyRow{"Ctrl+.", QT_TR_NOOP("Stop the training, and keep what there is")},
      KeyRow{"Ctrl+L", QT_TR_NOOP("Into the probe")},
      KeyRow{"O", QT_TR_NOOP("Open this moment in all pictures")},
      KeyRow{"P", QT_TR_NOOP("Show or hide ‘What is trained’")},
      KeyRow{"Esc", QT_TR_NOOP("Back to the training, then out of the lab")},
  };
  return kRows;
}

bool LabPage::move_handle(int key) {
  switch (key) {
    case Qt::Key_Left:
      return shown_->go_by(-1), true;
    case Qt::Key_Right:
      return shown_->go_by(1), true;
    case Qt::Key_PageUp:
      return shown_->go_to_mark(-1), true;
    case Qt::Key_PageDown:
      return shown_->go_to_mark(1), true;
    case Qt::Key_Home:
      return shown_->go_to(0), true;
    case Qt::Key_End:
      return shown_->go_to(shown_->runs()[static_cast<std::size_t>(shown_->side())]->count() - 1), true;
    default:
      return false;
  }
}

void LabPage::go_back() {
  if (mode_ == Mode::two) {
    const LabShown::Run kept = shown_->runs()[static_cast<std::size_t>(shown_->side())];
    shown_->show({kept});
  }
  set_mode(Mode::run);
  focus_first();
}

void LabPage::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  const bool control = event->modifiers() == Qt::ControlModifier;
  const int key = event->key();
  const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (control && enter) return emit startAsked();
  if (control && key == Qt::Key_Period) return emit stopAsked();
  if (plain && key == Qt::Key_Escape) {
    if (mode_ != Mode::run) return go_back();
    return emit leaveAsked();
  }
  const bool lab = mode_ == Mode::run || mode_ == Mode::two;
  if (!plain || !lab) return QWidget::keyPressEvent(event);
  if (!shown_->empty() && move_handle(key)) return;
  if (key == Qt::Key_Space) return emit pauseAsked();
  if (key == Qt::Key_O && !shown_->empty()) return emit openAsked();
  if (key == Qt::Key_P && !presenting_) return set_panel_shown(!panel_shown_);
  QWidget::keyPressEvent(event);
}

}  // namespace headlight
