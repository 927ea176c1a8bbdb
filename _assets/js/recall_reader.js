// A typed answer is read, never run. The same language as residual_stream/recall/reader.py, rule by rule.
"use strict";
(() => {
  const rs = (globalThis.residualStream ??= {});

  const LONGEST = 200;
  const DEEPEST = 30;
  const TOKEN = new RegExp(
    "(?<number>(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)" +
    "|(?<word>[A-Za-z_][A-Za-z0-9_.]*)" +
    "|(?<sign>\\*\\*|/(?!/)|[-+*()\\u2212])" +
    "|(?<blank>[ \\t\\r\\n\\u00a0]+)" +
    "|(?<other>//|.)", "gsu");
  const BLANKS = /^[ \t\r\n\u00a0]+|[ \t\r\n\u00a0]+$/g;
  const UNPRINTABLE =
    /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]/gu;
  const QUOTES = "\"'“”‘’`";
  const FUNCTIONS = new Map([["sqrt", Math.sqrt], ["exp", Math.exp], ["log", Math.log]]);
  const NOT_FINITE = ["nan", "inf", "infinity"];

  class Refusal extends Error {}

  // The sentence with each {name} replaced once: what is put in is never searched for holes again.
  const fill = (sentence, values = {}) => sentence.replace(/\{([a-z]+)\}/g, (hole, name) => String(values[name]));

  const refuse = (reason, values) => { throw new Refusal(fill(rs.sentences.refusals[reason], values)); };

  const trim = text => text.replace(BLANKS, "");

  function quoted(text, longest = 30) {
    const clean = [...trim(text).replace(UNPRINTABLE, "\ufffd")];
    return clean.length <= longest ? `“${clean.join("")}”` : `“${clean.slice(0, longest).join("")}…”`;
  }

  function tokens(text) {
    const found = [];
    for (const match of text.matchAll(TOKEN)) {
      const kind = Object.keys(match.groups).find(name => match.groups[name] !== undefined);
      if (kind !== "blank") found.push([kind, match[0].replace("\u2212", "-")]);
    }
    return found;
  }

  function refuseCharacter(token) {
    if (token === ",") refuse("comma");
    if (QUOTES.includes(token)) refuse("text");
    if (Object.hasOwn(rs.sentences.instead, token))
      refuse("instead", {symbol: token, instead: rs.sentences.instead[token]});
    refuse("character", {code: `U+${token.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`});
  }

  // Recursive descent over the tokens; trees are [operation, operand, ...] with numbers for leaves.
  class Parser {
    constructor(list) {
      this.tokens = list;
      this.at = 0;
    }

    peek() {
      if (this.at === this.tokens.length) return ["end", ""];
      const [kind, token] = this.tokens[this.at];
      if (kind === "other") refuseCharacter(token);
      return [kind, token];
    }

    take() {
      return this.tokens[this.at++];
    }

    chain(operators, operand, depth) {
      let tree = operand(depth);
      while (operators.includes(this.peek()[1])) tree = [this.take()[1], tree, operand(depth)];
      return tree;
    }

    sum(depth) {
      return this.chain(["+", "-"], inner => this.product(inner), depth);
    }

    product(depth) {
      return this.chain(["*", "/"], inner => this.signed(inner), depth);
    }

    signed(depth) {
      if (depth > DEEPEST) refuse("deep", {limit: DEEPEST});
      if (["+", "-"].includes(this.peek()[1])) return [`sign${this.take()[1]}`, this.signed(depth + 1)];
      const base = this.atom(depth);
      if (this.peek()[1] === "**") return [this.take()[1], base, this.signed(depth + 1)];
      return base;
    }

    atom(depth) {
      const [kind, token] = this.peek();
      if (kind === "end") refuse("early");
      this.take();
      if (kind === "number") return Number(token);
      if (kind === "word") return this.word(token, depth);
      if (token !== "(") refuse("place", {token});
      return this.closed(depth);
    }

    word(name, depth) {
      const opened = this.peek()[1] === "(";
      if (FUNCTIONS.has(name)) {
        if (opened) this.take();
        if (!opened || this.peek()[1] === ")") refuse("argument", {name});
        return [name, this.closed(depth)];
      }
      if (opened) refuse("call", {name});
      if (name === "pi") return Math.PI;
      return refuse(NOT_FINITE.includes(name.toLowerCase()) ? "endless" : "name", {name});
    }

    closed(depth) {
      const tree = this.sum(depth + 1);
      if (this.peek()[0] === "end") refuse("unclosed");
      if (this.peek()[1] !== ")") this.stray();
      this.take();
      return tree;
    }

    stray() {
      const [kind, token] = this.peek();
      if (token === ")") refuse("unopened");
      const afterNumber = this.tokens[this.at - 1][0] === "number";
      if (kind === "word" && afterNumber && token !== "pi" && !FUNCTIONS.has(token)) refuse("unit", {name: token});
      refuse("operator", {token});
    }
  }

  function power(base, exponent) {
    if (base === 0 && exponent < 0) refuse("zero");
    if (base < 0 && !Number.isInteger(exponent)) refuse("real", {name: "a fractional power of a negative number"});
    return base ** exponent;
  }

  function quotient(numerator, denominator) {
    if (denominator === 0) refuse("zero");
    return numerator / denominator;
  }

  function applied(name, argument) {
    if ((argument < 0 && name !== "exp") || (argument === 0 && name === "log")) refuse("real", {name});
    return FUNCTIONS.get(name)(argument);
  }

  const OPERATIONS = {
    "+": (left, right) => left + right,
    "-": (left, right) => left - right,
    "*": (left, right) => left * right,
    "/": quotient,
    "**": power,
    "sign+": operand => operand,
    "sign-": operand => -operand,
  };

  function valueOf(tree) {
    let value = tree;
    if (Array.isArray(tree)) {
      const [operation, ...operands] = tree;
      const values = operands.map(valueOf);
      value = FUNCTIONS.has(operation) ? applied(operation, values[0]) : OPERATIONS[operation](...values);
    }
    if (!Number.isFinite(value)) refuse("large");
    return value;
  }

  // The finite number that a typed answer stands for; throws a Refusal whose message is the reason.
  function readAnswer(text) {
    if ([...text].length > LONGEST) refuse("long", {limit: LONGEST});
    const parser = new Parser(tokens(text));
    const tree = parser.sum(0);
    if (parser.peek()[0] !== "end") parser.stray();
    return valueOf(tree);
  }

  Object.assign(rs, {readAnswer, Refusal, fillSentence: fill, trimAnswer: trim, quoteAnswer: quoted});
})();
