// Brings every slider figure of a page to life: the input moves the marks, the address keeps the state.
(() => {
  "use strict";
  if (typeof document === "undefined") return;
  const { stepNamed, stepByKey, readGuess, verdict, guessAt } = globalThis.residualStream.slider;

  const SETTLED = 250; // ms without a step before the address is written: browsers limit how often it may be

  function enliven(figure) {
    const name = figure.dataset.explorer;
    const data = JSON.parse(figure.querySelector("script").textContent);
    const svg = figure.querySelector("svg");
    const marks = [...svg.children];
    const control = figure.querySelector(".control");
    const range = control.querySelector("input");
    const output = control.querySelector("output");
    let timer;

    function show(step) {
      for (const [index, attribute, values] of data.varying) {
        if (attribute) marks[index].setAttribute(attribute, values[step]);
        else marks[index].textContent = values[step];
      }
      svg.setAttribute("aria-label", data.alts[step]);
      range.value = step;
      range.setAttribute("aria-valuetext", data.said[step]);
      output.textContent = data.said[step];
    }

    function keep(step) {
      const url = new URL(location.href);
      if (step === data.start) url.searchParams.delete(name);
      else url.searchParams.set(name, data.values[step]);
      history.replaceState(history.state, "", url);
    }

    function move(step) {
      show(step);
      clearTimeout(timer);
      timer = setTimeout(keep, SETTLED, step);
    }

    function reveal() {
      figure.classList.remove("predicting", "asking");
      const form = figure.querySelector(".prediction");
      if (form) form.hidden = true;
    }

    range.addEventListener("input", () => move(Number(range.value)));
    range.addEventListener("keydown", (event) => {
      const step = stepByKey(event.key, Number(range.value), data.values.length - 1);
      if (step < 0) return;
      event.preventDefault();
      move(step);
    });

    const named = stepNamed(new URLSearchParams(location.search).get(name), data.values);
    show(named < 0 ? data.start : named);
    control.hidden = false;
    if (!data.predict) return;
    if (named >= 0) reveal();
    else ask(figure, data.predict, marks, (step) => {
      reveal();
      move(step);
      range.focus({ preventScroll: true });
      figure.scrollIntoView({ block: "nearest" }); // the slider sticks to the screen's edge, so it is not what to show
    });
  }

  // The question before the slider. `go(step)` shows the figure at the step that the question is about.
  function ask(figure, predict, marks, go) {
    const form = figure.querySelector(".prediction");
    const field = form.querySelector("input");
    const error = form.querySelector(".error");

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const guess = readGuess(field.value);
      error.textContent = guess.error ?? "";
      field.setAttribute("aria-invalid", String("error" in guess));
      if (guess.error) return field.focus();
      draw(predict, guess.number, marks);
      // The verdict has a height: it must stand before the figure is brought into view.
      figure.querySelector(".verdict").textContent = verdict(predict, guess.number, field.value);
      go(predict.at);
    });
    form.querySelector(".without").addEventListener("click", () => go(predict.at));
    figure.classList.add("asking");
    form.hidden = false;
  }

  function draw(predict, guess, marks) {
    for (const mark of marks) mark.removeAttribute("display");
    const first = marks.length - predict.marks;
    for (const [index, name, value] of guessAt(predict, guess)) marks[first + index].setAttribute(name, value);
  }

  for (const figure of document.querySelectorAll("figure[data-explorer]")) enliven(figure);
})();
