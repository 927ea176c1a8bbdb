// What a slider knows, without a page: its state in the address, its keys, the reader's guess. Pure functions.
(() => {
  "use strict";
  const rs = (globalThis.residualStream ??= {});

  const LARGEST_GUESS = 1e9;
  const PAGE = 10;
  const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i;
  const BLANKS = /^[ \t\r\n\u00a0]+|[ \t\r\n\u00a0]+$/g;

  // The step whose value an address names, or -1: anything but a plain number on the slider is no state.
  function stepNamed(text, values) {
    return typeof text === "string" && NUMBER.test(text) ? values.indexOf(Number(text)) : -1;
  }

  // The step that a key leads to from `step`, or -1 for keys that the range input handles itself.
  function stepByKey(key, step, last) {
    if (key === "PageUp") return Math.min(step + PAGE, last);
    if (key === "PageDown") return Math.max(step - PAGE, 0);
    return -1;
  }

  // {number} for what the reader typed, or {error} in words.
  function readGuess(typed) {
    const text = typed.replace(BLANKS, "").replaceAll("\u2212", "-");
    if (text === "") return { error: "Type your guess first, or choose to see the figure without one." };
    if (text.includes(",")) return { error: "Write the decimal mark as a point: 2.75, not 2,75." };
    if (!NUMBER.test(text)) return { error: "That is not a number. Type one such as 2.75 or \u22120.5." };
    const number = Number(text);
    if (Math.abs(number) <= LARGEST_GUESS) return { number };
    return { error: "Type a number between \u22121000000000 and 1000000000." };
  }

  const withMinus = (text) => text.replaceAll("-", "\u2212");

  const outside = (guess, range) => range !== null && (guess < range[0] || guess > range[1]);

  // The guess beside the truth, in words.
  function verdict(predict, guess, typed) {
    const unit = predict.unit ? ` ${predict.unit}` : "";
    const off = Math.abs(guess - predict.truth).toFixed(predict.digits);
    const side = guess < predict.truth ? "low" : "high";
    const judged = Number(off) === 0 ? "Your guess is right." : `Your guess is ${off}${unit} too ${side}.`;
    const clipped = outside(guess, predict.between);
    const edge = clipped ? " Your guess lies outside the drawing, so its mark stands at the edge." : "";
    const guessed = withMinus(typed.replace(BLANKS, ""));
    return `You guessed ${guessed}${unit}; the computed value is ${predict.told}${unit}. ${judged}${edge}`;
  }

  // The coordinates of the guess's mark: [index, attribute, value], between those at the two ends of the plot.
  function guessAt(predict, guess) {
    if (predict.between === null) return [];
    const [low, high] = predict.between;
    const share = (Math.min(Math.max(guess, low), high) - low) / (high - low);
    return predict.moving.map(([index, name, from, to]) =>
      [index, name, String(Math.round(10 * (Number(from) + (to - from) * share)) / 10)]);
  }

  rs.slider = { stepNamed, stepByKey, readGuess, verdict, guessAt };
})();
