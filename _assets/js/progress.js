"use strict";
// Where one is in the book: pages read to their end are ticked in the contents, and the first page leads back to the
// place that was read last. Kept in this browser alone.
(() => {
  const rs = globalThis.residualStream ??= {};
  const PLACE = "residual-stream.place";

  // What was kept, as {read: [pages], last: {page, anchor, title} or null}; anything else counts as nothing.
  rs.readPlace = text => {
    const empty = {read: [], last: null};
    let kept;
    try { kept = JSON.parse(text); } catch { return empty; }
    const strings = (...values) => values.every(value => typeof value === "string" && value.length < 300);
    if (!kept || !Array.isArray(kept.read) || !strings(...kept.read)) return empty;
    const {page, anchor, title} = kept.last ?? {};
    return {read: [...new Set(kept.read)], last: strings(page, anchor, title) ? {page, anchor, title} : null};
  };

  if (typeof document === "undefined") return;

  const root = new URL(document.documentElement.dataset.content_root, location.href);
  const nameOf = address => {
    const url = new URL(address, location.href);
    return url.href.startsWith(root.href) ? url.href.slice(root.href.length).replace(/[?#].*/, "").replace(/\.html$/, "") : "";
  };
  const here = nameOf(location.href) || "index";

  let place;
  try { place = rs.readPlace(localStorage.getItem(PLACE)); } catch (closed) { return console.info(closed.message); }
  const keep = () => {
    try { localStorage.setItem(PLACE, JSON.stringify(place)); } catch (closed) { console.info(closed.message); }
  };

  function tick() {
    for (const link of document.querySelectorAll("#book-contents a")) {
      const name = link.getAttribute("href") === "#" ? here : nameOf(link.href);
      if (!place.read.includes(name) || link.querySelector(".read")) continue;
      const mark = document.createElement("span");
      mark.className = "read";
      mark.innerHTML = '<span aria-hidden="true"> ✓</span><span class="visually-hidden">, read</span>';
      link.append(mark);
    }
  }
  tick();

  const line = document.querySelector("main .reading");
  const end = document.querySelector(".neighbours");
  if (here === "index" && line && place.last) {
    const link = document.createElement("a");
    link.href = new URL(`${place.last.page}.html${place.last.anchor}`, root);
    link.textContent = `Go on with ${place.last.title}`;
    link.className = "go-on";
    const inBook = [...document.querySelectorAll("#book-contents a")].some(({href}) => nameOf(href) === place.last.page);
    if (inBook) line.append(". ", link, ".");
  }
  if (here === "index" || !line || !end) return;

  const title = document.querySelector("h1").firstChild?.textContent.trim() ?? "";
  // Only a chapter is a place to go on from: the glossary and its like are looked things up in.
  const isChapter = here.startsWith("chapters/");
  const remember = section => {
    if (!isChapter) return;
    place.last = {page: here, anchor: section ? `#${section.id}` : "", title: title.slice(0, 200)};
    keep();
  };
  remember(null);
  // The section whose heading was passed last, by the same line in the window that marks it in the page's contents.
  const watcher = new IntersectionObserver(entries => {
    const passed = entries.filter(entry => entry.isIntersecting).at(-1);
    if (passed) remember(passed.target);
  }, {rootMargin: "-12% 0px -80% 0px"});
  for (const section of document.querySelectorAll("main section section[id]")) watcher.observe(section);
  new IntersectionObserver(entries => {
    if (!entries.some(entry => entry.isIntersecting) || place.read.includes(here)) return;
    place.read.push(here);
    keep();
    tick();
  }).observe(end);
})();
