// Dialogs around the exports of the views and of the trace.

#include "app/window/export.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QImage>
#include <QPainter>
#include <QProgressDialog>
#include <QScopeGuard>
#include <QWidget>
#include <algorithm>
#include <iterator>
#include <utility>

#include "app/actions.h"
#include "app/document/about_run.h"
#include "app/file_dialogs.h"
#include "app/parts.h"
#include "app/presentation/stepping_animation.h"
#include "app/settings.h"
#include "model/core/errors.h"
#include "model/io/dump.h"
#include "widgets/base/theme.h"

namespace headlight {

namespace {

using Done = std::function<void(const ExportOutcome&)>;

constexpr int kAround = 8;  // pixels of paper around what is drawn

struct ExportTexts {
  Q_DECLARE_TR_FUNCTIONS(Export)
};

// `options`: below the names of the files; null: there are none. To ask for them in a dialog of their own, before that
// of the desktop, would cost each export a step more.
void ask_and_write(QWidget* parent, const QString& title, const QString& name, const QStringList& filters,
                   const std::function<void(const QString&)>& write, const Done& done, QWidget* options = nullptr) {
  const auto take = [write, done](const QString& path) {
    try {
      write(path);
    } catch (const std::exception& error) {
      return done({QString::fromUtf8(error.what()), {}});
    }
    done({{}, path});
  };
  ask_where_to_write(parent, {"export", title, name, filters}, take, options);
}

// `name` without ending; `write` makes the file, in the format of its ending.
void export_view(QWidget* parent, const QString& name,
                 const std::function<void(const QString&, const FigureStyle&)>& write, const Done& done) {
  const UserSettings::ExportOptions last = UserSettings().export_options();
  // The boxes are gone when the file is written.
  auto chosen = std::make_shared<FigureStyle>(FigureStyle{last.colours, last.title, last.caption});
  auto* options = new QWidget;
  auto* row = new QHBoxLayout(options);
  row->setContentsMargins(0, 0, 0, 0);
  const auto box = [&](const QString& words, bool FigureStyle::*option) {
    auto* made = new QCheckBox(words, options);
    made->setChecked((*chosen).*option);
    QObject::connect(made, &QCheckBox::toggled, made, [chosen, option](bool on) { (*chosen).*option = on; });
    row->addWidget(made);
  };
  box(ExportTexts::tr("With its &title"), &FigureStyle::title);
  box(ExportTexts::tr("With its &caption"), &FigureStyle::caption);
  box(ExportTexts::tr("Co&lours as on the screen"), &FigureStyle::as_on_screen);
  row->addStretch(1);
  ask_and_write(
      parent, ExportTexts::tr("Export the picture"), name + ".png", figure_question({}, {}).filters,
      [chosen, write](const QString& path) {
        UserSettings().set_export_options({chosen->title, chosen->caption, chosen->as_on_screen});
        write(path, *chosen);
      },
      done, options);
}

// Draws the walk through the computation while a box with a bar tells how far it is. `done` gets what went wrong.
void export_stepping(QWidget* parent, StepperView* stepper, Selection* selection, QWidget* view, const QString& name,
                     const Done& done) {
  const auto draw = [=](const QString& path) {
    auto* animation = new SteppingAnimation(stepper, selection, view, path, SteppingAnimation::Frames::steps, parent);
    auto* box = new QProgressDialog(ExportTexts::tr("Drawing the steps of the computation…"), ExportTexts::tr("Stop"),
                                    0, 0, parent);
    box->setWindowTitle(ExportTexts::tr("Export the stepping"));
    box->setWindowModality(Qt::WindowModal);
    box->setAutoClose(false);
    box->setAutoReset(false);
    QObject::connect(animation, &SteppingAnimation::progress, box, [box](int operation, int of) {
      box->setMaximum(of);
      box->setValue(operation);
    });
    QObject::connect(box, &QProgressDialog::canceled, animation, &SteppingAnimation::cancel);
    QObject::connect(animation, &SteppingAnimation::finished, parent,
                     [animation, box, done, path](const QString& problem) {
                       const bool cancelled = box->wasCanceled();
                       box->deleteLater();
                       animation->deleteLater();
                       done({problem, problem.isEmpty() && !cancelled ? path : QString()});
                     });
    box->show();
    animation->start();
  };
  ask_and_write(parent, ExportTexts::tr("Export the stepping as an animation"), name + ".gif",
                {ExportTexts::tr("Animated picture for slides and the web (*.gif)"),
                 ExportTexts::tr("Numbered pictures, one for each step (*.png)")},
                draw, [done](const ExportOutcome& begun) {
                  if (!begun.problem.isEmpty()) done(begun);
                });
}

void export_trace(QWidget* parent, const std::shared_ptr<const Result>& result, const Done& done) {
  ask_and_write(
      parent, ExportTexts::tr("Export every number of the run"), suggested_name(result->source) + ".safetensors",
      {ExportTexts::tr("Named tensors (*.safetensors)"), ExportTexts::tr("NumPy arrays (*.npz)"),
       ExportTexts::tr("JSON (*.json)"), ExportTexts::tr("One number a row (*.csv)")},
      [result](const QString& path) { dump_trace(*result->trace, path.toStdString(), about_run(*result)); }, done);
}

}  // namespace

QString suggested_name(const std::string& source) {
  QString name;
  for (const QChar c : QString::fromStdString(source).left(40).toLower()) {
    if (c.isLetterOrNumber())
      name += c;
    else if (!name.isEmpty() && !name.endsWith('-'))
      name += '-';
  }
  while (name.endsWith('-')) name.chop(1);
  return name.isEmpty() ? QStringLiteral("headlight") : name;
}

namespace {

Figure with_words(Figure figure, const QString& title, const QString& caption) {
  const QFont large = strong_font(type::kTitle), small = Theme::instance().ui_font();
  const auto height = [&](const QFont& font, const QString& words) {
    const QRect room(0, 0, figure.size.width() - 2 * kAround, 10'000);
    return words.isEmpty() ? 0 : QFontMetrics(font).boundingRect(room, Qt::TextWordWrap, words).height() + kAround;
  };
  const int above = height(large, title), below = height(small, caption), middle = figure.size.height();
  figure.paint = [=, paint = figure.paint, width = figure.size.width()](QPainter& to) {
    to.save();
    to.translate(0, above);
    paint(to);
    to.restore();
    to.setPen(Theme::instance().text());
    to.setFont(large);
    to.drawText(QRect(kAround, kAround, width - 2 * kAround, above), Qt::TextWordWrap, title);
    to.setFont(small);
    to.setPen(Theme::instance().muted_text());
    to.drawText(QRect(kAround, above + middle, width - 2 * kAround, below), Qt::TextWordWrap, caption);
  };
  figure.size.rheight() += above + below;
  return figure;
}

}  // namespace

void with_figure(const std::function<Figure()>& figure, const QString& caption, const FigureStyle& style,
                 const std::function<void(const Figure&)>& use) {
  Theme& theme = Theme::instance();
  const Theme::Mode mode = theme.mode();
  const double scale = theme.font_scale();
  const bool other = !style.as_on_screen && mode != Theme::Mode::light;
  if (other) theme.set(Theme::Mode::light, std::min(scale, 1.5));
  const auto back = qScopeGuard([&] {
    if (other) theme.set(mode, scale);
  });
  Figure made = without_margins(figure());
  const QString title = style.title ? made.title : QString();
  use(with_words(std::move(made), title, style.caption ? caption : QString()));
}

Exports::Exports(QWidget* window, const Actions& actions, const WindowPanels& panels, StepperView* stepper,
                 Selection* selection)
    : QObject(window), window_(window), panels_(panels), stepper_(stepper), selection_(selection) {
  const auto on = [&](const char* id, void (Exports::*what)()) {
    connect(actions[id], &QAction::triggered, this, what);
    actions_.push_back(actions[id]);
  };
  on("export", &Exports::export_picture);
  on("copy_picture", &Exports::copy_picture);
  on("export_stepping", &Exports::export_steps);
  on("export_trace", &Exports::export_numbers);
  set_result(nullptr);
}

void Exports::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  update();
}

void Exports::set_instead(std::function<std::optional<WindowPanels::Picture>()> instead) {
  instead_ = std::move(instead);
  update();
}

WindowPanels::Picture Exports::picture() const {
  if (instead_)
    if (auto picture = instead_()) return *picture;
  return panels_.picture();
}

void Exports::set_covered(bool covered) {
  covered_ = covered;
  update();
}

void Exports::update() {
  const bool instead = instead_ && instead_();
  for (std::size_t i = 0; i < actions_.size(); ++i)  // pictures need no recorded run
    actions_[i]->setEnabled(!covered_ && (instead ? i < 2 : result_ && (i < 2 || result_->trace)));
}

void Exports::report(const ExportOutcome& outcome) {
  if (!outcome.problem.isEmpty()) emit failed(outcome.problem);
  if (!outcome.path.isEmpty()) emit written(outcome.path);
}

void Exports::export_picture() {
  const WindowPanels::Picture picture = this->picture();
  const auto write = [figure = picture.figure, caption = picture.caption, result = result_](const QString& path,
                                                                                            const FigureStyle& style) {
    with_figure(figure, caption, style,
                [&](const Figure& drawn) { write_figure(result ? with_about(drawn, *result, path) : drawn, path); });
  };
  export_view(window_, picture.name, write, [this](const ExportOutcome& outcome) { report(outcome); });
}

void Exports::copy_picture() {
  const WindowPanels::Picture picture = this->picture();
  try {
    with_figure(picture.figure, picture.caption, {}, [](const Figure& figure) {
      constexpr int kScale = 2;
      QImage image(figure.size * kScale, QImage::Format_RGB32);
      image.setDevicePixelRatio(kScale);
      image.fill(Theme::instance().background());
      QPainter painter(&image);
      figure.paint(painter);
      painter.end();
      QApplication::clipboard()->setImage(image);
    });
    emit copied();
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

// Of the view that has the keyboard, where it follows the steps; else the whole window.
void Exports::export_steps() {
  const WindowPanels::Picture used = panels_.picture();
  const bool follows = used.has_keyboard && QStringList{"alignment", "outputs", "steps"}.contains(used.name);
  export_stepping(window_, stepper_, selection_, follows ? used.view : window_, suggested_name(result_->source),
                  [this](const ExportOutcome& outcome) { report(outcome); });
}

void Exports::export_numbers() {
  export_trace(window_, result_, [this](const ExportOutcome& outcome) { report(outcome); });
}

}  // namespace headlight
