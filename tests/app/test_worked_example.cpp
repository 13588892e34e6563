// The worked example of docs/formats.md, and the lines for notebooks of docs/open-your-own-model.md, as they stand
// there: what a reader would copy makes files that the program opens and that give PyTorch's values.

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "tests/test_program.h"

namespace headlight::test_worked_example {

namespace {

constexpr const char* kPython = "/usr/bin/python3";

struct Outcome {
  int status = -1;
  QString text;
};
Outcome outcome_of(const QString& folder, const QString& program, const QStringList& arguments) {
  QProcess process;
  process.setWorkingDirectory(folder);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(program, arguments);
  if (!process.waitForFinished(120'000)) return {-1, process.errorString()};
  return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

}  // namespace

// What a notebook has before somebody pastes the lines of the document: a model that gives attention of 3 layers and 2
// heads, with its weights kept under names of their own.
constexpr const char* kNotebook = R"(
import numpy, torch
class Bag: pass
torch.manual_seed(1)
def maps(queries, keys): return tuple(torch.rand(1, 2, queries, keys).softmax(-1) for _ in range(3))
given = {"self": maps(4, 4), "encoder": maps(5, 5), "decoder": tuple(m.tril() for m in maps(3, 3)), "cross": maps(3, 5)}
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRU(3, 4)
        self.cfg = Bag()
        self.cfg.n_layers = 3
    def forward(self, **inputs):
        output = Bag()
        output.attentions, output.encoder_attentions = given["self"], given["encoder"]
        output.decoder_attentions, output.cross_attentions = given["decoder"], given["cross"]
        return output
    def run_with_cache(self, text): return None, {("pattern", l): m for l, m in enumerate(given["self"])}
    def to_str_tokens(self, text): return ["a", "b", "c", "d"]
class Tokenizer:
    def convert_ids_to_tokens(self, ids): return ["t%d" % int(i) for i in ids]
model, tokenizer, text = Model(), Tokenizer(), "a b c d"
inputs = {"input_ids": torch.tensor([[5, 6, 7, 8]])}
output = model()
source_tokens, target_tokens = ["a", "b", "c", "d", "e"], ["x", "y", "z"]
batch = torch.stack([torch.stack(given["self"])[:, 0]] * 2).numpy()
mask, tokens, I, N = numpy.ones((2, 4), int), numpy.array([["a", "b", "c", "d"]] * 2), 0, 1
)";

class TestWorkedExample : public QObject {
  Q_OBJECT

 private slots:
  void a_folder_from_pytorch() {
    QFile document("docs/formats.md");
    QVERIFY(document.open(QIODevice::ReadOnly));
    QString text = QString::fromUtf8(document.readAll());
    text = text.mid(text.indexOf("## Worked example"));
    text = text.left(text.indexOf("\n## "));
    QTemporaryDir folder;
    // Each script begins with its name: "# headlight_folder.py: ...".
    const QRegularExpression block("```python\n# (\\w+\\.py): .*?```", QRegularExpression::DotMatchesEverythingOption);
    QStringList names;
    for (auto match = block.globalMatch(text); match.hasNext();) {
      const QRegularExpressionMatch found = match.next();
      names << found.captured(1);
      QFile script(folder.filePath(names.last()));
      QVERIFY(script.open(QIODevice::WriteOnly));
      script.write(found.captured(0).mid(10).chopped(3).toUtf8());
    }
    QCOMPARE(names, (QStringList{"headlight_folder.py", "from_torch.py"}));
    if (outcome_of(folder.path(), kPython, {"-c", "import torch"}).status != 0) QSKIP("PyTorch is not installed");
    const Outcome made = outcome_of(folder.path(), kPython, {"from_torch.py"});
    QVERIFY2(made.status == 0, qPrintable(made.text));
    const QString program = qEnvironmentVariable("HEADLIGHT_BINARY");
    // The commands that the document gives.
    const Outcome verified = outcome_of(folder.path(), program, {"verify", "my-model", "--partial"});
    QVERIFY2(verified.status == 0, qPrintable(verified.text));
    QVERIFY2(verified.text.contains("computed by PyTorch") && verified.text.contains("passed: 11 sites compared"),
             qPrintable(verified.text));
    QVERIFY(text.contains("headlight verify my-model --partial"));
    const Outcome run = outcome_of(folder.path(), program, {"run", "my-model", "--source", "31415"});
    QVERIFY2(run.status == 0, qPrintable(run.text));
    // The example writes the keys that the document calls required, and no reference but these sites.
    QVERIFY(outcome_of(folder.path(), program, {"verify", "my-model"}).status == 2);
  }

  void lines_for_a_notebook() {
    QFile document("docs/open-your-own-model.md");
    QVERIFY(document.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(document.readAll());
    const QRegularExpression block("```python\n(.*?)```", QRegularExpression::DotMatchesEverythingOption);
    QString script = QString::fromUtf8(kNotebook);
    int count = 0;
    for (auto match = block.globalMatch(text); match.hasNext(); ++count) {
      const QString lines = match.next().captured(1);
      if (!lines.contains("save_pretrained")) script += lines;
    }
    QCOMPARE(count, 6);
    QTemporaryDir folder;
    if (outcome_of(folder.path(), kPython, {"-c", "import torch, numpy"}).status != 0)
      QSKIP("PyTorch is not installed");
    const Outcome made = outcome_of(folder.path(), kPython, {"-c", script});
    QVERIFY2(made.status == 0, qPrintable(made.text));
    const QString program = qEnvironmentVariable("HEADLIGHT_BINARY");
    for (const char* file : {"encoder.npz", "pair.npz", "hooks.npz", "run-00000-of-00001.npz"}) {
      const Outcome drawn =
          outcome_of(folder.path(), program, {"render", file, "--view", "heads", "--text", "0", "--out", "heads.csv"});
      QVERIFY2(drawn.status == 0, qPrintable(drawn.text));
    }
    const Outcome second =
        outcome_of(folder.path(), program,
                   {"render", "run-00000-of-00001.npz", "--view", "heads", "--text", "1", "--out", "a.png"});
    QVERIFY2(second.status == 0, qPrintable(second.text));
    const Outcome listed = outcome_of(folder.path(), program, {"inspect", "weights.pt"});
    QVERIFY2(listed.text.contains("rnn is nn.GRU, 3 -> 4, 1 layer"), qPrintable(listed.text));
    // The same numbers: what PyTorch gave, as the program writes it.
    const Outcome same = outcome_of(folder.path(), program, {"inspect", "encoder.npz", "--dump", "again.npz"});
    QVERIFY2(same.status == 0, qPrintable(same.text));
    const Outcome compared = outcome_of(
        folder.path(), kPython,
        {"-c", QString::fromUtf8(kNotebook) + "assert numpy.array_equal(numpy.load('again.npz')['attentions'], "
                                              "torch.stack(given['self'])[:, 0].numpy())"});
    QVERIFY2(compared.status == 0, qPrintable(compared.text));
  }
};

HEADLIGHT_CORE_TEST(TestWorkedExample)

}  // namespace headlight::test_worked_example

#include "test_worked_example.moc"
