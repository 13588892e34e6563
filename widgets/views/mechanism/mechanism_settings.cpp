#include "widgets/views/mechanism/mechanism_settings.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "model/models/variant.h"
#include "widgets/base/controls.h"
#include "widgets/base/segments.h"
#include "widgets/base/tokens.h"
#include "widgets/base/view_requests.h"
#include "widgets/text/switch_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

using Kind = Switch::Kind;
constexpr int kSteps = 200;  // of a slider over numbers

// The place of a number on its slider, and back, to three digits: what a hand can mean.
int place_of(const Switch& at, double value) {
  if (at.kind == Kind::whole) return static_cast<int>(std::lround(value));
  const double share = at.logarithmic ? std::log(std::max(value, at.low) / at.low) / std::log(at.high / at.low)
                                      : (value - at.low) / (at.high - at.low);
  return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
}

double number_at(const Switch& at, int place) {
  if (at.kind == Kind::whole) return place;
  const double share = static_cast<double>(place) / kSteps;
  const double value =
      at.logarithmic ? at.low * std::pow(at.high / at.low, share) : at.low + share * (at.high - at.low);
  if (value <= 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

// Wheels scroll the panel; they must not turn knobs that happen to lie under the mouse.
class Unwheeled : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore();
    return true;
  }
};

}  // namespace

MechanismSettings::MechanismSettings(ViewRequests* requests, QWidget* parent)
    : QScrollArea(parent), requests_(requests) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);  // the controls in it take the keyboard
  setWidget(new QWidget);       // never none: Qt's way to the next control asks it
  theme().restyles(this, [this] { colour(); });
  retranslates(this, [this] {
    if (!model_) return;
    clear();
    set_model(std::exchange(model_, nullptr));
  });
}

const MechanismSettings::Row* MechanismSettings::find(const QString& key) const {
  for (const auto& row : rows_)
    if (key == QLatin1String(row->at.key)) return row.get();
  return nullptr;
}

QWidget* MechanismSettings::control(const QString& key) const {
  const Row* row = find(key);
  if (!row) return nullptr;
  if (row->choice) return row->choice;
  return row->flag ? static_cast<QWidget*>(row->flag) : row->number;
}

QToolButton* MechanismSettings::reset_button(const QString& key) const {
  const Row* row = find(key);
  return row ? row->reset : nullptr;
}

void MechanismSettings::set_model(std::shared_ptr<const ModelBundle> model) {
  if (model == model_) return;
  model_ = std::move(model);
  std::vector<Switch> switches = model_ ? switches_of(*model_) : std::vector<Switch>{};
  const bool same = std::ranges::equal(switches, rows_, [](const Switch& a, const std::unique_ptr<Row>& b) {
    return std::string_view(a.key) == b->at.key && a.choices.size() == b->at.choices.size();
  });
  if (!same) clear();
  for (std::size_t i = 0; i < switches.size(); ++i) {
    if (!same) rows_.push_back(std::make_unique<Row>());
    rows_[i]->at = std::move(switches[i]);
  }
  if (!noise_) build();
  if (!model_) return;
  showing_ = true;
  for (const auto& row : rows_) show_row(*row);
  showing_ = false;
  noise_->setText(untrained_in_words(*model_));
  noise_->setVisible(!model_->untrained.empty());
  colour();
  show_table();
}

// A field that goes away gives up what was typed in it: nobody asked for that.
void MechanismSettings::clear() {
  showing_ = true;
  // Deletes the page where it is: of one that was taken out first, everything around keeps a pointer to the field that
  // had the keyboard.
  setWidget(new QWidget);
  showing_ = false;
  noise_ = intro_ = nullptr;
  table_.clear();
  rows_.clear();
}

void MechanismSettings::build() {
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Window);  // that of the side
  auto* grid = new QGridLayout(page);
  grid->setContentsMargins(space::kMargin, space::kSmall, space::kMargin, space::kSmall);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(0, 1);
  noise_ = new QLabel(page);
  intro_ = new QLabel(page);
  int line = 0;
  for (QLabel* label : {intro_, noise_}) {
    make_running_text(label);
    grid->addWidget(label, line++, 0, 1, 2);
  }
  intro_->setText(tr("Try another mechanism: the model is not trained again, and the output follows at once."));
  for (const auto& row : rows_) {
    build_row(*row, grid, line);
    line += 3;
  }
  grid->setRowStretch(line, 1);
  setWidget(page);
}

