// One of several in a field of two lines: what it is called, and what is said of it.
#pragma once

#include <QComboBox>
#include <QWheelEvent>

namespace headlight {

class LabChoice : public QComboBox {
  Q_OBJECT
 public:
  explicit LabChoice(QWidget* parent = nullptr);
  struct Row {
    QString title, line;
    QString key;  // of whoever asks
  };
  void set_rows(const QList<Row>& rows, const QString& current);  // does not emit
  void set_line(const QString& key, const QString& line);
  QString key() const;
  QString line() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void chosen(const QString& key);  // by a person

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }  // the panel is scrolled over it

 private:
  void describe_current();
};

}  // namespace headlight
