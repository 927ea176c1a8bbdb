// Made from residual_stream/recall/sentences.py by: python -m residual_stream.recall.sentences
(globalThis.residualStream ??= {}).sentences = {
 "refusals": {
  "long": "it is longer than {limit} characters",
  "deep": "it is nested more than {limit} levels deep",
  "comma": "a comma is not read, the decimal mark is a point",
  "instead": "{symbol} is not read here, write {instead}",
  "text": "quotation marks are not read, write the number alone",
  "character": "the character {code} is not read (digits are 0 to 9, the decimal mark is a point)",
  "call": "a call to {name} is not an answer (sqrt, exp and log can be used)",
  "name": "the name {name} has no value here (pi has; sqrt, exp and log can be used)",
  "argument": "{name} needs a number in parentheses after it, as in {name}(2)",
  "unit": "{name} stands after a number, write the number alone, without a unit",
  "operator": "an operator is missing before {token}, as in 2 * pi",
  "early": "it stops too early, something is missing at the end",
  "place": "{token} cannot stand where it does",
  "unclosed": "a parenthesis is opened and never closed",
  "unopened": "a parenthesis is closed that was never opened",
  "endless": "{name} is not a finite number",
  "large": "its value is too large for a number of 64 bits",
  "zero": "it divides by zero",
  "real": "{name} has no real value there",
  "type": "a plain int, float or NumPy scalar is expected",
  "choice": "the answer is one of the letters {letters}"
 },
 "instead": {
  "^": "**",
  "\u00d7": "*",
  "\u00b7": "*",
  "\u22c5": "*",
  "\u2219": "*",
  "\u2217": "*",
  "\u00f7": "/",
  "\u2044": "/",
  "\u2215": "/",
  "//": "/",
  "\u2013": "-",
  "\u2014": "-",
  "\u03c0": "pi",
  "\u221a": "sqrt( )",
  "\u00b2": "**2",
  "\u00b3": "**3",
  "\u00bd": "1/2",
  "%": "0.05 for 5 %",
  "=": "the value alone",
  "[": "( )",
  "]": "( )",
  "{": "( )",
  "}": "( )",
  "\u221e": "a finite number"
 },
 "verdicts": {
  "correct": "correct",
  "off": "off",
  "mistake": "off: {says}",
  "close": "close, but more digits are needed (within {percent} % counts)",
  "blank": "not answered yet",
  "refused": "{quoted} cannot be read: {reason}"
 },
 "totals": {
  "blank": "{label}  not answered yet (0/{fields})",
  "correct": "{label}  {points}/{fields} correct",
  "some": "{label}  {points}/{fields}: {clauses}"
 },
 "clauses": {
  "off": "{name} is off",
  "mistake": "{name} is off: {says}",
  "close": "{name} is close, but more digits are needed (within {percent} % counts)",
  "blank": "{name} is not answered yet",
  "refused": "{name}: {quoted} cannot be read: {reason}",
  "short": "{name} cannot be read"
 }
};