void MechanismSettings::build_row(Row& row, QGridLayout* grid, int line) {
  QWidget* page = grid->parentWidget();
  row.name = new QLabel(switch_name(row.at), page);
  row.name->setTextFormat(Qt::PlainText);
  row.name->setWordWrap(true);
  QWidget* control = nullptr;
  if (row.at.kind == Kind::choice) {
    control = row.choice = new Segments(page);
    connect(row.choice, &Segments::chosen, this, [this, &row](int at) { request(row, nth(row.at.choices, at).value); });
  } else if (row.at.kind == Kind::flag) {
    control = row.flag = new QCheckBox(page);
    connect(row.flag, &QCheckBox::toggled, this, [this, &row](bool on) { request(row, on); });
  } else {
    control = build_number(row);
  }
  QWidget* focus = row.choice ? row.choice->list() : row.flag ? static_cast<QWidget*>(row.flag) : row.number;
  focus->setAccessibleName(switch_name(row.at));
  focus->installEventFilter(new Unwheeled(focus));
  if (row.choice) row.choice->bar()->installEventFilter(new Unwheeled(row.choice->bar()));
  row.name->setBuddy(focus);
  row.reset = new QToolButton(page);
  row.reset->setAutoRaise(true);
  row.reset->setText(QStringLiteral("↺"));
  QSizePolicy keeps = row.reset->sizePolicy();
  keeps.setRetainSizeWhenHidden(true);
  row.reset->setSizePolicy(keeps);
  connect(row.reset, &QToolButton::clicked, this,
          [this, &row] { request(row, as_trained(*model_).model->config().at(row.at.key)); });
  row.trained = new QLabel(page);
  row.trained->setTextFormat(Qt::PlainText);
  // Its name above the control, which has the whole width: the names of choices are sentences.
  grid->addWidget(row.name, line, 0);
  grid->addWidget(row.reset, line, 1, Qt::AlignRight | Qt::AlignBottom);
  grid->addWidget(control, line + 1, 0, 1, 2);
  grid->addWidget(row.trained, line + 2, 0, 1, 2);
}

QWidget* MechanismSettings::build_number(Row& row) {
  auto* both = new QWidget;
  auto* line = new QHBoxLayout(both);
  line->setContentsMargins(0, 0, 0, 0);
  row.slider = new QSlider(Qt::Horizontal, both);
  row.slider->setMinimumWidth(40);
  row.number = new QDoubleSpinBox(both);
  const bool whole = row.at.kind == Kind::whole;
  row.slider->setRange(whole ? static_cast<int>(row.at.low) : 0, whole ? static_cast<int>(row.at.high) : kSteps);
  row.number->setDecimals(whole ? 0 : 3);
  row.number->setRange(row.at.low, row.at.high);
  row.number->setSingleStep(whole ? 1 : 0.1);
  row.number->setKeyboardTracking(false);
  row.slider->setAccessibleName(switch_name(row.at));
  row.slider->setToolTip(plain_tooltip(switch_help(row.at)));
  row.slider->installEventFilter(new Unwheeled(row.slider));
  line->addWidget(row.slider, 1);
  line->addWidget(row.number);
  connect(row.slider, &QSlider::valueChanged, this, [this, &row](int place) {
    if (showing_) return;
    const double value = number_at(row.at, place);
    const QSignalBlocker quiet(row.number);
    row.number->setValue(value);
    request(row, value_of(row, value));
  });
  connect(row.number, &QDoubleSpinBox::valueChanged, this, [this, &row](double value) {
    if (showing_) return;
    const QSignalBlocker quiet(row.slider);
    row.slider->setValue(place_of(row.at, value));
    request(row, value_of(row, value));
  });
  return both;
}

Json MechanismSettings::value_of(const Row& row, double number) const {
  if (row.at.kind == Kind::whole) return static_cast<std::int64_t>(std::lround(number));
  // What is as good as the trained value is the trained value.
  const Json& trained = as_trained(*model_).model->config().at(row.at.key);
  if (trained.is_number() && std::abs(trained.get<double>() - number) < 5e-4) return trained;
  return number;
}

void MechanismSettings::request(const Row& row, const Json& value) {
  if (!showing_) emit requests_->setting(QString::fromLatin1(row.at.key), value);
}

