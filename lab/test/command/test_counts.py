# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The tests count how many have passed and failed."""
import io
import unittest

from stages import command_tests


class Counts(unittest.TestCase):
    def counted(self, case):
        text = io.StringIO()
        unittest.TextTestRunner(text, verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(case))
        return command_tests.counts(text.getvalue())

    def test_each_test_counts_once(self):
        class Several(unittest.TestCase):
            def test_good(self):
                pass

            def test_parts(self):
                for part in range(5):
                    with self.subTest(part):
                        self.assertEqual(part, 9)

            def test_wrong(self):
                raise ValueError

            @unittest.expectedFailure
            def test_better(self):
                pass

            @unittest.skip("for a reason")
            def test_left_out(self):
                pass

        self.assertEqual(self.counted(Several), (1, 3))

    def test_a_class_that_cannot_begin(self):
        class Nothing(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                raise ValueError

            def test_never(self):
                pass

        self.assertEqual(self.counted(Nothing), (0, 1))
        self.assertIsNone(command_tests.counts("Segmentation fault\n"))


if __name__ == "__main__":
    unittest.main()
