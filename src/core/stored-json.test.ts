import { expect, it } from "vitest";
import { isFileDamage } from "./errors.js";
import { storedList, storedObject } from "./json.js";
import { storedBody } from "./record.js";
import { storedCitations } from "./records/record-change.js";
import { readTermContent } from "./terms/term-row.js";

const isText = (entry: unknown): boolean => typeof entry === "string";

it.each<readonly [what: string, read: () => unknown, part: string]>([
  ["cut JSON", () => storedObject('{"a":', "The webhook", 7), 'The webhook "7"'],
  ["an array for an object", () => storedObject("[]", "The webhook", 7), 'The webhook "7"'],
  ["NULL", () => storedObject(null, "The webhook", 7), 'The webhook "7"'],
  ["a blob", () => storedObject(Buffer.from("{}"), "The webhook", 7), 'The webhook "7"'],
  ["an object for an array", () => storedList("{}", "The token", 5, isText), 'The token "5"'],
  ["an array of something else", () => storedList("[1]", "The token", 5, isText), 'The token "5"'],
  ["citations that name nothing", () => storedCitations("[[1]]", "r1"), 'The record "r1"'],
  ["a body without members", () => storedBody({ id: "r1", json: "{}" }), 'The record "r1"'],
  [
    "a term without properties",
    () => readTermContent({ ext: "t:1", parent: null, title: "{}", rest: "" }),
    'The term "t:1"',
  ],
])("a stored value is damaged, and names its row: %s", (_, read, part) => {
  const error = (() => {
    try {
      return read();
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toMatchObject({ code: "STORE_DAMAGED", status: 503 });
  expect((error as Error).message).toContain(`${part} is damaged: `);
  expect((error as Error).message).toContain("bindery verify --repair");
  // The writer refuses all writes only if the file itself is damaged.
  expect(isFileDamage(error)).toBe(false);
});
