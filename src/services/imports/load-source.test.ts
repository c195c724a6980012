/** Large files are read and prepared on another thread: what comes of them is the same. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import { smallRecord } from "../../../test/support/small-record.js";
import type { ImportReadServices } from "../api/imports.js";
import { makeReadImport } from "./read-import.js";

let bindery: OpenServices;
/** What was asked of the other thread. */
let calls: string[] = [];

beforeAll(async () => {
  bindery = await openServices({
    readElsewhere: (deps) => {
      const reading = makeReadImport(deps);
      const as = <Args extends unknown[], T>(name: string, call: (...args: Args) => Promise<T>) => {
        return async (...args: Args): Promise<T> => {
          calls.push(name);
          // As it passes between threads.
          return structuredClone(await call(...structuredClone(args)));
        };
      };
      return Object.fromEntries(
        Object.entries(reading).map(([name, call]) => [name, as(name, call)]),
      ) as unknown as ImportReadServices;
    },
  });
  await bindery.addUser("alice", "depositor");
});
afterAll(() => bindery.dispose());

/** Blanks between documents mean nothing, and so many make a file too large to be read by the thread that asks. */
const BLANKS = 8 * 1024 * 1024;

const small = (documents: readonly unknown[]): string => documents.map((each) => JSON.stringify(each)).join("\n");
const large = (documents: readonly unknown[]): string =>
  documents.map((each) => JSON.stringify(each) + " ".repeat(Math.ceil(BLANKS / documents.length))).join("\n");

const loadTerms = (text: string, options: { skipRefused?: boolean } = {}) => {
  const file = bindery.file("terms.ndjson", text);
  const read: number[] = [];
  const onProgress = (bytes: number): void => void read.push(bytes);
  const asked = { vocabulary: "organisms", file, skipRefused: false, onProgress, ...options };
  return bindery.importTerms(asked).then((summary) => ({ summary, read }));
};

const organism = (n: number, more: object = {}) => ({ id: `taxid:${n}`, title: { en: `Organism ${n}` }, ...more });
const many = Array.from({ length: 12_000 }, (_, i) => organism(800_000 + i, { synonyms: [`one more name of ${i}`] }));

it("reads a large file elsewhere, in its order and to its end, and says how far it is", async () => {
  calls = [];
  const refused = [organism(800_001), { id: "no id", title: "x" }, organism(820_000, { parent: "taxid:999999999" })];
  const { summary, read } = await loadTerms(large([...many, ...refused]), { skipRefused: true });
  expect(summary).toMatchObject({ new: 12_000, changed: 0, unchanged: 0 });
  expect(summary.refused.map(({ line }) => line)).toEqual([12_001, 12_002, 12_003]);
  expect(summary.refused[0]?.reason).toBe('"taxid:800001" is already on line 2');
  expect(read).toEqual(read.toSorted((a, b) => a - b));
  expect(new Set(calls)).toEqual(new Set(["openImport", "readImport", "closeImport"]));
  expect((await loadTerms(large(many))).summary).toMatchObject({ new: 0, unchanged: 12_000 });
});

it("reads a small file itself", async () => {
  calls = [];
  expect((await loadTerms(small([organism(800_000)]))).summary).toMatchObject({ changed: 0, unchanged: 1 });
  expect(calls).toEqual([]);
});

it("prepares records elsewhere: they are filled in, compared and refused as ever", async () => {
  const record = (title: string, more: object = {}) => {
    const { metadata } = smallRecord({ model: "mst", title, rights: "open", isValid: true });
    return { metadata: { ...metadata, general_parameters: { ...(metadata.general_parameters as object), ...more } } };
  };
  const load = (documents: readonly unknown[]) => {
    const file = bindery.file("records.ndjson", large(documents));
    return bindery.importRecords({ model: "mst", file, owner: "alice", publish: true });
  };
  const file = [
    ...Array.from({ length: 60 }, (_, i) => record(`Read elsewhere ${i}`)),
    smallRecord({ model: "mst", title: "not valid", rights: "open", isValid: false }),
    record("Not declared", { padding: Array(9).fill("-".repeat(100_000)) }),
    { id: "no-id", ...record("x") },
  ];
  calls = [];
  const summary = await load(file);
  expect(summary).toMatchObject({ created: 61, published: 61, unchanged: 0 });
  expect(summary.refused.map(({ line }) => line)).toEqual([61, 63]);
  expect(calls).toContain("readImport");
  expect(await load(file)).toMatchObject({ created: 0, unchanged: 61 });
});

it("closes what it has opened when an import fails", async () => {
  calls = [];
  const file = bindery.file("broken.json", `[${large([organism(1)])},`);
  const asked = { vocabulary: "organisms", file, skipRefused: true };
  await expect(bindery.importTerms(asked)).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
  expect(calls.at(-1)).toBe("closeImport");
});
