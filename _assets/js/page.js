"use strict";
// The place in the page, and boxes that the keyboard can scroll.
(() => {
  if (typeof document === "undefined") return;

  // "On this page" marks the section whose heading was passed last.
  const links = new Map();
  for (const link of document.querySelectorAll("#page-contents a[href^='#']")) {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (section) links.set(section, link);
  }
  const watcher = new IntersectionObserver(entries => {
    const passed = entries.filter(entry => entry.isIntersecting).at(-1);
    if (!passed) return;
    for (const link of links.values()) link.removeAttribute("aria-current");
    links.get(passed.target).setAttribute("aria-current", "true");
  }, {rootMargin: "-12% 0px -80% 0px"});
  for (const section of links.keys()) watcher.observe(section);

  // A link inside a popover leads to its place and closes it.
  for (const popover of document.querySelectorAll("[popover]"))
    popover.addEventListener("click", event => {
      if (event.target.closest("a") && popover.matches(":popover-open")) popover.hidePopover();
    });

  // What is wider than its box can be reached and scrolled with the keyboard, and says what it is.
  const BOXES = {".equation-body": "Formula", ".table-wrapper": "Table", "pre": "Code", ".text_html": "Result"};
  const settle = () => {
    const boxes = Object.entries(BOXES).flatMap(([selector, kind]) =>
      [...document.querySelectorAll(selector)].map(box => [box, kind, box.scrollWidth > box.clientWidth + 1]));
    for (const [box, kind, wide] of boxes) {
      if (wide) {
        box.tabIndex = 0;
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", `${kind}, scrolls sideways`);
      } else {
        for (const attribute of ["tabindex", "role", "aria-label"]) box.removeAttribute(attribute);
      }
    }
  };
  new ResizeObserver(settle).observe(document.querySelector("main"));
  document.fonts.ready.then(settle);
  document.addEventListener("toggle", settle, true);
})();
