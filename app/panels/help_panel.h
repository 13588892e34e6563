// "What am I looking at?" at the side: some sentences, and what was pointed at with Shift+F1.
#pragma once

#include <QStringList>

#include "widgets/base/sheet.h"

class QLabel;

namespace headlight {

class HelpPanel : public Sheet {
  Q_OBJECT
 public:
  explicit HelpPanel(QWidget* parent = nullptr);
  void set_text(const QStringList& paragraphs);
  QString text() const;
  QSize sizeHint() const override { return {300, 260}; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void show_text();

  QLabel* label_;
  QStringList paragraphs_;
};

}  // namespace headlight
