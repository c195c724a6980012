/**
 * Input that is extreme in depth, width or length but follows the grammar of its kind: queries, JSON bodies, SMILES.
 * `hostile-requests.ts` has input that is broken instead.
 */
import fc from "fast-check";
import type { Json, JsonObject } from "../../src/core/json.js";
import { LIMITS } from "../../src/core/limits.js";
import { type SmallContent, smallRecord } from "../support/small-record.js";
import { heavyQuery } from "./hostile-queries.js";

const { array, constantFrom, integer, oneof, tuple } = fc;

/** Repetitions at limits that are common in parsers, one beside them, and far above. */
const times = constantFrom(1, 2, 15, 16, 17, 63, 64, 65, 255, 256, 257, 500, 1_000, 1_500, 2_047, 4_000);

const OPENERS = ["(", "NOT (", "-(", "(a OR ", "a AND (", "title:(", "results:(", "kd:(", "(-", '("', "[", "{", "!("];
const CLOSERS: Readonly<Record<string, string>> = { "[": " TO 2]", "{": " TO *}", '("': '")' };

const deepQuery = tuple(
  constantFrom(...OPENERS),
  times,
  constantFrom("a", "kd:<10nM", "lysozyme~2", ""),
  fc.nat(2),
).map(
  ([opener, depth, inner, closed]) =>
    opener.repeat(depth) + inner + (CLOSERS[opener] ?? ")").repeat([0, Math.floor(depth / 2), depth][closed]!),
);
const wideQuery = tuple(
  oneof(
    constantFrom("a", "a*", "*a", "a~", "title:a", "kd:>1nM", "_exists_:kd", "organism.within:taxid:2"),
    heavyQuery,
  ),
  times,
  constantFrom(" ", " OR ", " AND ", " -", " AND NOT ", " || ", ""),
).map(([leaf, count, between]) => Array.from({ length: count }, (_, n) => `${leaf}${n % 7}`).join(between));
const longQuery = tuple(
  constantFrom(
    "a",
    "é",
    "e\u0301",
    "𝼀",
    "東",
    "\u200d",
    "\u202e",
    "*",
    "?",
    "~",
    "\\",
    '"',
    "a*",
    "1e",
    "-",
    "a:",
    "\u0000",
  ),
  times,
).map(([unit, count]) => unit.repeat(count));

/** A query, at most as long as a URL may be. */
export const shapedQuery: fc.Arbitrary<string> = oneof(
  { weight: 4, arbitrary: deepQuery },
  { weight: 3, arbitrary: wideQuery },
  { weight: 3, arbitrary: longQuery },
  { weight: 4, arbitrary: heavyQuery },
).map((text) => text.slice(0, 20_000));

/** Lengths of texts, in UTF-16 units: ordinary, at limits, and as long as a body may be. */
const lengths = oneof(
  { weight: 8, arbitrary: constantFrom(0, 1, 255, 256, 257, 999, 1_000, 1_001, 5_000, 32_768) },
  { weight: 3, arbitrary: constantFrom(99_999, 100_000, 100_001, 300_000) },
  { weight: 1, arbitrary: constantFrom(1_000_000, 3_000_000, 9_000_000) },
);
const units = constantFrom(
  ...[
    "a",
    "é",
    "𝼀",
    "e\u0301",
    "<",
    "&",
    "{",
    "}",
    "\\",
    "%",
    "=",
    "\n",
    "\t",
    " ",
    "a ",
    "a b ",
    "https://a.b/",
    "@x{",
  ],
  ...[
    "\u0000",
    "\u0007",
    "\u001b[2J",
    "\u0085",
    "\u202e",
    "\u2028",
    "\ud800",
    "\ufffe",
    "10.1234/a ",
    "(",
    "[",
    "ER  - ",
  ],
);
const longText = tuple(units, lengths).map(([unit, length]) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length),
);

const nested = (opening: string, closing: string, depth: number): Json =>
  JSON.parse(`${opening.repeat(depth)}1${closing.repeat(depth)}`) as Json;

const strangeValue: fc.Arbitrary<Json> = oneof(
  { weight: 6, arbitrary: longText },
  {
    weight: 2,
    arbitrary: constantFrom<Json>(null, true, 0, -0, 1e308, -1e-308, 2 ** 53 + 2, [], {}, "", [[]], "\ud800"),
  },
  { weight: 1, arbitrary: constantFrom(60, 63, 64, 65, 1_500).map((depth) => nested("[", "]", depth)) },
  { weight: 1, arbitrary: constantFrom(60, 63, 64, 65, 1_500).map((depth) => nested('{"a":', "}", depth)) },
  {
    weight: 2,
    arbitrary: constantFrom(10, 1_000, 9_999, 10_001, 25_000).map((length) => Array.from({ length }, (_, n) => n)),
  },
  {
    weight: 1,
    arbitrary: constantFrom(10, 1_000, 9_999, 25_000).map((length) =>
      Object.fromEntries(Array.from({ length }, (_, n) => [`key${n}`, `${n}`])),
    ),
  },
);

