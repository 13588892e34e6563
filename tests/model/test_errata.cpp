// What the notes that this program began with get wrong (models.md, section 12) must not stand in any text that it can
// show: formulas, sentences, interface texts and documents. Each pattern is tried on the wrong statement itself first.

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

#include "model/core/graph.h"
#include "model/trace/site.h"
#include "model/trace/site_sentences.h"
#include "tests/test_program.h"

using namespace headlight;

namespace {

struct Erratum {
  const char* number;
  const char* pattern;
  const char* wrong;  // as the notes say it
};
const Erratum kErrata[] = {
    {"E2", R"(W\s*\[\s*h_j\^?[TᵀT])", "W[h_j^T; s]"},
    {"E4", R"((?:Q\s*=\s*K\s*=\s*V)|(?:quer\w+, keys? and values? are the same\b(?! (?:source|size))))", "Q=K=V"},
    {"E5", R"(exp\s*\(\s*\(\s*\w+\s*[-−]\s*p(?:_t)?\s*\)\s*[²^])", "exp((s-p)²/2σ²)"},
    {"E6", R"(hard attention (?:cannot|can not) be trained (?:by|with) back)",
     "Hard attention cannot be trained by backprop"},
    {"E10", R"(mask\w* (?:is|are) (?:switched )?off (?:in|during) training)", "the mask is off in training"},
    {"E11", R"(W_?[oO]\s*\[\s*d(?:_model)?\s*[x×]\s*h)", "W_o [d_model x h d_v]"},
    {"E13", R"(RNNs? easily cop(?:y|ies))", "RNN easily copies longer strings"},
    {"E21", R"(√d_model\b(?! ·)|sqrt\(d_model\))", "divided by √d_model"},
    {"E22", R"(softmax\([^)]*axis\s*=\s*0)", "softmax(scores, axis=0)"},
    {"E23", R"([Dd]ropout\s*\(\s*Layer\s?[Nn]orm)", "Dropout(LayerNorm(x))"},
    {"E25", R"(start (?:token|sign) (?:is )?.?</s>)", "start token </s>"},
    {"E26", R"(cross-attention needs no mask)", "cross-attention needs no mask"},
    {"E29", R"((?:8|eight) layers of attention)", "8 layers of attention"},
    {"E31", R"(Σ_\{?i=1\}?\^n\s*=)", "c_i = Σ_{i=1}^n = α_ij h_j"},
    {"E33", R"(GLU\w* (?:is|are)? ?similar to (?:a )?GRU|positions? (?:is|are) concatenated in ConvS2S)",
     "GLU similar to GRU"},
    {"E34", R"(sqrt\(hidden|√hidden|√H_dim|scaled by the root of the hidden)", "scale = sqrt(hidden dim)"},
};

QString contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

class TestErrata : public QObject {
  Q_OBJECT

 private slots:
  void patterns_find_what_is_wrong() {
    for (const Erratum& e : kErrata) {
      const QRegularExpression wrong(e.pattern, QRegularExpression::CaseInsensitiveOption);
      QVERIFY2(wrong.isValid(), e.number);
      QVERIFY2(wrong.match(e.wrong).hasMatch(), e.number);
    }
  }

  void no_text_repeats_them() {
    QMap<QString, QString> texts;
    for (const SiteKind& kind : site_catalogue())
      texts[kind.pattern] = QStringList{kind.title, kind.formula, kind.paper, kind.help}.join('\n');
    for (const char* sentence : sentences::kAll) texts[sentence] = sentence;
    // Formulas of operations, sentences of switches and tasks, interface texts, documents, model cards.
    for (const char* folder : {"model", "widgets", "app", "resources/translations", "docs", "sample_models"}) {
      QDirIterator files(folder, {"*.cpp", "*.h", "*.ts", "*.md"}, QDir::Files, QDirIterator::Subdirectories);
      while (files.hasNext()) {
        const QString path = files.next();
        texts[path] = contents(path);
      }
    }
    texts["README.md"] = contents("README.md");
    QVERIFY(texts.size() > 400 && texts["README.md"].size() > 1000 && texts["docs/models.md"].size() > 1000);
    for (const Erratum& e : kErrata) {
      const QRegularExpression wrong(e.pattern, QRegularExpression::CaseInsensitiveOption);
      for (auto text = texts.begin(); text != texts.end(); ++text) {
        const QRegularExpressionMatch found = wrong.match(text.value());
        QVERIFY2(!found.hasMatch(), qPrintable(QString("%1 in %2: %3").arg(e.number, text.key(), found.captured())));
      }
    }
  }
};

HEADLIGHT_TEST(TestErrata)
#include "test_errata.moc"