void MechanismSettings::show_choices(Row& row) {
  // "soft: all tokens, by their shares": the word before the colon, or what is behind it where two begin alike.
  static const QRegularExpression kColon(QStringLiteral("\\s*[:：]\\s*"));
  QStringList words;
  for (const SwitchChoice& choice : row.at.choices) words << choice_name(choice).section(kColon, 0, 0);
  QList<Segments::Choice> choices;
  for (const SwitchChoice& choice : row.at.choices) {
    const QString name = choice_name(choice), word = words[choices.size()];
    choices.push_back(
        {name,
         plain_tooltip(choice.refused.empty() ? choice_help(choice)
                                              : tr("%1\nThis model cannot take it: %2")
                                                    .arg(choice_help(choice), QString::fromStdString(choice.refused))),
         choice.refused.empty(), words.count(word) == 1 ? word : name.section(kColon, 1)});
  }
  row.choice->set_choices(choices);
}

void MechanismSettings::show_row(Row& row) {
  const Json& now = model_->model->config().at(row.at.key);
  const Json& trained = as_trained(*model_).model->config().at(row.at.key);
  QString help = switch_help(row.at);
  if (!row.at.matters) help += '\n' + tr("With the other settings as they are, this changes nothing.");
  if (row.choice) {
    show_choices(row);
    const auto at = std::ranges::find_if(row.at.choices, [&](const SwitchChoice& c) { return c.value == now; });
    row.choice->set_current(static_cast<int>(at - row.at.choices.begin()));
    if (at != row.at.choices.end()) help += '\n' + choice_name(*at) + QStringLiteral(": ") + choice_help(*at);
  } else if (row.flag) {
    row.flag->setChecked(now.get<bool>());
    row.flag->setText(now.get<bool>() ? tr("on") : tr("off"));
  } else {
    const double value = now.get<double>();
    // What a hand is moving stays where the hand is.
    if (!row.slider->isSliderDown()) {
      row.number->setRange(std::min(row.at.low, value), std::max(row.at.high, value));
      row.number->setSpecialValueText(row.at.zero && row.at.low == 0 ? value_in_words(row.at, 0) : QString());
      row.slider->setValue(place_of(row.at, value));
      row.number->setValue(value);
    }
  }
  for (QWidget* each : std::initializer_list<QWidget*>{row.choice, row.flag, row.slider, row.number}) {
    if (!each) continue;
    each->setEnabled(row.at.matters || now != trained);
    each->setToolTip(plain_tooltip(help));
    each->setAccessibleDescription(help);
  }
  if (row.choice) row.choice->set_words(switch_name(row.at), plain_tooltip(help));
  const bool changed = now != trained;
  const QString was = tr("trained: %1").arg(value_in_words(row.at, trained));
  row.name->setToolTip(plain_tooltip(help));
  row.trained->setText(was);
  row.trained->setVisible(changed);
  row.reset->setVisible(changed);
  row.reset->setToolTip(tr("Back to what the model was trained with (%1)").arg(value_in_words(row.at, trained)));
  row.reset->setAccessibleName(tr("Reset %1").arg(switch_name(row.at)));
}

// What was changed stands in the colour of edits.
void MechanismSettings::colour() {
  if (!model_ || !noise_) return;
  set_ink(noise_, &Tokens::bad);
  set_ink(intro_, &Tokens::ink2);
  for (const auto& row : rows_) {
    const bool changed = !row->reset->isHidden();
    set_ink(row->name, changed ? &Tokens::edited : row->at.matters ? &Tokens::ink : &Tokens::ink2);
    set_ink(row->trained, &Tokens::edited);
    row->trained->setFont(theme().ui_font(type::kSource));
  }
}

void MechanismSettings::show_table() {
  const auto of = [this](auto value) {
    return [this, value](int row) { return QVariant(value(nth(rows_, row)->at)); };
  };
  const auto value = [&](std::shared_ptr<const ModelBundle> bundle) {
    return of([bundle](const Switch& at) { return value_in_words(at, bundle->model->config().at(at.key)); });
  };
  table_.set(static_cast<int>(rows_.size()),
             {{tr("setting"), of([](const Switch& at) { return QString::fromUtf8(at.key); })},
              {tr("name"), of([](const Switch& at) { return switch_name(at); })},
              {tr("value"), value(model_)},
              {tr("trained"), value(model_->trained ? model_->trained : model_)}});
}

}  // namespace headlight
