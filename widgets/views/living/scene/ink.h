// Colours, stripes and words of the living map.
#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QString>

#include "widgets/views/living/scene/band.h"
#include "widgets/views/living/scene/field.h"

class QPainter;
class QRectF;

namespace headlight {

QFont small_font();  // of names beside the picture

// How dark a flow is: a share of 1 % must be seen beside one of 100 %, so that colours go by a root. It has its figures
// inside the key, for it is not linear. Made where the theme is, used by workers too.
struct LivingInk {
  double root = 0.42;
  double faint = 0.13;  // depth of what serves other outputs, and of everything where none is chosen
  QColor paper, bed, bank, wash;
  FieldColours colours = {};  // by depth

  static LivingInk now(double root);  // in the colours of the theme
  double depth(double flow) const;    // 0 .. 1
  QColor at(double depth) const;
  QColor water(double flow) const { return at(depth(flow)); }  // of what brought so much of the chosen output
  static constexpr double kSeen = 0.004;                       // flows below are faint
  // A strip from 0 to 100 %, with figures inside.
  void draw_key(QPainter& painter, const QRectF& rect) const;
  // What is written by the step itself, not carried: lines of paper over it, upright where it is thin.
  void draw_stripes(QPainter& painter, const Band& band) const;
  // The same with a line of paper along its upper edge, or its lower one.
  void draw_wedge(QPainter& painter, const Band& band, const QColor& colour, bool lower = false) const;
};

// "46 %", "0.6 %", and "0 %" for nothing.
// How sure a model is, in percent without the sign, as beside the output: 100 only where it is exact; empty for NaN.
QString sure_words(double probability);
// Texts in the weight of titles.
QFont bold(QFont font);

}  // namespace headlight
