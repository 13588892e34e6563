#include "app/dialogs/mapping_dialog.h"

#include <QCoreApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSpinBox>
#include <QTimer>

#include "app/file_dialogs.h"
#include "app/messages.h"
#include "model/core/json_library.h"
#include "model/decode/run.h"
#include "model/io/file.h"
#include "widgets/base/ask.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kPause = 250;  // ms without a change, before it is tried
const char* const kKinds[] = {"transformer", "encoder_only", "decoder_only", "recurrent"};
const char* const kActivations[] = {"relu", "gelu", "gelu_tanh", "silu"};

// What is asked about the order of things that stand side by side (model/io/formats/mapping/mapping_recurrent.cpp).
const char* const kOrders[] = {
    QT_TRANSLATE_NOOP("MappingOrder", "what the decoder reads at each step"),
    QT_TRANSLATE_NOOP("MappingOrder", "what the attention compares"),
    QT_TRANSLATE_NOOP("MappingOrder", "what the output layer reads"),
    QT_TRANSLATE_NOOP("MappingOrder", "embedding"),
    QT_TRANSLATE_NOOP("MappingOrder", "state"),
    QT_TRANSLATE_NOOP("MappingOrder", "context"),
};

// Names of tensors are shown as they are.
QString question_text(const std::string& text) {
  QStringList parts;
  for (const QString& part : from_utf8(text).split(QStringLiteral(", "))) {
    const QByteArray english = part.toUtf8();
    const bool known =
        std::any_of(std::begin(kOrders), std::end(kOrders), [&](const char* each) { return english == each; });
    parts << (known ? QCoreApplication::translate("MappingOrder", english.constData()) : message_text(part));
  }
  return parts.join(QStringLiteral(", "));
}

void show_row(QWidget* field, bool shown) {
  if (auto* form = qobject_cast<QFormLayout*>(field->parentWidget()->layout())) form->setRowVisible(field, shown);
}

template <std::size_t n>
int index_of(const char* const (&names)[n], const std::string& name) {
  for (std::size_t i = 0; i < n; ++i)
    if (name == names[i]) return static_cast<int>(i);
  return 0;
}

}  // namespace

