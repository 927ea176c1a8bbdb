"use strict";
// A term's definition beside it: on hover, on keyboard focus, and on a first touch (a second one follows the link).
// It stays while the pointer is on it; Escape closes it.
(() => {
  if (typeof document === "undefined" || !HTMLElement.prototype.showPopover) return;
  const PAUSE = 180;    // ms, so that a pointer in passing opens nothing and may move from the term to its definition
  const GAP = 6;        // px
  let open = null, timer;

  function place(link, definition) {
    const [line] = link.getClientRects();
    const {offsetWidth: width, offsetHeight: height} = definition;
    const room = document.documentElement.clientWidth;
    definition.style.left = `${Math.max(8, Math.min(line.left, room - width - 8))}px`;
    const below = line.bottom + GAP;
    definition.style.top = `${below + height < innerHeight ? below : Math.max(8, line.top - GAP - height)}px`;
  }

  function show(link) {
    clearTimeout(timer);
    const definition = document.getElementById(link.getAttribute("aria-describedby"));
    if (open === definition) return;
    hide();
    definition.showPopover();
    place(link, definition);
    open = definition;
  }

  function hide() {
    clearTimeout(timer);
    if (open?.matches(":popover-open")) open.hidePopover();
    open = null;
  }

  const later = task => {
    clearTimeout(timer);
    timer = setTimeout(task, PAUSE);
  };

  for (const link of document.querySelectorAll("a.term")) {
    let first = false;
    link.addEventListener("pointerdown", ({pointerType}) => {
      first = pointerType === "touch" && open?.id !== link.getAttribute("aria-describedby");
    });
    link.addEventListener("click", event => {
      if (!first) return;
      event.preventDefault();
      show(link);
    });
    link.addEventListener("pointerenter", ({pointerType}) => { if (pointerType !== "touch") later(() => show(link)); });
    link.addEventListener("pointerleave", ({pointerType}) => { if (pointerType !== "touch") later(hide); });
    link.addEventListener("focus", () => { if (link.matches(":focus-visible")) show(link); });
    link.addEventListener("blur", hide);
  }
  for (const definition of document.querySelectorAll(".definition")) {
    definition.addEventListener("pointerenter", () => clearTimeout(timer));
    definition.addEventListener("pointerleave", () => later(hide));
  }
  document.addEventListener("keydown", ({key}) => { if (key === "Escape") hide(); });
  document.addEventListener("pointerdown", ({target}) => { if (!target.closest?.(".definition, a.term")) hide(); });
  addEventListener("scroll", hide, {passive: true});
})();
