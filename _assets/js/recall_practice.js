// Spaced practice: when a question is due again. Pure functions here; recall_record.js keeps the record in the browser.
"use strict";
(() => {
  const rs = (globalThis.residualStream ??= {});

  const MINUTE = 60 * 1000;
  const DAY = 24 * 60 * MINUTE;
  const FIRST = 5 * DAY;
  const LONGER = 2.3;
  const AGAIN = 10 * MINUTE;
  const VERSION = 1;

  // The entry of a question after an attempt at the time `now` (milliseconds), from the one before (or undefined).
  // A success before the question is due changes nothing: it was still in mind.
  function afterAttempt(entry, success, now) {
    if (!success) return {interval: 0, due: now + AGAIN, seen: now};
    if (entry && entry.interval > 0 && now < entry.due) return {...entry, seen: now};
    const interval = entry && entry.interval > 0 ? entry.interval * LONGER : FIRST;
    return {interval, due: now + interval, seen: now};
  }

  function dueWords(entry, now) {
    if (!entry) return "Not practised yet";
    if (entry.due <= now) return "Due for practice now";
    const left = entry.due - now;
    const [count, unit] = left < 60 * MINUTE ? [left / MINUTE, "minute"]
      : left < DAY ? [left / (60 * MINUTE), "hour"] : [left / DAY, "day"];
    const whole = Math.ceil(count);
    return `Practise again in ${whole} ${unit}${whole === 1 ? "" : "s"}`;
  }

  const isTime = value => typeof value === "number" && Number.isFinite(value) && value >= 0;

  // The record in a file's text: a Map from question ids to entries. Throws an Error with a sentence for anything else.
  function readRecord(text) {
    let data;
    try {
      data = JSON.parse(text);
    } catch {
      throw new Error("This file is not a practice record: it is not JSON.");
    }
    if (data?.version !== VERSION || typeof data.questions !== "object" || data.questions === null)
      throw new Error("This file is not a practice record of this book.");
    const record = new Map();
    for (const [id, entry] of Object.entries(data.questions)) {
      if (!/^[a-z][a-z0-9-]{0,80}$/.test(id) || ![entry?.interval, entry?.due, entry?.seen].every(isTime))
        throw new Error(`This practice record is damaged at the question “${id.slice(0, 30)}”.`);
      record.set(id, {interval: entry.interval, due: entry.due, seen: entry.seen});
    }
    return record;
  }

  const writeRecord = record => `${JSON.stringify({version: VERSION, questions: Object.fromEntries([...record].sort())})}\n`;

  // Two records in one: of each question the entry that was seen last.
  function mergeRecords(first, second) {
    const merged = new Map(first);
    for (const [id, entry] of second)
      if (!merged.has(id) || merged.get(id).seen < entry.seen) merged.set(id, entry);
    return merged;
  }

  Object.assign(rs, {afterAttempt, dueWords, readRecord, writeRecord, mergeRecords});
})();
