"use strict";
// Finding sections by words. Pure functions: an index and what was typed in, matches with their excerpts out.
(() => {
  const rs = globalThis.residualStream ??= {};

  const MOST_WORDS = 8;
  const BEFORE = 70, EXCERPT = 200;    // characters
  const HEADING = 8, TITLE = 3, MOST_IN_TEXT = 5;    // what a word counts for where it stands

  // Text as it is compared, character for character of the same length: no case, no signs inside words, plain digits.
  const fold = text => text.toLowerCase().replace(/[-\u2010-\u2014'\u2019_]/g, " ")
    .replace(/[\u2080-\u2089]/g, digit => String.fromCharCode(digit.charCodeAt(0) - 0x2080 + 48));

  // The words of a query; a plural finds its singular, for a word finds all that begin with it.
  function queryWords(query) {
    const words = fold(query).split(/[^\p{L}\p{N}.]+/u).map(word => word.replace(/^\.+|\.+$/g, "")).filter(Boolean);
    return [...new Set(words.map(word => word.length > 3 ? word.replace(/s$/, "") : word))].slice(0, MOST_WORDS);
  }

  // The places in folded text where a word begins as `word` does.
  function places(text, word) {
    const found = [];
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? " ")) found.push(at);
    return found;
  }

  // The part of a text around its first match: [string, whether it is matched] pairs.
  function excerpt(text, words) {
    const folded = fold(text);
    const hits = words.flatMap(word => places(folded, word).map(at => [at, at + word.length])).sort((a, b) => a[0] - b[0]);
    let from = Math.max((hits[0]?.[0] ?? 0) - BEFORE, 0);
    if (from > 0) from = text.indexOf(" ", from) + 1;
    let to = Math.min(from + EXCERPT, text.length);
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), from + 1);
    const parts = [[from > 0 ? "… " : "", false]];
    let done = from;
    for (const [start, end] of hits) {
      if (start < done || end > to) continue;
      parts.push([text.slice(done, start), false], [text.slice(start, end), true]);
      done = end;
    }
    parts.push([text.slice(done, to) + (to < text.length ? " …" : ""), false]);
    return parts.filter(([string]) => string);
  }

  // What a section is worth for a query; 0 unless each word stands in it, in its heading or in its page's title.
  function worth(words, title, heading, text) {
    let sum = 0, own = false;
    for (const word of words) {
      const [inTitle, inHeading, inText] = [title, heading, text].map(where => places(where, word).length);
      if (!(inTitle || inHeading || inText)) return 0;
      own ||= inHeading > 0 || inText > 0;
      sum += (inTitle && TITLE) + (inHeading && HEADING) + Math.min(inText, MOST_IN_TEXT);
    }
    return own ? sum : 0;
  }

  // The matches of a query, best first, then in the order of the book.
  rs.findSections = (index, query) => {
    const words = queryWords(query);
    if (!words.length) return [];
    const found = [];
    for (const [page, title, sections] of index)
      for (const [anchor, heading, text] of sections) {
        const score = worth(words, fold(title), fold(heading), fold(text));
        if (score) found.push({address: anchor ? `${page}#${anchor}` : page, title, heading, text, score});
      }
    found.sort((a, b) => b.score - a.score);
    return found.map(({text, ...section}) => ({...section, excerpt: excerpt(text, words)}));
  };
})();