/** One change to a value somewhere in a body; `step` chooses the way down. */
type Mutation = (value: Json) => Json;

const mutation: fc.Arbitrary<Mutation> = oneof(
  {
    weight: 6,
    arbitrary: strangeValue.map(
      (strange): Mutation =>
        () =>
          strange,
    ),
  },
  {
    weight: 2,
    arbitrary: constantFrom(2, 100, 3_000).map(
      (count): Mutation =>
        (value) =>
          copies(value, count),
    ),
  },
  {
    weight: 2,
    arbitrary: tuple(constantFrom("id", "type", "undeclared", "__proto__", "a.b", "\u001b[31m", ""), strangeValue).map(
      ([key, strange]): Mutation =>
        (value) =>
          isPlain(value) ? withKey(value, key, strange) : strange,
    ),
  },
);

const isPlain = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Copies an element, each with an id of its own, so that the copies are valid where the element is. */
function copies(value: Json, count: number): Json {
  const element = Array.isArray(value) ? (value[0] ?? null) : value;
  const length = Math.min(count, Math.ceil(LIMITS.bodyBytesMax / JSON.stringify(element).length));
  return Array.from({ length }, (_, n) => (isPlain(element) ? { ...element, id: `copy-${n}` } : element));
}

/** Also sets `__proto__` as a key of its own. */
function withKey(object: JsonObject, key: string, value: Json): JsonObject {
  return Object.fromEntries([...Object.entries(object), [key, value]]);
}

function mutate(value: Json, steps: readonly number[], change: Mutation): Json {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return change(value);
  const keys = Object.keys(value);
  if (keys.length === 0) return change(value);
  const key = keys[step % keys.length]!;
  if (Array.isArray(value))
    return value.map((element, n) => (String(n) === key ? mutate(element, rest, change) : element));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === key ? mutate(member, rest, change) : member]),
  );
}

/** A deposit: a valid record in which a few values are replaced by extreme ones. */
export interface ShapedBody {
  readonly model: SmallContent["model"];
  readonly text: string;
}

export const shapedBody: fc.Arbitrary<ShapedBody> = tuple(
  constantFrom<SmallContent["model"]>("mst", "bli", "itc", "spr"),
  oneof({ weight: 5, arbitrary: constantFrom("Lysozyme") }, { weight: 1, arbitrary: longText }),
  array(tuple(array(fc.nat(1_000), { minLength: 1, maxLength: 9 }), mutation), { maxLength: 3 }),
).map(([model, title, changes]) => {
  const { metadata } = smallRecord({ model, title, rights: "open", isValid: true });
  const changed = changes.reduce<Json>((value, [steps, change]) => mutate(value, steps, change), metadata);
  return { model, text: JSON.stringify({ metadata: changed }).slice(0, LIMITS.bodyBytesMax + 10) };
});

const ATOMS = ["C", "c", "N", "n", "O", "S", "P", "[Fe+3]", "[13CH4]", "[C@@H]", "[U]", "B", "F", "[nH]", "*"];
const BONDS = ["", "", "", "=", "#", "-", ":", "/", "\\", "$", "."];

/** The SMILES of `count` atoms, each bound to each other one: the hardest to place on paper. */
export function clique(count: number): string {
  const labels: string[][] = Array.from({ length: count }, () => []);
  let label = 1;
  for (let one = 0; one < count; one++) {
    for (let other = one + 2; other < count; other++) {
      const name = `%${String(10 + (label++ % 90)).padStart(2, "0")}`;
      labels[one]!.push(name);
      labels[other]!.push(name);
    }
  }
  return labels.map((names) => `C${names.join("")}`).join("");
}

const randomSmiles = array(
  tuple(
    constantFrom(...BONDS),
    constantFrom(...ATOMS),
    oneof(
      { weight: 6, arbitrary: constantFrom("") },
      { weight: 3, arbitrary: integer({ min: 1, max: 9 }).map(String) },
    ),
    oneof({ weight: 8, arbitrary: constantFrom("") }, { weight: 1, arbitrary: constantFrom("(", ")") }),
  ).map((parts) => parts.join("")),
  { minLength: 1, maxLength: 80 },
).map((parts) => parts.join(""));

export const shapedSmiles: fc.Arbitrary<string> = oneof(
  { weight: 3, arbitrary: integer({ min: 3, max: 24 }).map(clique) },
  { weight: 4, arbitrary: randomSmiles },
  {
    weight: 3,
    arbitrary: tuple(
      constantFrom("C", "C(", "C1CC1", "c1ccccc1", "[C@H](O)", "C%11", "(", "[", "C=", "C.", "C1", "[2H]", "@", "1"),
      constantFrom(1, 10, 50, 150, 199, 201, 1_000, 4_000),
    ).map(([unit, count]) => unit.repeat(count)),
  },
);
