"""A tiny book of its own for the site's extensions, built in a folder of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "_ext"))

CHAPTER = r"""---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# The norm of $\sqrt{x_1}$

$$
\class{stream}{x_1} = \class{stream}{x_0} + \class{branch}{f(x_0)}
$$ (eq:sum)

\begin{align}
a &= b \label{eq:rows} \\
c &= d
\end{align}

| $x_0$ | the $x_1$ |   |
|-------|-----------|---|
| $a$   | 2         | 3 |

As {cite:t}`twin,twin2` and {cite:t}`many` say {cite:p}`many,pair`.

By {eq}`eq:sum`, and $\eqref{eq:rows}$, a sum.

:::{admonition} Worked answer
:class: dropdown
It is 2.
:::

```{code-cell} python
:tags: [hide-input]
from residual_stream.answer import ANSWER
print("the answer is", ANSWER)
```

```{code-cell} python
from IPython.display import HTML
HTML(r'<style data-rs>p{color:red}</style><figure id="bars"><svg role="img" aria-label="\(bars\)"></svg>'
     r'<figcaption>Where \(a &lt; b\)</figcaption></figure>')
```

```{code-cell} python
import ipywidgets
ipywidgets.FloatSlider()
```

```{bibliography}
```
"""

REFERENCES = r"""
@misc{twin, title={One}, author={Doe, Ada}, year={2020}, note={read in part}}
@misc{twin2, title={Two}, author={Doe, Ada}, year={2020}, url={https://example.org/two}}
@inproceedings{many, title={The {BERT} of J{\'e}gou}, author={J{\'e}gou, Ann and others}, booktitle={Proc}, year={2019},
  eprint={1234.5678}}
@article{pair, title={A Pair?}, author={Roe, Bo and {The Team}}, journal={Journal}, volume={7}, pages={1--2}, year={1999}}
@misc{silent, title={Nobody cites this}, author={Poe, Cy}, year={2001}}
"""


class Book:
    """A book in a folder: written once, built as often as a test needs."""

    def __init__(self, folder):
        self.folder, self.html = folder, folder / "_build" / "html"
        for part in ("_ext", "_assets", "_templates"):
            (folder / part).symlink_to(ROOT / part)
        (folder / "residual_stream").mkdir()
        for file in ("__init__.py", "palette.py"):
            self.write(f"residual_stream/{file}", (ROOT / "residual_stream" / file).read_text("utf-8"))
        self.write("residual_stream/answer.py", "ANSWER = 42\n")
        self.write("_config.yml", (ROOT / "_config.yml").read_text("utf-8"))
        self.write("_toc.yml", yaml.safe_dump({"format": "jb-book", "root": "index", "chapters": [{"file": "one"}]}))
        (folder / ".pytest_cache").mkdir()
        self.write(".pytest_cache/README.md", "# No part of the book\n")
        self.write("references.bib", REFERENCES)
        self.write("index.md", "# A tiny book\n\nSee [the chapter](one.md).\n")
        self.write("one.md", CHAPTER)

    def write(self, name, text):
        (self.folder / name).write_text(text, "utf-8")

    def build(self):
        """Build as the command line does; the finished process, its output in ``stdout``."""
        command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()",
                   "build", "-W", "-n", "--keep-going", "."]
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        return subprocess.run(command, cwd=self.folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def page(self, name="one.html"):
        return (self.html / name).read_text("utf-8")

    def files(self):
        """What a browser may load: name below the site -> bytes."""
        return {file.relative_to(self.html).as_posix(): file.read_bytes() for file in self.html.rglob("*")
                if file.suffix in {".html", ".css", ".js"}}


@pytest.fixture
def new_book(tmp_path):
    """A tiny book of one test's own, not built yet."""
    return Book(tmp_path)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A tiny book that was built once, without a warning."""
    book = Book(tmp_path_factory.mktemp("book"))
    result = book.build()
    assert result.returncode == 0, result.stdout
    return book
