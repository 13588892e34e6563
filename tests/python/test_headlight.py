"""The Python package, called as a notebook does: test_headlight.py PROGRAM

Numbers are compared with what NumPy makes of the arrays. Parts that need NumPy or the folder of another library say that they
were skipped (.ci/skips.txt).
"""
import os
import pathlib
import struct
import sys
import tempfile
import unittest
import warnings
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import headlight  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None
MINILM = pathlib.Path(os.environ.get("HEADLIGHT_HF", ROOT / "../shared/hf")) / "minilm"
TEXT = "november 21, 2026"
NO_NUMPY, NO_MINILM = "NumPy is not there", "the folder of MiniLM is not there"


def png_size(content):
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", content[16:24])


class TestPackage(unittest.TestCase):
    def test_program_is_that_of_the_variable(self):
        self.assertEqual(headlight.program(), pathlib.Path(os.environ["HEADLIGHT"]))

    def test_what_is_wrong_is_one_line(self):
        with self.assertRaises(headlight.HeadlightError) as caught:
            headlight.command("run", "no-such-model", source="x")
        self.assertIn("no-such-model", str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_warnings_are_warnings(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            headlight.command("run", "date-attention", source=TEXT, beam=3)
        self.assertEqual([str(each.message) for each in caught], ["--beam is not used: it needs --decode beam"])

    def test_options_are_those_of_the_command(self):
        plain = headlight.command("run", "date-attention", source=TEXT)
        self.assertIn("2026-11-21", plain)
        changed = headlight.command("run", "date-attention", source=TEXT, edit=["decoder.step[5].attention.weights[0]~1"])
        self.assertNotEqual(plain, changed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = headlight.command("run", "date-attention", source=TEXT, set={"attention.temperature": 5})
        self.assertNotEqual(plain, other)

    def test_pictures_for_a_cell(self):
        drawn = headlight.svg("date-transformer", TEXT, view="heads", layer=1, head=1, side="encoder", width="3.3in", font_size="8pt")
        root = xml.etree.ElementTree.fromstring(drawn._repr_svg_())
        self.assertIsNone(drawn._repr_png_())
        self.assertAlmostEqual(float(root.attrib["width"].removesuffix("mm")) / 25.4, 3.3, delta=0.02)
        self.assertEqual(list(root.iter("{http://www.w3.org/2000/svg}image")), [])
        small = headlight.png("date-attention", TEXT, view="alignment", size="400x300", scale=1)
        self.assertEqual(png_size(small._repr_png_()), (400, 300))
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(headlight.HeadlightError):
                small.save(folder + "/x.svg")
            small.save(folder + "/x.png")
            self.assertEqual(pathlib.Path(folder, "x.png").read_bytes(), small.content)


@unittest.skipIf(numpy is None, NO_NUMPY)
class TestArrays(unittest.TestCase):
    def test_run(self):
        run = headlight.run("date-attention", TEXT)
        self.assertEqual(run.output, "2026-11-21")
        self.assertEqual("".join(run.tokens[:8]), "november")
        weights = run["decoder.step[5].attention.weights"]
        scores = run["decoder.step[5].attention.scores"]
        made = numpy.exp(scores - scores.max())
        numpy.testing.assert_allclose(weights, made / made.sum(), atol=1e-6)

    def test_analysis_is_what_numpy_makes_of_the_weights(self):
        text = "the keys to the old cabinet [MASK] on the table."
        run, made = headlight.run("masked-bert", text), headlight.analyse("summary", "masked-bert", text)
        weights = numpy.stack([run[name] for name in run if name.endswith("head.weights")])
        own = numpy.diagonal(weights, axis1=2, axis2=3).mean(axis=-1)
        numpy.testing.assert_allclose(made["mass_self"], own, atol=1e-5)
        self.assertEqual(len(made.table), own.size)
        self.assertEqual(made.about["method"], "summary")
        self.assertEqual(made.tokens[0], run.tokens)

    def test_lists_of_texts(self):
        made = headlight.analyse("summary", "masked-bert", texts=["the keys are old .", ("the cat sleeps .", "")])
        self.assertEqual(made.about["texts_in_all"], 2)
        self.assertEqual([text["text"] for text in made.about["texts"]], ["the keys are old .", "the cat sleeps ."])

    def test_attention_of_others_is_shown(self):
        weights = numpy.random.default_rng(1).dirichlet(numpy.ones(5), size=(2, 3, 5))

        class Outputs:
            attentions = [layer[None] for layer in weights]

        class Tokenizer:
            def convert_ids_to_tokens(self, ids):
                return [f"w{number}" for number in ids]

        for given in (weights, list(weights), Outputs()):
            drawn = headlight.show(given, Tokenizer(), ids=numpy.arange(5), layer=2, head=3, token=4)
            self.assertIn("w4", drawn._repr_svg_())
        with self.assertRaises(headlight.HeadlightError):
            headlight.show(weights, ["a", "b"])  # too few
        with self.assertRaises(headlight.HeadlightError):
            headlight.show(numpy.ones(3))


@unittest.skipIf(numpy is None, NO_NUMPY)
@unittest.skipUnless(MINILM.is_dir(), NO_MINILM)
class TestMiniLM(unittest.TestCase):
    FIRST = "The animal did not cross the street because it was too tired."
    SECOND = FIRST.replace("tired", "wide")

    def test_similarity_is_what_numpy_makes_of_the_states(self):
        vectors = [headlight.run(MINILM, text)["last_hidden_state"].astype(float) for text in (self.FIRST, self.SECOND)]
        mean = [each.mean(axis=0) for each in vectors]
        pairs = vectors[0] @ vectors[1].T / (len(vectors[0]) * len(vectors[1]))
        pairs /= numpy.linalg.norm(mean[0]) * numpy.linalg.norm(mean[1])
        made = headlight.analyse("similarity", MINILM, self.FIRST, second=self.SECOND)
        numpy.testing.assert_allclose(made["matrix"], pairs, atol=2e-6)
        self.assertAlmostEqual(float(made["cosine"][0]), 0.8363, places=4)

    def test_names_of_the_library_and_tokens(self):
        run = headlight.run(MINILM, self.FIRST)
        self.assertEqual(run.tokens[:3], ["[CLS]", "the", "animal"])
        self.assertEqual(run["attentions.0"].shape, (12, 15, 15))
        numpy.testing.assert_allclose(run["attentions.5"].sum(axis=-1), 1, atol=1e-5)


class Result(unittest.TextTestResult):
    """Skips as those of the other tests are written, for .ci/check-skips."""

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        name = f"{type(test).__name__}::{getattr(test, '_testMethodName', test)}()"
        print(f"SKIP   : {name} {reason}", flush=True)


if __name__ == "__main__":
    os.environ["HEADLIGHT"] = os.path.abspath(sys.argv.pop(1))
    unittest.main(testRunner=unittest.TextTestRunner(resultclass=Result, stream=sys.stdout, verbosity=2))
