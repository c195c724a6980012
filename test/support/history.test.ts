import { expect, it } from "vitest";
import { type Happening, problemsOf, type Read, type Turn, type Write } from "./history.js";

const START = { revision: 1, title: "a" };

const write = (
  kind: Write["kind"],
  revision: number,
  title: string,
  times: [number, number],
  named?: number,
): Write => ({
  ...{ kind, revision, title, named },
  ...{ from: times[0], to: times[1] },
});
const read = (view: Read["view"], times: [number, number], revision?: number, title = "a"): Read => ({
  ...{ kind: "read", view, from: times[0], to: times[1] },
  row: revision === undefined ? undefined : { revision, title },
});
const turn = (from: number, to: number): Turn => ({ kind: "turn", from, to });

const GOOD: readonly Happening[] = [
  write("replace", 2, "b", [10, 20], 1),
  write("publish", 3, "b", [30, 40]),
  write("edit", 4, "b", [50, 60]),
  write("replace", 6, "c", [70, 90]),
  turn(65, 95),
  write("publish", 7, "c", [100, 110], 6),
  { kind: "refusal", named: 1, from: 25, to: 28 },
  read("draft", [15, 16], 1),
  read("draft", [17, 18], 2, "b"),
  read("search", [35, 36]),
  read("record", [37, 38], 3, "b"),
  read("own", [61, 64], 4, "b"),
  read("own", [75, 76], 5, "b"),
  read("record", [75, 76], 5, "b"),
  read("draft", [111, 112]),
];

it("finds nothing wrong with what one client after the other could have seen", () => {
  expect(problemsOf(START, GOOD)).toEqual([]);
});

it.each<[string, readonly Happening[]]>([
  ["two writes were acknowledged as revision 2", [write("replace", 2, "x", [10, 20])]],
  ["revision 9 was acknowledged", [write("replace", 9, "x", [10, 20])]],
  ["was not there", [write("replace", 8, "x", [120, 130])]],
  [
    "named revision 3, but the draft had 8",
    [write("edit", 8, "c", [120, 130]), write("replace", 9, "x", [140, 150], 3)],
  ],
  ["answered before an earlier one", [write("edit", 8, "c", [1, 2])]],
  ["draft was 1", [read("draft", [21, 22], 1)]],
  ["draft was 1", [read("draft", [18.5, 19], 1)]],
  ["search was none", [read("search", [41, 42])]],
  ["record was 3", [read("record", [111, 112], 3, "b")]],
  ['own was 2 "z"', [read("own", [21, 22], 2, "z")]],
  ["If-Match 2 was refused", [{ kind: "refusal", named: 2, from: 21, to: 22 }]],
])("finds that %s", (problem, more) => {
  expect(problemsOf(START, [...GOOD, ...more]).join("\n")).toContain(problem);
});

it("finds that what was published is not what was written last", () => {
  const history = [
    write("replace", 2, "b", [10, 20]),
    write("replace", 3, "c", [10, 20]),
    write("publish", 4, "b", [30, 40]),
  ];
  expect(problemsOf(START, history)).toEqual([expect.stringContaining("a write was lost")]);
});
