"use strict";
// On paper the hints and worked answers stand at the end of the page, not beside their questions.
(() => {
  if (typeof document === "undefined") return;
  let places = [];
  let appendix = null;

  function gather() {
    const questions = [...document.querySelectorAll("main .recall")].filter(question => question.querySelector("details"));
    if (appendix || !questions.length) return;
    appendix = document.createElement("section");
    appendix.className = "appendix";
    appendix.append(Object.assign(document.createElement("h2"), {textContent: "Hints and worked answers"}));
    for (const question of questions) {
      const label = question.querySelector(".recall-label");
      const name = (label.querySelector(":scope > span") ?? label).textContent;
      appendix.append(Object.assign(document.createElement("h3"), {textContent: name}));
      for (const details of question.querySelectorAll("details")) {
        const place = document.createComment("");
        details.replaceWith(place);
        appendix.append(details);
        places.push([place, details]);
      }
    }
    document.querySelector("main").append(appendix);
  }

  function restore() {
    for (const [place, details] of places) place.replaceWith(details);
    appendix?.remove();
    places = [];
    appendix = null;
  }

  addEventListener("beforeprint", gather);
  addEventListener("afterprint", restore);
  matchMedia("print").addEventListener("change", ({matches}) => matches ? gather() : restore());
})();
