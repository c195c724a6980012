import { expect, it } from "vitest";
import {
  BREAK,
  citesToken,
  elementToken,
  existsToken,
  indexedPath,
  recordDocument,
  siteToken,
  titleToken,
  wordToken,
} from "./record-document.js";

const PATHS = ["title", "samples", "samples.name", "samples.count", "samples.kind", "samples.term"];
const pathAt = (path: string) => indexedPath(path, PATHS.indexOf(path) + 1, path === "samples.kind");

it("has tokens of each value with its record and its element, and typed values where they stand", () => {
  const document = recordDocument(
    {
      elements: [{ path: "samples", parent: 0 }],
      leaves: [
        { path: "title", element: 0, weight: "title", words: ["cold", "water"] },
        { path: "samples.name", element: 1, weight: "heavy", words: ["water"], keyword: "Water" },
        { path: "samples.count", element: 1, weight: "rest", words: ["7"], number: 7 },
        { path: "samples.kind", element: 1, weight: "rest", words: [], keyword: "Buffer" },
        { path: null, element: 1, weight: "rest", words: ["note"] },
      ],
      cites: [
        { vocabulary: "chemicals", id: "962", site: "samples.term", element: 1 },
        { vocabulary: "chemicals", id: "962", site: "samples.term", element: 0 },
      ],
    },
    pathAt,
  );
  const name = `${existsToken(3)} ${wordToken(3, "water")}`;
  const site = siteToken(6, "chemicals", "962");
  expect(document.title).toBe(`${BREAK} cold water`);
  expect(document.heavy).toBe(`${BREAK} water`);
  expect(document.rest).toBe(`${BREAK} 7 ${BREAK} note`);
  expect(document.paths.startsWith(`${titleToken(["cold", "water"])} ${existsToken(1)}`)).toBe(true);
  expect(document.paths).toContain(`${name} ${existsToken(4)}`);
  expect(document.paths.endsWith(`${citesToken("chemicals", "962")} ${site}`)).toBe(true);
  expect(document.elements).toEqual([
    [elementToken(2), name, existsToken(4), wordToken(4, "7"), existsToken(5), "?0 _0_note", site].join(" "),
  ]);
  expect(document.numbers).toEqual([{ path: 4, element: 1, value: 7 }]);
  expect(document.keys).toEqual([{ path: 5, element: 1, value: "Buffer" }]);
  expect(document.texts).toEqual([{ path: 3, element: 1, value: "water" }]);
  expect(document.uses).toEqual([["chemicals", "962"]]);
  expect(document.words).toEqual(["cold", "water", "7", "note"]);
});
