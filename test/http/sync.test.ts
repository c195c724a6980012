/** A second release of a vocabulary, made by rule from the first: synced, refreshed and verified. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import type { TestUser } from "../support/bindery.js";
import { publish } from "../support/deposit.js";
import { at, type ItemShape, type RecordShape, type SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

const ORGANISMS = "/api/vocabularies/organisms";
const ORGANISM = "metadata.general_parameters.entities_of_interest.0.source_organism";

let bindery: Service;
let ada: TestUser;
let cleo: TestUser;
let files = 0;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada");
  cleo = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
});
afterAll(() => bindery.dispose());

interface Line {
  readonly id: string;
  readonly title?: { readonly en: string };
  readonly [key: string]: unknown;
}

interface Summary {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly renamed: number;
  readonly merged: number;
  readonly withdrawn: number;
  readonly kept: number;
  readonly refused: readonly unknown[];
}

interface Reported {
  readonly kind: string;
  readonly id: string;
  readonly field?: string;
  readonly fields?: readonly { readonly field: string }[];
}

const fileOf = (name: string): string => join(bindery.data, `${files++}-${name}`);

function write(lines: readonly object[]): string {
  const file = fileOf("release.ndjson");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

/** @param source of its own for each size: a sync speaks of all that came from it */
async function loadFrom(source: string, lines: readonly object[], ...options: readonly string[]): Promise<Summary> {
  const given = ["--source", source, "--json", ...options];
  const run = await bindery.cli("import", "vocabulary", "organisms", write(lines), ...given);
  expect(run.code, run.stderr + run.stdout).toBe(0);
  return JSON.parse(run.stdout);
}

const counts = ({ refused, ...summary }: Summary): object => {
  const { new: added, changed, unchanged, renamed, merged, withdrawn, kept } = summary;
  return { new: added, changed, unchanged, renamed, merged, withdrawn, kept, refused: refused.length };
};
const get = async (id: string): Promise<ItemShape> => (await cleo.client.get<ItemShape>(`${ORGANISMS}/${id}`)).body;
const patch = async (id: string, json: unknown): Promise<void> => {
  const answer = await cleo.client.send("PATCH", `${ORGANISMS}/${id}`, { json });
  expect(answer.status, answer.text).toBe(200);
};
const everything = async (): Promise<string> => (await bindery.client.get(`${ORGANISMS}?format=ndjson`)).text;

