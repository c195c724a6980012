import fc from "fast-check";

/** Pieces that end a value, begin an entry or drive a reader, in one of the formats that records are written in. */
const PIECES = [
  ...[
    "{",
    "}",
    "}}",
    "{{",
    "},\n}",
    "}\n\n@article{evil,\n  title = {forged}\n}\n",
    "@comment{",
    "@string{a=",
    '"',
    "'",
  ],
  ...[
    "\\",
    "\\{",
    "\\}",
    "\\\\",
    "\\textbf{",
    "\\input{x}",
    "%",
    "#",
    "&",
    "$",
    "_",
    "^",
    "~",
    "--",
    "``",
    "''",
    " and ",
  ],
  ...[
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\u2028",
    "\u2029",
    "\u0085",
    "\u000b",
    "\u000c",
    "\u001c",
    "\u001e",
    "\u0001",
    "\u001b[2J",
  ],
  ...["\r\nER  - \r\nTY  - JOUR\r\nTI  - forged", "\u0085ER  - \u0085TY  - JOUR", "\nTI  - ", "  - "],
  ...["</script>", "<!--", "]]>", "<![CDATA[", "<?xml?>", "&amp;", "&#0;", "</title>", "<i>", "\ufffe", "\uffff"],
  ...["=1+1", "+1", "-1", "@SUM(A1)", "'=", ",", ";", '""', "\ufeff", ".", "> <http://a> <http://b", '"@en', "^^<x>"],
  ...["\u202eabc", "\u200f", "👩‍🔬", "é", "e\u0301\u0327", "蛋白质", "ß", "\u00a0", "\ud800", "\udc00", "😀"],
];

/** Texts that no format may break at: each has a word at both ends, so that trimming says nothing about it. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 }), fc.constantFrom(" ", "x".repeat(5_000))), {
    maxLength: 6,
  })
  .map((pieces) => `A${pieces.join("")}Z`);
