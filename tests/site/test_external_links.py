"""The check of links to other sites: which it asks, and what it takes for dead."""

import http.server
import threading

import pytest

from bench.links import ask, outside

PAGES = [("index.html", '<link rel="canonical" href="https://own.org/b/"><a href="https://own.org/b/x.pdf"></a>'
                        '<a href="one.html"></a><a href="https://a.org/x#1"></a>'),
         ("ch/one.html", '<link rel="canonical" href="https://own.org/b/ch/one.html"><a href="https://own.org/b/x.zip"></a>'
                         '<a href="https://a.org/x#2"></a><a href="http://b.org"></a>')]


def test_links_to_other_hosts_are_asked_once_each():
    assert outside(PAGES) == {"https://a.org/x": {"index.html", "ch/one.html"}, "http://b.org": {"ch/one.html"}}


@pytest.fixture(scope="module")
def answering():
    """The address of a server that answers each path with the status that it names."""
    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(int(self.path.strip("/")))
            self.end_headers()

        def log_message(self, *arguments):
            """Nothing to tell."""

    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("status, answer", [(200, None), (404, (True, "status 404")), (410, (True, "status 410")),
                                            (403, (False, "status 403")), (500, (False, "status 500"))])
def test_only_what_is_gone_is_dead(answering, status, answer):
    assert ask(f"{answering}/{status}") == answer


def test_a_refused_connection_is_told_and_is_not_dead():
    dead, said = ask("http://127.0.0.1:9/")
    assert not dead and "refused" in said
