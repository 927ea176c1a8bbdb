"""The chapter's slider in a real JupyterLab, with a kernel behind it: guess, number box, arrow keys."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest
from nbformat.v4 import new_notebook

from residual_stream import notebooks

CHAPTER = Path(__file__).parents[2] / "chapters" / "variance-trace.ipynb"
LONGEST = 60_000  # milliseconds that a busy machine may take to start a kernel


@pytest.fixture(scope="module")
def lab(tmp_path_factory, request):
    """The address of a JupyterLab on a notebook with the chapter's set-up and slider cells."""
    if find_spec("jupyterlab") is None:
        missing = request.config.pluginmanager.get_plugin(str(Path(__file__).parents[1] / "conftest.py")).missing
        missing("JupyterLab is not installed: pip install -r requirements/lab.txt")
    folder = tmp_path_factory.mktemp("lab")
    cells = [cell for cell in notebooks.read(CHAPTER).cells if cell.id in ("setup", "explore")]
    assert len(cells) == 2
    notebooks.write(new_notebook(cells=cells, metadata=notebooks.NOTEBOOK_METADATA), folder / "slider.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {"ServerApp.root_dir": folder, "ServerApp.port": port, "ServerApp.port_retries": 0,
                "IdentityProvider.token": "little", "LabApp.news_url": "", "LabApp.check_for_updates_class":
                "jupyterlab.NeverCheckForUpdate"}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
               *(f"--{name}={value}" for name, value in settings.items())]
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(folder / "config"), "JUPYTER_DATA_DIR": str(folder / "data")}
    with open(folder / "log", "w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/api?token=little", running, folder / "log")
        yield f"{address}/lab/tree/slider.ipynb?token=little"
    finally:
        running.terminate()
        running.wait()


def wait_for(address, running, log):
    """Return when the server answers; fail with its log if it ends or stays silent."""
    for _ in range(300):
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            assert running.poll() is None, log.read_text()
            time.sleep(0.2)
    pytest.fail(log.read_text())


def test_the_slider_moves_the_drawing_in_a_live_notebook(lab, page):
    page.set_default_timeout(LONGEST)
    page.goto(lab)
    page.get_by_text("| Idle").wait_for()  # keys that come before the kernel are lost
    page.locator(".jp-CodeCell .cm-content").first.click()
    for _ in ("setup", "explore"):
        page.keyboard.press("Shift+Enter")
    page.get_by_label("Your guess").fill("3.5")
    page.get_by_role("button", name="Commit and see").click()
    drawing = page.locator(".jp-OutputArea svg[role=img]")
    drawing.and_(page.locator("[aria-label^='At a = −1.00']")).wait_for()
    assert "3.5" in page.get_by_role("status").filter(has_text="guess").inner_text()

    page.get_by_role("spinbutton", name="a =").fill("1")
    page.get_by_role("spinbutton", name="a =").press("Enter")
    drawing.and_(page.locator("[aria-label^='At a = 1.00']")).wait_for()
    assert "6.6623" in drawing.get_attribute("aria-label")

    page.locator(".widget-slider .noUi-handle").press("ArrowRight")
    drawing.and_(page.locator("[aria-label^='At a = 1.05']")).wait_for()
    assert page.get_by_role("spinbutton", name="a =").input_value() == "1.05"
