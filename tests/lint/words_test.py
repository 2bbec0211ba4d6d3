"""Self-test of tools/linters: planted words are found where they are prose, and only there.

Usage: words_test.py SOURCE_TREE
"""

import sys
import unittest

sys.path.insert(0, sys.argv[1] + "/tools/linters")

import words  # noqa: E402

TABLE = words.read_words()


def found(path, text, messages=True):
    return [(number, word.lower()) for number, word, _advice in words.hits(path, text, TABLE, messages)]


class PlantedWords(unittest.TestCase):
    def test_each_is_found(self):
        for sentence in [
            "a peer who answers", "whoever answers it is alive", "a method that nobody has",
            "somebody holds it",
            "the user is told", "the session is held against the dialect", "holds a tape against a draft",
            "what was said", "what was heard", "the same seed of all chance", "an input by its own bytes",
            "a peer that lost its way", "two are tokens of the same", "2 secrets are tokens",
            "it lives when it answers", "where does who leave the protocol?", "it was not seen again",
            "which counts for nothing", "the plugin is blamed", "as ever", "one file a subcommand",
            "10 runs a second", "all but for one", "midwire tells of it",
        ]:
            with self.subTest(sentence):
                self.assertNotEqual(found("a.md", sentence), [])

    def test_across_a_line_break(self):
        self.assertEqual(found("a.md", "One that is\ntold later.\n"), [(1, "is told")])
        self.assertEqual(found("a.cc", "int i;\n// One that is\n// told later.\n"), [(2, "is told")])
        self.assertEqual(found("a.cc", 'Say("the plugin is "\n    "told");\n'), [(1, "is told")])

    def test_a_word_counts_once(self):
        self.assertEqual(found("a.md", "It is told.\n"), [(1, "is told")])

    def test_cxx_comments_and_messages(self):
        self.assertEqual(found("a.h", "/* first\n   nobody */ int a;  // somebody\n"),
                         [(2, "nobody"), (2, "somebody")])
        self.assertEqual(found("a.cc", 'Fail("nobody answers");'), [(1, "nobody")])
        self.assertEqual(found("a.cc", 'Fail(R"(midwire: nobody answers)");'), [(1, "nobody")])
        self.assertEqual(found("a.cc", "char quote = '\"'; Fail(\"nobody is there\");"), [(1, "nobody")])

    def test_other_languages(self):
        self.assertEqual(found("a.py", '"""What\n\nnobody reads."""\nx = 1  # told\n'),
                         [(3, "nobody"), (4, "told")])
        self.assertEqual(found("run", "#!/bin/sh\n# who knows\ndie 'nobody answers'\n"),
                         [(2, "who"), (3, "nobody")])
        self.assertEqual(found("CMakeLists.txt", 'message("nobody sets it")  # told\n'),
                         [(1, "nobody"), (1, "told")])
        self.assertEqual(found("ci.yml", "on: push  # as ever\n"), [(1, "as ever")])
        self.assertEqual(found("midwire show --help", "Usage: ...\nnobody\n" + "x " * 99), [(2, "nobody")])

    def test_a_wide_line(self):
        self.assertEqual(found("a.md", "word " * 23), [(1, "")])


def names_in(path, text, old=()):
    return [(number, name) for number, name, _advice in words.Names(TABLE, set(old)).hits(path, text)]


class Identifiers(unittest.TestCase):
    def test_in_each_spelling(self):
        for name in ["told_", "kMaxHeard", "HearAll", "peer_is_told", "APeerThatNeverReadsIsTold", "TELL"]:
            with self.subTest(name):
                self.assertEqual(names_in("a.cc", f"int {name};\n"), [(1, name)])

    def test_names_of_tests(self):
        self.assertEqual(names_in("tests/a.cc", "\nTEST(Peers, NobodyAnswers) {\n"), [(2, "NobodyAnswers")])

    def test_each_once_per_file(self):
        self.assertEqual(names_in("a.h", "int told;\nint x = told + told;\n"), [(1, "told")])

    def test_comments_strings_and_parts_of_words_are_none(self):
        text = '// told\nGet("told"); R"(told)"; int retold, untellable, whole;\n'
        self.assertEqual(names_in("a.cc", text), [])

    def test_only_in_cxx(self):
        self.assertEqual(names_in("a.py", "told = 1\n"), [])

    def test_old_names_that_are_gone(self):
        names = words.Names(TABLE, {"told_", "Hear"})
        self.assertEqual(list(names.hits("a.cc", "int told_;\n")), [])
        self.assertEqual(names.gone(), ["Hear"])


class CleanText(unittest.TestCase):
    def passes(self, path, text, messages=True):
        with self.subTest(text):
            self.assertEqual(found(path, text, messages), [])

    def test_sentences(self):
        for sentence in ["People who write plugins.", "Users who report a bug.",
                         "It proves that it is alive.",
                         "The file lives in doc.", "One of a method.", "It cannot tell the two apart.",
                         "Received and validated against the schema: a frame whose length is known."]:
            self.passes("a.md", sentence)

    def test_code_is_no_prose(self):
        self.passes("a.md", 'The member `who` and the name "nobody".\n')
        self.passes("a.cc", "const Said& said = nobody.told(who);\n")
        self.passes("a.cc", 'Get("who"); Parse(R"({"role": "who lives"})"); char a = \'"\'; int told;\n')
        self.passes("a.cc", "size_t n = 1'000; who(told); m = 2'000;\n")
        self.passes("a.py", "said = 'nobody is told'\n")
        self.passes("run", "#!/bin/sh\nwho=${1#told}; echo $# who\n")

    def test_messages_of_tests(self):
        self.passes("tests/a.cc", 'Expect("nobody answers");', messages=False)

    def test_an_exception_with_a_reason(self):
        self.passes("a.cc", "// said  words-ok: the name of a member\n")
        self.assertNotEqual(found("a.cc", "// said  words-ok:\n"), [])

    def test_wide_code_and_links(self):
        self.passes("a.md", "    " + "x y " * 40 + "\n```\n" + "x y " * 40 + "\n```\n")
        self.passes("a.md", "- [name](https://example.org/" + "x" * 120 + ")\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