MappingDialog::MappingDialog(const QString& file, std::shared_ptr<const TensorFile> tensors, MappingAnswers answers,
                             QWidget* parent)
    : QDialog(parent),
      file_(file),
      tensors_(std::move(tensors)),
      answers_(std::move(answers)),
      about_(new QLabel(this)),
      kind_(choice("mapping_kind", {QT_TR_NOOP("encoder and decoder"), QT_TR_NOOP("encoder"), QT_TR_NOOP("decoder"),
                                    QT_TR_NOOP("recurrent encoder and decoder")})),
      norms_(choice("mapping_norms", {QT_TR_NOOP("behind each part of a layer"), QT_TR_NOOP("in front of each part")})),
      activation_(choice("mapping_activation", {"ReLU", "GELU", "GELU (tanh)", "SiLU"})),
      positions_(choice("mapping_positions", {QT_TR_NOOP("sine waves"), QT_TR_NOOP("a table that was learned")})),
      heads_(new QSpinBox(this)),
      scaled_(new QCheckBox(this)),
      leave_(new QCheckBox(this)),
      source_(new QLineEdit(this)),
      target_(new QLineEdit(this)),
      start_(new QLineEdit(this)),
      end_(new QLineEdit(this)),
      questions_(new QWidget(this)),
      questions_form_(new QFormLayout(questions_)),
      state_(new QPlainTextEdit(this)),
      save_(nullptr),
      soon_(new QTimer(this)),
      trying_(
          [this](const Tried& tried) {
            runs_ = true;
            tried_ = tried;
            show_state({});
            emit this->tried(true);
          },
          [this](const QString& problem, bool) {
            show_state(problem);
            emit tried(false);
          }) {
  setObjectName(QStringLiteral("mapping_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  lay_out();
  retranslate();
  retranslates(this, [this] { retranslate(); });
  show_answers();
  listen();
  resize(QSize(640, 640).boundedTo(this->screen()->availableSize() * 0.9));
  answer();
}

void MappingDialog::lay_out() {
  make_running_text(about_);
  auto* form = new QFormLayout;
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  heads_->setObjectName(QStringLiteral("mapping_heads"));
  heads_->setRange(1, 1024);
  ask(form, QT_TR_NOOP("It &is"), kind_);
  ask(form, QT_TR_NOOP("&Heads"), heads_);
  ask(form, QT_TR_NOOP("&Norms stand"), norms_);
  ask(form, QT_TR_NOOP("&Activation"), activation_);
  ask(form, QT_TR_NOOP("&Positions"), positions_);
  form->addRow(scaled_);
  ask(form, QT_TR_NOOP("&Vocabulary, a token a line"), file_field(source_, "mapping_source"));
  ask(form, QT_TR_NOOP("Vocabulary of the &output"), file_field(target_, "mapping_target"));
  ask(form, QT_TR_NOOP("Token that &starts"), start_);
  ask(form, QT_TR_NOOP("Token that en&ds"), end_);
  start_->setObjectName(QStringLiteral("mapping_start"));
  end_->setObjectName(QStringLiteral("mapping_end"));
  questions_form_->setRowWrapPolicy(QFormLayout::WrapLongRows);
  questions_form_->setContentsMargins(0, 0, 0, 0);
  form->addRow(questions_);
  form->addRow(leave_);
  auto* inside = new QWidget(this);
  inside->setLayout(form);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(inside);
  state_->setObjectName(QStringLiteral("mapping_state"));
  state_->setReadOnly(true);
  state_->setTabChangesFocus(true);
  state_->setMaximumHeight(5 * fontMetrics().height());
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  cancel_ = buttons->button(QDialogButtonBox::Cancel);
  save_ = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
  save_->setObjectName(QStringLiteral("mapping_save"));
  save_->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->addWidget(about_);
  column->addWidget(scroll, 1);
  column->addWidget(state_);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

// The form keeps a label for each field; its text is that of the language.
void MappingDialog::ask(QFormLayout* form, const char* text, QWidget* field) {
  form->addRow(tr(text), field);
  asked_.emplace_back(qobject_cast<QLabel*>(form->labelForField(field)), text);
}

void MappingDialog::retranslate() {
  setWindowTitle(tr("Make %1 run").arg(message_text(QFileInfo(file_).fileName())));
  about_->setText(
      tr("Names and shapes of the tensors say most of it. What no file says, only you know: how many heads there are, "
         "where the norms stand, what stands side by side in which order, which vocabulary it is."));
  for (const auto& [label, text] : asked_) label->setText(tr(text));
  for (QPushButton* each : choosers_) each->setText(tr("Choose…"));
  filling_ = true;
  for (QComboBox* box : {kind_, norms_, positions_})
    for (int i = 0; i < box->count(); ++i) box->setItemText(i, tr(box->itemData(i).toByteArray().constData()));
  filling_ = false;
  scaled_->setText(tr("&Embeddings are multiplied by the root of the width"));
  leave_->setText(tr("&Leave out tensors that nothing asks for"));
  for (QLineEdit* field : {source_, target_}) field->setPlaceholderText(tr("none: texts are numbers of tokens"));
  state_->setAccessibleName(tr("What is missing, and whether it runs"));
  cancel_->setText(tr("&Cancel"));
  save_->setText(tr("Save the &mapping and open"));
  questions_->setProperty("asked", QStringList{QString()});  // to be made anew
  show_questions();
  show_state({});
}

void MappingDialog::show_answers() {
  kind_->setCurrentIndex(index_of(kKinds, answers_.model_type));
  heads_->setValue(static_cast<int>(answers_.heads));
  norms_->setCurrentIndex(answers_.norms_behind ? 0 : 1);
  activation_->setCurrentIndex(index_of(kActivations, answers_.activation));
  positions_->setCurrentIndex(answers_.learned_positions ? 1 : 0);
  scaled_->setChecked(answers_.scaled_embeddings);
}

// To what a person answers.
void MappingDialog::listen() {
  connect(save_, &QPushButton::clicked, this, &MappingDialog::save);
  soon_->setSingleShot(true);
  soon_->setInterval(kPause);
  connect(soon_, &QTimer::timeout, this, &MappingDialog::try_it);
  for (QComboBox* box : {kind_, norms_, activation_, positions_})
    connect(box, &QComboBox::currentIndexChanged, this, &MappingDialog::answer);
  connect(heads_, &QSpinBox::valueChanged, this, &MappingDialog::answer);
  for (QCheckBox* box : {scaled_, leave_}) connect(box, &QCheckBox::toggled, this, &MappingDialog::answer);
  for (QLineEdit* field : {source_, target_, start_, end_})
    connect(field, &QLineEdit::textChanged, this, &MappingDialog::answer);
}

// What is chosen from keeps its English, to be translated again.
QComboBox* MappingDialog::choice(const char* name, std::initializer_list<const char*> texts) {
  auto* box = new QComboBox(this);
  box->setObjectName(QString::fromUtf8(name));
  for (const char* text : texts) box->addItem(tr(text), QByteArray(text));
  return box;
}

// A file of the folder of the weights, by its name.
QWidget* MappingDialog::file_field(QLineEdit* field, const char* name) {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(field, 1);
  auto* choose = new QPushButton(box);
  choosers_.push_back(choose);
  choose->setAutoDefault(false);
  row->addWidget(choose);
  field->setObjectName(QString::fromUtf8(name));
  box->setFocusProxy(field);
  connect(choose, &QPushButton::clicked, this, [this, field] {
    ask_for_file(this,
                 {nullptr, tr("A file beside the weights with a token in each line"), {}, {}, QFileInfo(file_).path()},
                 [field](const QString& path) { field->setText(QFileInfo(path).fileName()); });
  });
  return box;
}

void MappingDialog::answer() {
  if (filling_) return;
  answers_.model_type = kKinds[kind_->currentIndex()];
  answers_.heads = heads_->value();
  answers_.norms_behind = norms_->currentIndex() == 0;
  answers_.activation = kActivations[activation_->currentIndex()];
  answers_.learned_positions = positions_->currentIndex() == 1;
  answers_.scaled_embeddings = scaled_->isChecked();
  answers_.leaves_over = leave_->isChecked();
  const bool recurrent = answers_.model_type == "recurrent";
  for (QWidget* field : std::initializer_list<QWidget*>{heads_, norms_, activation_, positions_, scaled_})
    show_row(field, !recurrent);
  answers_.source_vocabulary = bytes_of(source_->text().trimmed());
  answers_.target_vocabulary = bytes_of(target_->text().trimmed());
  answers_.start = start_->text().trimmed().toStdString();
  answers_.end = end_->text().trimmed().toStdString();
  propose();
}

void MappingDialog::propose() {
  runs_ = false;
  trying_.stop();
  try {
    proposal_ = mapping_from(bytes_of(file_), *tensors_, answers_);
  } catch (const Error& error) {
    proposal_ = {};
    soon_->stop();
    show_questions();
    return show_state(QString::fromUtf8(error.what()));
  }
  show_questions();
  show_state({});
  if (proposal_.missing.empty() && (proposal_.unused.empty() || answers_.leaves_over))
    soon_->start();
  else
    soon_->stop();
}

// The boxes that are there keep the focus: they are made anew only where other questions are asked.
void MappingDialog::show_questions() {
  QStringList asked;
  for (const MappingQuestion& question : proposal_.questions) asked << from_utf8(question.ours);
  filling_ = true;
  if (questions_->property("asked").toStringList() == asked) {
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      boxes_[i]->setCurrentIndex(boxes_[i]->findText(question_text(proposal_.questions[i].chosen)));
    filling_ = false;
    return;
  }
  questions_->setProperty("asked", asked);
  boxes_.clear();
  while (questions_form_->rowCount() > 0) questions_form_->removeRow(0);
  for (const MappingQuestion& question : proposal_.questions) {
    auto* box = new QComboBox(questions_);
    box->setObjectName(QStringLiteral("mapping_question"));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    for (const std::string& theirs : question.theirs) box->addItem(question_text(theirs));
    const QString ours = question_text(question.ours);
    box->setAccessibleName(ours);
    box->setCurrentIndex(box->findText(question_text(question.chosen)));
    questions_form_->addRow(tr("%1 is").arg(ours), box);
    boxes_.push_back(box);
    connect(box, &QComboBox::currentIndexChanged, this, [this, ours = question.ours, theirs = question.theirs](int i) {
      if (filling_ || i < 0 || i >= static_cast<int>(theirs.size())) return;
      answers_.chosen[ours] = theirs[static_cast<std::size_t>(i)];
      propose();
    });
  }
  filling_ = false;
}

void MappingDialog::show_state(const QString& problem) {
  QStringList lines;
  if (!problem.isEmpty()) lines << problem;
  if (runs_)
    lines << tr("It runs: %1 → %2")
                 .arg(shown_text(tried_.source.toStdString()),
                      tried_.output.isEmpty() ? tr("nothing is written") : shown_text(tried_.output.toStdString()));
  for (const std::string& each : proposal_.missing)
    lines << tr("Missing: no tensor of the file fits our %1.").arg(from_utf8(each));
  if (!answers_.leaves_over)
    for (const std::string& each : proposal_.unused)
      lines << tr("Left over: nothing asks for %1.").arg(message_text(from_utf8(each)));
  if (lines.isEmpty()) lines << tr("Every number has its tensor. Trying whether it runs …");
  state_->setPlainText(lines.join('\n'));
  save_->setEnabled(runs_);
}

QString MappingDialog::mapping_path() const {
  const QFileInfo file(file_);
  return file.path() + '/' + file.completeBaseName() + QStringLiteral(".mapping.json");
}

void MappingDialog::try_it() {
  trying_.start([file = bytes_of(file_), rules = *proposal_.mapping,
                 where = bytes_of(mapping_path())](const CancelToken& cancel) -> Tried {
    Opening opening;
    opening.cancel = cancel;
    Request request;
    request.model = open_rules(file, rules, where, opening);
    request.cancel = cancel;
    request.trace = false;
    // The first tokens of its vocabulary that are words.
    const Vocabulary& vocabulary = request.model->source_vocabulary();
    const bool numbers = request.model->text.source.kind() == TokenizerKind::other;
    for (TokenId id = 0; id < static_cast<TokenId>(vocabulary.size()) && request.source.size() < 12; ++id) {
      const std::string word = numbers ? std::to_string(id) : vocabulary.text(id);
      if (numbers ? id == 0 : word.find_first_of("<>[]") != word.npos) continue;
      request.source += (request.source.empty() ? "" : " ") + word;
    }
    const Result result = run(request);
    for (const OutputStep& step : result.steps)
      if (!std::isfinite(step.probability))
        throw FormatError(tr("It runs, but what it computes are no numbers: some answer is wrong.").toStdString());
    return {from_utf8(request.source), from_utf8(result.output)};
  });
}

void MappingDialog::save() {
  if (runs_) before_writing(this, mapping_path(), [this] { write(); });
}

void MappingDialog::write() {
  const QString path = mapping_path();
  try {
    FileWriter writer(bytes_of(path));
    writer.write(proposal_.mapping->dump(1) + "\n");
    writer.commit();
  } catch (const Error& error) {
    return show_state(QString::fromUtf8(error.what()));
  }
  emit openWanted(path);
  accept();
}

}  // namespace headlight
