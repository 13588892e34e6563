// "Or begin with": trainings that visibly learn within a minute, one line each with its seconds.
#pragma once

#include <QWidget>

namespace headlight {

struct Preset;

QString preset_title(const Preset& preset);

class PresetList : public QWidget {
  Q_OBJECT
 public:
  explicit PresetList(QWidget* parent = nullptr);
  void retranslate();

 signals:
  void chosen(const QString& name);

 private:
  void make_rows();
};

}  // namespace headlight
