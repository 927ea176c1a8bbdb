// Recall questions on a page: brings the forms to light, grades them, speaks through one live region each.
"use strict";
(() => {
  if (typeof document === "undefined") return;
  const rs = (globalThis.residualStream ??= {});

  // The place of a field's verdict, and the controls that it is about.
  const placeOf = (question, name) => document.getElementById(`${question.id}-${name}-says`);
  const controlsOf = (form, name) => [...form.elements].filter(control => control.name === name);

  function show(question, form, {name, kind, sentence}) {
    const place = placeOf(question, name);
    place.textContent = kind === "blank" ? "" : sentence;
    place.dataset.kind = kind;
    for (const control of controlsOf(form, name)) {
      if (kind === "blank" || kind === "correct") control.removeAttribute("aria-invalid");
      else control.setAttribute("aria-invalid", "true");
    }
  }

  // `seen` says whether the sentence also stands on the page, or is spoken only: the field shows it already.
  function say(form, sentence, seen) {
    const region = form.querySelector("[role=status]");
    region.textContent = sentence;
    region.classList.toggle("recall-heard", !seen);
  }

  // The ticks of a prose question are one answer; 0 says that there is none, once one was made.
  function answersIn(form) {
    const data = new FormData(form);
    const answers = Object.fromEntries(data);
    if (data.has("has")) answers.has = data.getAll("has").join(" ");
    else if (form.dataset.ticked) answers.has = "0";
    return answers;
  }

  // What was left blank or cannot be read is no attempt: it says nothing about what its writer knows.
  const isAttempt = ({kind}) => kind !== "blank" && kind !== "refused";

  function attempted(question, fields) {
    if (!fields.some(isAttempt)) return;
    question.querySelector(".recall-answer").classList.remove("recall-kept");
    question.querySelector(".recall-later").hidden = true;
  }

  // A verdict moves what is below it, so while a pointer is down it waits: what is being pressed must stay in place.
  let pressed = false;
  let waiting = null;
  function onceReleased(task) {
    if (pressed) waiting = task;
    else task();
  }
  const released = () => {
    pressed = false;
    // After the click that follows a release, and nothing if that click graded the whole question.
    setTimeout(() => {
      waiting?.();
      waiting = null;
    });
  };
  document.addEventListener("pointerdown", () => { pressed = true; }, true);
  document.addEventListener("pointerup", released, true);
  document.addEventListener("pointercancel", released, true);

  // A sentence is committed, then compared with the worked answer and ticked off by its own writer.
  function prepareProse(question, form, data, grade) {
    let entry;
    const criteria = form.querySelector(".recall-criteria");
    form.addEventListener("submit", event => {
      event.preventDefault();
      const {total, fields} = grade();
      say(form, total, true);
      attempted(question, fields);
      if (fields[0].kind === "blank") return;
      entry = rs.practiceEntry?.(data.id);
      criteria.hidden = false;
      question.querySelector(".recall-answer").open = true;
    });
    form.addEventListener("change", event => {
      if (event.target.type !== "checkbox") return;
      form.dataset.ticked = "yes";
      say(form, grade().total, true);
      rs.practised?.(data.id, entry, [...controlsOf(form, "has")].every(({checked}) => checked));
    });
    form.addEventListener("reset", () => {
      delete form.dataset.ticked;
      criteria.hidden = true;
      say(form, "", false);
    });
  }

  function prepareValues(question, form, data, grade) {
    form.addEventListener("submit", event => {
      event.preventDefault();
      waiting = null;
      const {total, fields} = grade();
      for (const field of fields) show(question, form, field);
      say(form, total, fields.length > 1);
      attempted(question, fields);
      if (fields.every(isAttempt))
        rs.practised?.(data.id, rs.practiceEntry(data.id), fields.every(({kind}) => kind === "correct"));
    });
    // A number is graded as soon as it is complete; a choice only when asked for, since arrow keys walk through it.
    form.addEventListener("change", event => {
      if (event.target.type !== "text") return;
      onceReleased(() => {
        const field = grade().fields.find(({name}) => name === event.target.name);
        show(question, form, field);
        say(form, field.kind === "blank" ? "" : `${field.name}: ${field.sentence}`, false);
        attempted(question, [field]);
      });
    });
    form.addEventListener("input", event => {
      show(question, form, {name: event.target.name, kind: "blank"});
      say(form, "", false);
    });
    form.addEventListener("reset", () => {
      waiting = null;
      for (const field of rs.gradeQuestion(data, {}).fields) show(question, form, field);
      say(form, "", false);
    });
  }

  function prepare(question) {
    const form = question.querySelector("form");
    const data = JSON.parse(question.querySelector("script[type='application/json']").textContent);
    const grade = () => rs.gradeQuestion(data, answersIn(form));
    if (data.criteria > 0) prepareProse(question, form, data, grade);
    else prepareValues(question, form, data, grade);

    // Each hint comes after the one before it was opened, the worked answer after an attempt.
    const hints = [...question.querySelectorAll(".recall-hint")];
    hints.slice(1).forEach((hint, index) => {
      hint.classList.add("recall-kept");
      hints[index].addEventListener("toggle", () => hint.classList.remove("recall-kept"), {once: true});
    });
    question.querySelector(".recall-answer").classList.add("recall-kept");
    question.querySelector(".recall-later").hidden = false;
    const options = question.querySelector(".recall-options");
    if (options) options.hidden = true;
    form.hidden = false;
  }

  document.querySelectorAll(".recall").forEach(prepare);
})();
