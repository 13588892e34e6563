// One of a few buttons of which one is down; the one that is down can be told in the dark as well.
#pragma once

#include <QToolButton>

namespace headlight {

class ChoiceButton : public QToolButton {
  Q_OBJECT
 public:
  explicit ChoiceButton(QWidget* parent = nullptr);

 private:
  void recolour();
};

}  // namespace headlight
