"""How long a step of each slider takes to be painted, in Chromium: ``python -m bench.slider``.

For every slider of the built site the values are stepped through, one in a frame; a step's time runs from the input
event to the task that follows the frame's painting. A frame lasts 16.7 ms. Prints the median and the 95th centile.
"""

import statistics
import sys

from playwright.sync_api import sync_playwright

from residual_stream import chromium
from residual_stream.commands.book import SITE

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
STEPS = """async figure => {
  figure.querySelector(".without")?.click();
  figure.scrollIntoView();
  const range = figure.querySelector("input[type=range]");
  const times = [];
  for (let step = 0; step <= Number(range.max); step++)
    await new Promise(resolve => requestAnimationFrame(() => {
      const start = performance.now();
      range.value = step;
      range.dispatchEvent(new Event("input"));
      const done = performance.now();
      const {port1, port2} = new MessageChannel();
      port1.onmessage = () => {
        times.push([done - start, performance.now() - start]);
        resolve();
      };
      port2.postMessage(0);
    }));
  return times;
}"""


def main():
    if not SITE.is_dir():
        sys.exit(f"{SITE} is not there: build the book first (python -m residual_stream book)")
    pages = [file for file in sorted(SITE.rglob("*.html")) if "data-explorer=" in file.read_text("utf-8")]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for file in pages:
            page.goto(file.resolve().as_uri())
            for figure in page.query_selector_all("figure[data-explorer]"):
                times = figure.evaluate(STEPS)
                script, paint = ([pair[index] for pair in times] for index in (0, 1))
                print(f"{figure.get_attribute('id'):<30} {len(times):4} steps   script {statistics.median(script):5.1f} ms, "
                      f"painted {statistics.median(paint):5.1f} ms (95 %: {statistics.quantiles(paint, n=20)[-1]:5.1f} ms)")
        browser.close()


if __name__ == "__main__":
    main()
