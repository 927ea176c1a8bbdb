"use strict";
// Copying: a button on every block of code, and formulas that come out as their TeX source.
(() => {
  const rs = globalThis.residualStream ??= {};

  // The text of a copied fragment, each formula as TeX; null where it holds no formula.
  rs.textWithTex = fragment => {
    const formulas = fragment.querySelectorAll("math[data-tex]");
    if (!formulas.length) return null;
    for (const formula of formulas) {
      const tex = formula.getAttribute("data-tex");
      formula.replaceWith(formula.getAttribute("display") === "block" ? `\n$$${tex}$$\n` : `$${tex}$`);
    }
    return fragment.textContent;
  };

  if (typeof document === "undefined") return;

  document.addEventListener("copy", event => {
    const selection = getSelection();
    if (selection.isCollapsed || !event.clipboardData) return;
    const text = rs.textWithTex(selection.getRangeAt(0).cloneContents());
    if (text === null) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  });

  if (!navigator.clipboard) return;
  const said = document.createElement("p");
  said.className = "visually-hidden";
  said.setAttribute("role", "status");
  document.querySelector("main").append(said);

  for (const code of document.querySelectorAll(".highlight > pre")) {
    if (code.closest(".cell_output")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.innerHTML = 'Copy<span class="visually-hidden"> the code</span>';
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      const word = button.firstChild;
      said.textContent = word.data = "Copied";
      button.classList.add("done");
      setTimeout(() => { word.data = "Copy"; said.textContent = ""; button.classList.remove("done"); }, 1500);
    });
    code.after(button);
  }
})();
