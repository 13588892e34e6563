// One of a few: a switch of words where all of them have room beside each other, else a list of them.
#pragma once

#include <QList>
#include <QWidget>

class QComboBox;
class QTabBar;

namespace headlight {

class Segments : public QWidget {
  Q_OBJECT
 public:
  struct Choice {
    QString text, help;
    bool possible = true;
    QString brief = {};  // in the switch, where the text is a sentence; empty: the text
    bool operator==(const Choice&) const = default;
  };
  explicit Segments(QWidget* parent = nullptr);
  void set_choices(const QList<Choice>& choices);
  void set_current(int at);  // does not emit
  int current() const;
  // For screen readers and tooltips of the whole.
  void set_words(const QString& name, const QString& help);
  // Both hold the same choices; one of them is shown.
  QTabBar* bar() const { return bar_; }
  QComboBox* list() const { return list_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void chosen(int at);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fit();
  void choose(int at);

  QList<Choice> choices_;
  QTabBar* bar_;
  QComboBox* list_;
};

}  // namespace headlight
