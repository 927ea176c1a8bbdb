// Typed answers, graded: the same comparison and the same sentences as residual_stream/recall/grader.py.
"use strict";
(() => {
  const rs = (globalThis.residualStream ??= {});

  const NEARLY = 10;

  // A relative tolerance, or an absolute one for a target of 0.
  const close = (value, target, tolerance) =>
    Math.abs(value - target) <= tolerance * (target !== 0 ? Math.abs(target) : 1);

  function gradeNumber(field, value) {
    if (close(value, field.key, field.tolerance)) return {kind: "correct", values: {}};
    for (const [known, says] of field.mistakes)
      if (close(value, known, field.tolerance)) return {kind: "mistake", values: {says}};
    if (close(value, field.key, NEARLY * field.tolerance)) return {kind: "close", values: {percent: field.percent}};
    return {kind: "off", values: {}};
  }

  function gradeChoice(options, text) {
    for (const [letter, reason] of options)
      if (text.toLowerCase() === letter)
        return reason === "" ? {kind: "correct", values: {}} : {kind: "mistake", values: {says: reason}};
    const letters = options.map(([letter]) => letter).join(", ");
    throw new rs.Refusal(rs.fillSentence(rs.sentences.refusals.choice, {letters}));
  }

  function gradeTicks(count, text) {
    const numbers = new Set(text.split(/[ ,]+/));
    const known = number => Number(number) >= 1 && Number(number) <= count && /^[1-9]$/.test(number);
    if (!(numbers.size === 1 && numbers.has("0")) && ![...numbers].every(known))
      throw new rs.Refusal(rs.fillSentence(rs.sentences.refusals.criteria, {count}));
    numbers.delete("0");
    return {kind: "ticked", values: {points: numbers.size}};
  }

  function verdictOn(name, text, grade) {
    try {
      return {name, ...grade(text)};
    } catch (refusal) {
      if (!(refusal instanceof rs.Refusal)) throw refusal;
      return {name, kind: "refused", values: {quoted: rs.quoteAnswer(text), reason: refusal.message}};
    }
  }

  function verdicts(data, answers) {
    let asked = data.fields.map(field => [field.name, text => gradeNumber(field, rs.readAnswer(text))]);
    if (data.options.length > 0)
      asked = [["choice", text => gradeChoice(data.options, rs.trimAnswer(text))]];
    if (data.criteria > 0)
      asked = [["sentence", () => ({kind: "committed", values: {}})],
               ["has", text => gradeTicks(data.criteria, rs.trimAnswer(text))]];
    return asked.map(([name, grade]) => {
      const text = Object.hasOwn(answers, name) ? answers[name] : "";
      return rs.trimAnswer(text) === "" ? {name, kind: "blank", values: {}} : verdictOn(name, text, grade);
    });
  }

  const SHORT = {mistake: "off", refused: "short"};

  function clause({name, kind, values}, alone) {
    return rs.fillSentence(rs.sentences.clauses[alone ? kind : SHORT[kind] ?? kind], {name, ...values});
  }

  function total(label, list) {
    const open = list.filter(verdict => verdict.kind !== "correct");
    const kind = open.length === 0 ? "correct" : list.every(verdict => verdict.kind === "blank") ? "blank" : "some";
    return rs.fillSentence(rs.sentences.totals[kind], {
      label, points: list.length - open.length, fields: list.length,
      clauses: open.map(verdict => clause(verdict, open.length === 1)).join("; "),
    });
  }

  // Prose is marked by its own writer and never called correct.
  function selfMark({label, criteria}, list) {
    const [sentence, has] = list;
    const committed = sentence.kind === "committed";
    let kind = committed ? {blank: "committed", ticked: "self"}[has.kind] : "open";
    if (has.kind === "refused") kind = "unread";
    return rs.fillSentence(rs.sentences.totals[kind], {
      label, points: committed ? has.values.points ?? 0 : 0, fields: criteria,
      clauses: has.kind === "refused" ? clause(has, true) : "",
    });
  }

  // `data` is what Python wrote into the page; `answers` maps field names to what was typed.
  rs.gradeQuestion = function gradeQuestion(data, answers) {
    const list = verdicts(data, answers);
    return {
      total: data.criteria > 0 ? selfMark(data, list) : total(data.label, list),
      fields: list.map(({name, kind, values}) =>
        ({name, kind, sentence: rs.fillSentence(rs.sentences.verdicts[kind], values)})),
    };
  };
})();