describe.each([40, LIMITS.importTransactionItemsMax * 2])("a release of %i terms and the next one", (size) => {
  const first = 97_000_000 + size * 100;
  const [source, other] = [`release-${size}`, `other-${size}`];
  const load = (lines: readonly object[], ...options: readonly string[]) => loadFrom(source, lines, ...options);
  const groups = size / 10;
  const id = (n: number): string => `taxid:${first + n}`;
  const rule = (n: number): number => n % 10;
  const title = (n: number) => ({ en: `Syncella prima ${n}` });
  const base = (n: number): Line => ({
    ...{ id: id(n), title: title(n), rank: "species" },
    ...(rule(n) === 0 ? {} : { parent: id(n - rule(n)) }),
  });
  const numbers = Array.from({ length: size }, (_, n) => n);
  const release1 = numbers.map(base);
  const next = (n: number): readonly Line[] => {
    switch (rule(n)) {
      case 1:
        return [{ ...base(n), title: { en: `Syncella secunda ${n}` } }];
      case 2:
        return [{ ...base(n), replaced_by: id(n - 1) }];
      case 3:
        return [{ ...base(n), parent: id((n + 7) % size) }];
      case 4:
        return [];
      case 5:
        return [{ ...base(n), rank: "strain" }];
      default:
        return [base(n)];
    }
  };
  const added = Array.from({ length: 5 }, (_, n): Line => ({ ...base(size + n), parent: id(0) }));
  const release2 = [...numbers.flatMap(next), ...added];
  const byHand = id(900_000);
  const records = new Map<number, string>();
  /** Counts of the sync, without what people changed: a title, a rank, and the status of a term that would go. */
  const expected = {
    ...{ new: 5, changed: 5 * groups - 3, unchanged: 5 * groups + 2, refused: 0 },
    ...{ renamed: groups - 1, merged: groups, withdrawn: groups - 1, kept: 3 },
  };
  const readRecord = async (n: number): Promise<unknown> => {
    const { body } = await bindery.client.get<RecordShape>(`/api/records/mst/${records.get(n)}`);
    return at(body, ORGANISM);
  };

  beforeAll(async () => {
    expect(await load(release1)).toMatchObject({ new: size, changed: 0, withdrawn: 0 });
    const made = await cleo.client.post(ORGANISMS, { id: byHand, title: { en: "Manuella" } });
    expect(made.status).toBe(201);
    await patch(id(11), { title: { en: "Curated eleven" } });
    await patch(id(15), { props: { rank: "isolate" } });
    await patch(id(24), { status: "deprecated" });
    await patch(id(24), { status: null });
    await patch(id(6), { synonyms: ["Ours"] });
    for (const n of [1, 2, 3, 4, 6]) {
      const { id: record } = await publish(ada.client, makeRecord(size + n, { organism: () => id(n) }));
      records.set(n, record);
    }
  });

  it("is only looked at in a dry run", async () => {
    const before = await everything();
    const report = fileOf("report.ndjson");
    expect(counts(await load(release2, "--sync", "--dry-run", "--report", report))).toEqual(expected);
    expect(await everything()).toBe(before);
    expect(readFileSync(report, "utf8").split("\n").length).toBeGreaterThan(5 * groups);
  });

  it("becomes what the release says, but for what people made, and reports each term", async () => {
    const report = fileOf("report.ndjson");
    expect(counts(await load(release2, "--sync", "--report", report))).toEqual(expected);
    const lines = readFileSync(report, "utf8").trimEnd().split("\n");
    const reported = lines.map((line) => JSON.parse(line) as Reported);
    const ofKind = (kind: string) => reported.filter((each) => each.kind === kind).map((each) => each.id);
    const by = (wanted: number, without?: number) => numbers.filter((n) => rule(n) === wanted && n !== without).map(id);
    expect(ofKind("new")).toEqual(added.map((line) => line.id));
    expect(ofKind("renamed")).toEqual(by(1, 11));
    expect(ofKind("merged")).toEqual(by(2));
    expect(ofKind("changed").sort()).toEqual([...by(3), ...by(5, 15)].sort());
    expect(ofKind("withdrawn").sort()).toEqual(by(4, 24).sort());
    expect(reported.filter(({ kind }) => kind === "kept")).toEqual([
      expect.objectContaining({ id: id(11), field: "title.en", value: "Curated eleven", by: "cleo" }),
      expect.objectContaining({ id: id(15), field: "props.rank", value: "isolate", source: "strain", by: "cleo" }),
      expect.objectContaining({ id: id(24), field: "status", by: "cleo" }),
    ]);
    expect(reported.find((each) => each.id === id(3))!.fields).toEqual([{ field: "parent", from: id(0), to: id(10) }]);
  });

  it("withdraws, and never deletes", async () => {
    expect(await get(id(4))).toMatchObject({ status: "deprecated", revision_id: 2, title: title(4) });
    expect((await bindery.client.get(`${ORGANISMS}/${id(2)}`)).status).toBe(301);
    for (const kept of [byHand, id(24), "taxid:562"]) expect((await get(kept)).status, kept).toBeUndefined();
    expect((await get(byHand)).revision_id).toBe(1);
    expect((await get(id(6))).synonyms).toEqual([{ name: "Ours", kind: "synonym" }]);
  });

  it("marks in the term who changed which field", async () => {
    expect(await get(id(11))).toMatchObject({
      title: { en: "Curated eleven" },
      edited: [{ field: "title.en", time: expect.stringMatching(/^20/) }],
    });
    expect((await get(id(1))).edited).toBeUndefined();
  });

  it("is found by records that cite it, which a refresh brings up to date", async () => {
    const stale = async () => {
      const { body } = await bindery.client.get<SearchBody<RecordShape>>("/api/search?stale=true&size=1000");
      return body.hits.hits.map((hit) => hit.id).filter((found) => [...records.values()].includes(found));
    };
    expect((await stale()).sort()).toEqual([1, 2, 3, 4].map((n) => records.get(n)!).sort());
    expect((await bindery.cli("refresh", "--published")).code).toBe(0);
    expect(await stale()).toEqual([]);
    for (const n of [1, 2]) {
      expect(await readRecord(n)).toMatchObject({ id: id(1), title: { en: "Syncella secunda 1" } });
    }
    expect(await readRecord(4)).toMatchObject({ id: id(4), "@v": expect.stringMatching(/::2$/) });
    expect(await readRecord(6)).toMatchObject({ id: id(6), "@v": expect.stringMatching(/::2$/) });
  });

  it("changes nothing when it is synced again", async () => {
    const before = await everything();
    const again = await load(release2, "--sync");
    expect(counts(again)).toMatchObject({ new: 0, changed: 0, unchanged: release2.length, kept: 2, withdrawn: 0 });
    expect(await everything()).toBe(before);
  });

  it("withdraws nothing where a line is refused, and nothing for a file without terms", async () => {
    const some = [...release2.filter((line) => line.id !== id(7)), { id: "no id", title: { en: "x" } }];
    const sync = ["--source", source, "--sync", "--json"];
    const run = await bindery.cli("import", "vocabulary", "organisms", write(some), ...sync, "--skip-refused");
    expect(counts(JSON.parse(run.stdout))).toMatchObject({ withdrawn: 0, refused: 1 });
    const none = await bindery.cli("import", "vocabulary", "organisms", write([]), ...sync);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining("has no terms; a sync with it would withdraw"),
    ]);
    expect((await get(id(7))).status).toBeUndefined();
  });

  it("brings back what the source has again", async () => {
    const back = [...release2, ...numbers.filter((n) => rule(n) === 4).map(base)];
    expect(counts(await load(back, "--sync"))).toMatchObject({ new: 0, changed: groups - 1, withdrawn: 0 });
    expect((await get(id(4))).status).toBeUndefined();
    expect((await bindery.client.get(`${ORGANISMS}/${id(2)}`)).status).toBe(301);
  });

  it("leaves alone what another source has", async () => {
    expect(await loadFrom(other, [base(7)], "--sync")).toMatchObject({ changed: 0, withdrawn: 0 });
    const without = [...release2.filter((line) => ![id(7), id(8)].includes(line.id)), base(4)];
    await load(without, "--sync");
    expect([(await get(id(7))).status, (await get(id(8))).status]).toEqual([undefined, "deprecated"]);
    await loadFrom(other, [base(9)], "--sync");
    expect((await get(id(7))).status).toBe("deprecated");
  });

  it("leaves a store that agrees with itself", async () => {
    expect((await bindery.cli("verify")).stdout).toContain("all agrees");
  });
});
