"use strict";
// The colour scheme: as the system, or the reader's choice, which is remembered. The button's name says the state.
(() => {
  if (typeof document === "undefined") return;
  const NAMES = {auto: "as the system", light: "light", dark: "dark"};
  const button = document.querySelector(".theme-button");
  const body = document.body;
  const chosen = () => Object.hasOwn(NAMES, body.dataset.theme) ? body.dataset.theme : "auto";

  const remember = theme => {
    try { localStorage.setItem("residual-stream.theme", theme); } catch (closed) { console.info(closed.message); }
  };
  const name = () => {
    button.setAttribute("aria-label", `Colours: ${NAMES[chosen()]}`);
    button.title = button.getAttribute("aria-label");
  };

  button.hidden = false;
  name();
  button.addEventListener("click", () => {
    const other = matchMedia("(prefers-color-scheme: dark)").matches ? "light" : "dark";
    const same = other === "light" ? "dark" : "light";
    body.dataset.theme = {auto: other, [other]: same, [same]: "auto"}[chosen()];
    remember(body.dataset.theme);
    name();
  });
})();
