import { expect, it } from "vitest";
import { tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import type { Leaf } from "../../core/catalog/types.js";
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

it("takes quantities as they stand and in the canonical unit, or by an unknown unit", () => {
  const unit: Leaf = { ...size, path: "props.size.unit", type: "keyword" };
  const value: Leaf = { ...size, quantity: { dimensions: [] } };
  const leaves = new Map([value, unit].map((leaf) => [leaf.path, leaf] as const));
  const measured = tinyVocabulary("species", { leaves });
  const added = (number: number, text: string): readonly unknown[] => {
    const props = { size: { value: number, unit: text } };
    const leaves = termLeaves({ id: "sp:1", title: {}, props, status: "active" }, measured);
    return leaves
      .filter(({ path }) => path?.includes("@"))
      .map(({ path, number, keyword }) => [path, number ?? keyword]);
  };
  expect(added(10, "nM")).toEqual([["props.size.value@molarity", 1e-8]]);
  expect(added(10, "")).toEqual([]);
  expect(added(2, "Furlongs")).toEqual([["props.size.value@?", "furlongs\u0001c000000000000000"]]);
});

it("takes no words of a number that is found by its field only", () => {
  const leaves = new Map([[size.path, { ...size, isWhole: true as const }]]);
  const content = { id: "sp:1", title: {}, props: { size: { value: 2_000 } }, status: "active" as const };
  const [found] = termLeaves(content, tinyVocabulary("species", { leaves })).filter(({ path }) => path === size.path);
  expect(found).toMatchObject({ words: [], number: 2_000 });
});

it("takes an item with nothing but an id", () => {
  const leaves = termLeaves({ id: "sp:1", title: {}, props: {}, status: "deprecated" }, vocabulary);
  expect(leaves.map(({ path }) => path)).toEqual(["id", "status"]);
});
