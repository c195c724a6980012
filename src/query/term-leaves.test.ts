import { expect, it } from "vitest";
import { tinyVocabulary } from "../../test/support/tiny-catalog.js";
import type { Leaf } from "../core/catalog/types.js";
import { termLeaves } from "./term-leaves.js";

const size: Leaf = { path: "props.size.value", type: "number", weight: "rest", elementPath: "" };
const vocabulary = tinyVocabulary("species", {
  leaves: new Map([...tinyVocabulary().leaves, [size.path, size]]),
});

it("takes everything of an item: id, titles, synonyms, parent, status and props", () => {
  const leaves = termLeaves(
    {
      id: "sp:562",
      title: { en: "Escherichia coli", la: "Bacterium" },
      synonyms: [{ name: "E. coli", kind: "synonym" }],
      parent: "sp:561",
      status: "active",
      props: { rank: "species", genome_size: 4.6, codes: ["b", ["c"]], size: { value: 2, unit: "µm" }, other: true },
    },
    vocabulary,
  );
  const rest = { element: 0, weight: "rest" };
  expect(leaves).toEqual([
    { ...rest, path: "id", words: ["sp", "562"], keyword: "sp:562" },
    { ...rest, path: "title.en", weight: "title", words: ["escherichia", "coli"], keyword: "Escherichia coli" },
    { ...rest, path: "title", weight: "title", words: ["bacterium"], keyword: "Bacterium" },
    { ...rest, path: "synonyms", weight: "heavy", words: ["e", "coli"], keyword: "E. coli" },
    { ...rest, path: "parent", words: ["sp", "561"], keyword: "sp:561" },
    { ...rest, path: "status", words: ["active"], keyword: "active" },
    { ...rest, path: "props.rank", words: ["species"], keyword: "species" },
    { ...rest, path: "props.genome_size", words: ["4", "6"], number: 4.6 },
    { ...rest, path: "props.codes", words: ["b"], keyword: "b" },
    { ...rest, path: "props.codes", words: ["c"], keyword: "c" },
    { ...rest, path: "props.size.value", words: ["2"], number: 2 },
    { ...rest, path: null, words: ["um"] },
    { ...rest, path: null, words: ["true"] },
  ]);
});

it("takes an item with nothing but an id", () => {
  const leaves = termLeaves({ id: "sp:1", title: {}, props: {}, status: "deprecated" }, vocabulary);
  expect(leaves.map(({ path }) => path)).toEqual(["id", "status"]);
});
