"use strict";
// The search page: answers while one types, says how many it found, and takes the arrow keys from result to result.
(() => {
  if (typeof document === "undefined") return;
  const rs = globalThis.residualStream;

  // On the page that stands for a missing one, the address itself may say what was looked for.
  const guess = document.querySelector("input[data-from-address]");
  if (guess) guess.value = location.pathname.split("/").at(-1).replace(/\.html?$/, "").replace(/[-_]+/g, " ").slice(0, 60);

  const results = document.getElementById("search-results");
  if (!results) return;
  const MOST = 40;
  const field = document.querySelector("main input[type=search]");
  const status = document.getElementById("search-status");

  // The index is a script, since a page opened from a file may fetch nothing; it is asked for when it is needed.
  let loading;
  const loaded = () => loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = results.dataset.index;
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error("The search index did not load.")));
    document.head.append(script);
  });

  function element(name, words, className = "") {
    const made = document.createElement(name);
    made.textContent = words;
    if (className) made.className = className;
    return made;
  }

  function shown({address, title, heading, excerpt}) {
    const item = document.createElement("li");
    const link = element("a", heading);
    link.href = address;
    const words = element("p", "", "search-excerpt");
    words.append(...excerpt.map(([text, matched]) => matched ? element("mark", text) : text));
    item.append(link, ...(title === heading ? [] : [element("span", title, "search-page")]), words);
    return item;
  }

  async function answer() {
    const query = field.value.trim();
    const url = new URL(location.href);
    if (query) url.searchParams.set("q", query);
    else url.searchParams.delete("q");
    history.replaceState(history.state, "", url);
    if (query) {
      try {
        await loaded();
      } catch (fault) {
        status.textContent = `${fault.message} Reload the page to try again.`;
        return;
      }
    }
    if (query !== field.value.trim()) return;
    const found = query ? rs.findSections(rs.searchIndex, query) : [];
    results.replaceChildren(...found.slice(0, MOST).map(shown));
    const count = found.length === 1 ? "One place" : `${found.length} places`;
    status.textContent = !query ? "" : !found.length ? `Nothing has “${query}”. Fewer or shorter words find more.`
      : `${count}${found.length > MOST ? `; these are the best ${MOST}` : ""}.`;
  }

  field.form.addEventListener("submit", event => {
    event.preventDefault();
    answer();
  });
  let waiting;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(answer, 120);
  });
  document.querySelector("main").addEventListener("keydown", event => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step) return;
    const stops = [field, ...results.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (!next || !stops.includes(document.activeElement)) return;
    event.preventDefault();
    next.focus();
  });

  field.value = new URLSearchParams(location.search).get("q") ?? "";
  if (field.value) answer();
  else field.focus({preventScroll: true});
})();
