"""nbgrader's formgrader, served as a course serves it and opened by a real browser: the prose is marked there."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from .conftest import PROSE, ROOT

LONGEST = 120   # seconds that a busy machine may take to start the server


@pytest.fixture(scope="module")
def chromium(chromium_path):
    """``chromium(address)``: the page's document as a browser has it when all of it has come."""

    def document(address, profile):
        command = [chromium_path, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                   "--virtual-time-budget=20000", "--dump-dom", address]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return document


@pytest.fixture(scope="module")
def formgrader(course):
    """``formgrader(path, **parameters)``: the address of one of its pages; the server runs in the course's folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", f"--ServerApp.port={port}",
               "--ServerApp.port_retries=0", "--IdentityProvider.token=little",
               "--ServerApp.jpserver_extensions=nbgrader.server_extensions.formgrader=True"]
    with open(course / "log", "w") as log:
        running = subprocess.Popen(command, cwd=course, stdout=log, stderr=log,
                                   env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(course)})
    try:
        wait_for(port, running, course / "log")
        yield lambda path, **more: f"http://127.0.0.1:{port}/formgrader/{path}?token=little" + "".join(
            f"&{name}={value}" for name, value in more.items())
    finally:
        running.terminate()
        running.wait()


def wait_for(port, running, log):
    """Return when the server takes connections; fail with its log if it ends or stays silent."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert running.poll() is None, log.read_text()
        time.sleep(0.2)
    pytest.fail(log.read_text())


def asked(address, **sent):
    """What the formgrader's own interface answers; ``sent`` is put there first."""
    request = urllib.request.Request(address, json.dumps(sent).encode() if sent else None,
                                     {"Content-Type": "application/json"}, method="PUT" if sent else "GET")
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


@pytest.fixture(scope="module")
def submission(formgrader):
    """What the formgrader knows of the submission that has prose."""
    submitted = asked(formgrader("api/submitted_notebooks/recall/recall"))
    return next(entry for entry in submitted if entry["student"] == "prose")


def test_the_assignment_is_listed(formgrader, chromium, tmp_path):
    page = chromium(formgrader("manage_assignments"), tmp_path)
    row = re.search(r'<tbody id="main-table">(.*?)</tbody>', page, re.DOTALL)[1]
    assert row.count("<tr") == 1 and ">recall</a>" in row and 'href="/formgrader/manage_submissions/recall"' in row


def test_the_prose_stands_there_to_be_marked(formgrader, chromium, submission, tmp_path):
    page = chromium(formgrader(f"submissions/{submission['id']}/", index=submission["index"]), tmp_path)
    for identity in ("answer-q1", "check-q2"):
        assert re.search(rf'<input class="score[^"]*" id="{identity}"', page)
    assert PROSE in page and "Q2  3/3 correct" in page


def test_a_mark_reaches_the_gradebook(formgrader, submission, tool, course):
    assert submission["score"] == 6 and submission["needs_manual_grade"]
    grades = asked(formgrader("api/grades", submission_id=submission["id"]))
    prose = next(grade for grade in grades if grade["name"] == "answer-q1")
    asked(formgrader(f"api/grade/{prose['id']}"), manual_score=2)
    gradebook = tool("nbgrader.api").Gradebook(f"sqlite:///{course}/gradebook.db", "course")
    try:
        assert gradebook.find_submission("recall", "prose").score == 8
    finally:
        gradebook.close()
