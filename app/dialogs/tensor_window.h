// A window of its own for a file of weights that does not run: what it holds, tensor by tensor.
#pragma once

#include <QDialog>

#include "app/jobs/latest.h"
#include "model/io/formats/format.h"
#include "widgets/views/tensors/tensor_browser.h"

class QLabel;
class QPushButton;

namespace headlight {

// Whether a path is of a format that is looked at rather than run.
bool is_only_looked_at(const QString& path);

class TensorWindow : public QDialog {
  Q_OBJECT
 public:
  // Lists the tensors; their numbers are read off the GUI thread. Throws Error when they cannot be listed.
  explicit TensorWindow(const QString& path, QWidget* parent = nullptr);
  TensorBrowser* browser() const { return browser_; }
  // Opens the wizard that makes it run; hidden where it has no table of embeddings to begin with.
  QPushButton* make_it_run() const { return make_; }
  // By how much each tensor differs from that of the same name in another file; read off the GUI thread.
  void compare_with(const QString& path);

 signals:
  void openWanted(const QString& mapping);  // that was written
  void shown(int tensor);                   // its numbers are there

 private:
  struct Compared {
    std::vector<TensorDifference> rows;
    QString name;  // of the other file
  };
  void read(int tensor, bool singular, bool change);
  void apply_fonts();
  void retranslate();

  QString path_, other_;  // that it was compared with last
  Contents contents_;
  TensorBrowser* browser_;
  QPushButton* make_;
  QLabel *name_, *held_, *reason_;
  Latest<TensorNumbers> latest_;
  Latest<Compared> differences_;
};

}  // namespace headlight
