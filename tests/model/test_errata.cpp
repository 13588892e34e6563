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

namespace headlight::test_errata {

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
    {"E1", R"((?:α|alpha)_?\{?\w*\}?\s*=\s*(?:q|s|h|query)\w*\s*[·⋅]\s*(?:k|h|key))", "α_j = q · k_j"},
    {"E3", R"((?:align|similarity)\w*\s*\(\s*query\s*,\s*key\s*\)\s*[·⋅*×]?\s*value(?!_))", "Σ align(Query,Key)·Value"},
    {"E7", R"((?:\bPE|position\w*)[^.\n]{0,60}\bi-?th (?:element|number|component)|PE[^.\n]{0,30}第 ?i ?个元素)",
     "PE_{2i}(p), where i is the i-th element"},
    {"E8",
     R"((?:previous|earlier|former|older) position\w* (?:vectors?|encodings?|embeddings?)? ?(?:was|were) (?:all |always )?learned|以前的位置[^。\n]{0,12}学(?:习)?出来)",
     "previous position vectors were learned"},
    {"E12", R"((?:attention|block)\w* outputs?\b[^.\n]{0,20}\[\s*n\s*[,x×]\s*d_k\s*\])", "the block output [n, d_k]"},
    {"E14", R"(not Turing[- ]complete(?![^.\n]*(?:fixed|finite|precision|assum))|(?:不是|非)图灵完备)",
     "the Transformer is not Turing complete"},
    {"E15", R"(\bn (?:is )?(?:far|much) (?:smaller|less) than d\b|\bn\s*(?:<<|≪)\s*d\b|n ?远小于 ?d)",
     "n far smaller than d"},
    {"E16",
     R"(encoder'?s? (?:last|final) (?:hidden )?states? (?:initiali[sz]es?|starts?) the decoder(?!'s| state)|hidden and cell states? of the encoder (?:initiali[sz]e|start))",
     "the encoder's last hidden state initialises the decoder"},
    {"E17",
     R"((?:just|simply|only) concatenat\w+ (?:the )?(?:outputs|states)? ?(?:of )?(?:the |both )?(?:two )?directions)",
     "just concatenate both directions"},
    {"E18",
     R"(gradients? (?:pass\w*|flow\w*|go\w*) (?:\w+ )?without (?:any )?(?:influence|change|loss)|梯度[^。\n]{0,12}(?:不受(?:任何)?影响|毫无影响))",
     "residual gradients pass without any influence"},
    {"E19", R"(random(?:ly)? (?:\w+ )?90 ?%? ?(?:/|and|to) ?10)", "a random 90/10 split"},
    {"E20",
     R"(attention (?:weights? )?(?:gives?|has|have) (?:a )?meaning|attention (?:weights? |maps? )?(?:explains?|proves?|shows?) why|注意力[^。\n]{0,10}(?:证明|说明)了?(?:原因|为什么))",
     "attention gives meaning that humans understand"},
    {"E24",
     R"((?:add|sum)\w* (?:and|or|versus|vs\.?) concat\w*[^.\n]{0,20}no difference|no difference (?:between|whether)[^.\n]{0,40}concat|(?:相加|加)[^。\n]{0,6}拼接[^。\n]{0,8}没有区别)",
     "add vs concat: no difference"},
    {"E27", R"(pad\w* quer\w+ (?:rows? )?(?:is|are|must be) (?:fully |all |completely )?masked)",
     "PAD query rows are fully masked"},
    {"E28", R"(second attention\b[^.\n]{0,60}self-attention|self-attention (?:over|with|to|on) the (?:encoder|source))",
     "the decoder's second attention is a self-attention over the encoder output"},
    {"E30",
     R"(dropout (?:\w+ ){0,2}(?:before|in front of) (?:each|every) (?:sub-?)?layer|每一?层之前[^。\n]{0,6}dropout)",
     "dropout before each layer"},
    {"E32", R"(concat\w*:?\s*W\s*\[\s*(?:q|query)\s*[;,]\s*(?:k|key)|general(?: score)? is an? MLP)", "concat: W[q;k]"},
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

  // All 34 of them. The ninth is no statement but a question that the notes leave open (why the scores are divided by
  // √d_k), which no text can repeat: the experiment answers it.
  void each_has_its_pattern() {
    QSet<QString> numbers{"E9"};
    for (const Erratum& e : kErrata) numbers.insert(e.number);
    for (int i = 1; i <= 34; ++i) QVERIFY2(numbers.contains(QString("E%1").arg(i)), qPrintable(QString::number(i)));
    QCOMPARE(numbers.size(), 34);
    QVERIFY(contents("docs/experiments.md").contains("variance"));
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

}  // namespace headlight::test_errata

#include "test_errata.moc"
