"""Ask every other site that the built book links to whether the page is still there: ``python -m bench.links``.

Each address is asked once; 404 and 410, and hosts that do not exist, count as dead. Other refusals (a publisher that
turns programs away, a slow host) are listed and do not count. The exit status is 1 if a link is dead.
"""

import sys
import urllib.error
import urllib.request
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bs4 import BeautifulSoup

SITE = Path("_build/html")
GONE = {404, 410}
SECONDS = 30
AGENT = "Mozilla/5.0 (link check of a book)"


def outside(pages):
    """Address -> the pages that link to it, for links to other hosts; ``pages`` are (name, HTML) pairs."""
    found = defaultdict(set)
    for name, page in pages:
        tree = BeautifulSoup(page, "html.parser")
        own = tree.select_one("link[rel=canonical]")
        base = own["href"].removesuffix(name) if own else None
        for link in tree.find_all("a", href=True):
            address = link["href"].partition("#")[0]
            if address.startswith("http") and not (base and address.startswith(base)):
                found[address].add(name)
    return found


def ask(address):
    """None if the page is there; otherwise (whether it is dead, what was answered)."""
    request = urllib.request.Request(address, headers={"User-Agent": AGENT})
    try:
        urllib.request.urlopen(request, timeout=SECONDS).close()
    except urllib.error.HTTPError as answer:
        return answer.code in GONE, f"status {answer.code}"
    except (OSError, ValueError) as fault:
        return "Name or service not known" in str(fault), str(fault)
    return None


def main():
    if not SITE.is_dir():
        sys.exit(f"{SITE} is not there: build the book first (python -m residual_stream book)")
    names = sorted(file.relative_to(SITE).as_posix() for file in SITE.rglob("*.html"))
    links = outside([(name, (SITE / name).read_text("utf-8")) for name in names])
    with ThreadPoolExecutor(8) as pool:
        answers = dict(zip(links, pool.map(ask, links)))
    for address, answer in answers.items():
        if answer:
            dead, said = answer
            print(f"{'DEAD' if dead else 'unsure'}  {address}  ({said}; {', '.join(sorted(links[address]))})")
    dead = sum(answer is not None and answer[0] for answer in answers.values())
    print(f"{len(links)} links to other sites, {dead} dead")
    sys.exit(1 if dead else 0)


if __name__ == "__main__":
    main()
