// The practice record in the reader's own browser: shown with each question, saved to a file and loaded from one.
"use strict";
(() => {
  if (typeof document === "undefined") return;
  const rs = (globalThis.residualStream ??= {});
  const PLACE = "residual-stream-recall";

  const stored = () => {
    const kept = localStorage.getItem(PLACE);
    return kept === null ? new Map() : rs.readRecord(kept);
  };

  let record = new Map();
  let fault = "";
  try {
    record = stored();
  } catch (error) {
    fault = error instanceof DOMException ? "This browser does not let the page keep a record." : error.message;
  }

  const questions = [...document.querySelectorAll(".recall")].map(element => {
    const {id} = JSON.parse(element.querySelector("script[type='application/json']").textContent);
    const line = element.querySelector(".recall-due");
    line.hidden = false;
    return {id, line, element};
  });
  if (questions.length === 0) return;

  const panel = document.createElement("details");
  panel.className = "recall-record";
  panel.innerHTML =
    `<summary>Practice record</summary>
     <p>Kept in this browser alone: after a success a question comes back in 5 days, then each time after 2.3 times as
        long; after a miss in 10 minutes.</p>
     <p class="recall-record-count"></p>
     <p class="recall-buttons"><button type="button">Save to a file</button>
       <label class="recall-file">Load from a file <input type="file" accept=".json,application/json"></label></p>
     <p role="status"></p>`;
  questions.at(-1).element.after(panel);
  const deck = document.querySelector(".recall-deck");      // the page without scripts has it at its end
  if (deck) panel.after(deck);
  const say = sentence => { panel.querySelector("[role=status]").textContent = sentence; };

  function show() {
    const now = Date.now();
    for (const {id, line} of questions) line.textContent = rs.dueWords(record.get(id), now);
    const ids = new Set(questions.map(({id}) => id));
    const seen = [...ids].filter(id => record.has(id));
    const due = seen.filter(id => record.get(id).due <= now);
    panel.querySelector(".recall-record-count").textContent =
      `Of ${ids.size} question${ids.size === 1 ? "" : "s"} on this page ${seen.length} practised, ${due.length} due.`;
  }

  // What another page of the book has kept since this one opened, in one record with this one's.
  function join() {
    try {
      record = rs.mergeRecords(record, stored());
    } catch (error) {
      if (!(error instanceof DOMException)) say(error.message);     // a browser that keeps nothing is told below
    }
  }

  function keep() {
    join();
    try {
      localStorage.setItem(PLACE, rs.writeRecord(record));
    } catch {
      say("This browser does not let the page keep a record: save it to a file.");
    }
    show();
  }

  addEventListener("storage", ({key, newValue}) => {      // another page has kept something, or cleared it all
    if (key !== null && key !== PLACE) return;
    if (newValue === null) record = new Map();
    else join();
    show();
  });

  // The entry of a question as it is now; handed back with an attempt, so that one attempt counts once.
  rs.practiceEntry = id => record.get(id);
  rs.practised = (id, entryBefore, success) => {
    record.set(id, rs.afterAttempt(entryBefore, success, Date.now()));
    keep();
  };

  panel.querySelector("button").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([rs.writeRecord(record)], {type: "application/json"}));
    link.download = "recall-record.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    say("Saved as recall-record.json.");
  });
  panel.querySelector("input").addEventListener("change", async event => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      if (file.size > 1e6) throw new Error("This file is not a practice record: it is too large.");
      const loaded = rs.readRecord(await file.text());
      record = rs.mergeRecords(record, loaded);
      keep();
      say(`Loaded: ${loaded.size} question${loaded.size === 1 ? "" : "s"}.`);
    } catch (error) {
      say(error.message);
    }
    event.target.value = "";
  });
  if (fault) say(fault);
  show();
})();
