// How many sentences are needed: for each size of the data the share that is right of sentences that were never seen.
#pragma once

#include <QWidget>
#include <utility>
#include <vector>

namespace headlight {

class NeededBars : public QWidget {
  Q_OBJECT
 public:
  explicit NeededBars(QWidget* parent = nullptr);
  // Negative shares are not measured yet.
  void set_shares(std::vector<std::pair<int, double>> shares);
  const std::vector<std::pair<int, double>>& shares() const { return shares_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  int row_height() const;
  void tell();

  std::vector<std::pair<int, double>> shares_;
};

}  // namespace headlight
