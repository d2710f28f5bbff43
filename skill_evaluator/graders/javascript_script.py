"""What is asked of the JavaScript engine, in JavaScript."""

# True only where the engine knows flags and groups that other engines of the same module name lack.
PROBE = "new RegExp('(?i:a)', 'v').unicodeSets === true"

# State of a count outlives an interruption, so that counting goes on behind the last match found.
SCRIPT = """
let regex, text, at, found, wide;
globalThis.compile = (pattern, flags) => { new RegExp(pattern, flags); };
globalThis.test = (pattern, flags, subject) => new RegExp(pattern, flags).test(subject);
globalThis.locate = (pattern, flags, subject) => {
  const match = new RegExp(pattern, flags).exec(subject);
  return match === null ? "" : `${match.index} ${match[0].length}`;
};
globalThis.begin = (pattern, flags, subject) => {
  new RegExp(pattern, flags);
  regex = new RegExp(pattern, flags.replace("d", "").replace("g", "") + "g");
  wide = regex.unicode || regex.unicodeSets;
  text = subject;
  at = found = 0;
};
globalThis.go = () => {
  for (;;) {
    regex.lastIndex = at;
    const match = regex.exec(text);
    if (match === null) return;
    let next = regex.lastIndex;
    if (match[0].length === 0) next += wide && text.codePointAt(next) > 0xffff ? 2 : 1;
    found += 1;
    at = next;
  }
};
globalThis.count = () => found;
"""
