import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordBody } from "../../src/core/record.js";
import { formatInstant } from "../../src/core/time.js";
import type { RecordSearch } from "../../src/ports/search-index.js";
import type { SortKey } from "../../src/query/ranking/sort-keys.js";
import { checkTogether, severalOf } from "../support/all-together.js";
import { type Effort, type EngineUnderTest, START_MICROS } from "../support/engines/engine-under-test.js";
import { SEED } from "../support/seed.js";
import {
  ALL,
  type AnySearch,
  arbitrarySearch,
  bodyOf,
  expectSame,
  openPair,
  type Pair,
  type RecordChange,
  type Shown,
  searchOf,
  shown,
  treesOf,
} from "./differential-pair.js";
import { realSetting, tinySetting } from "./differential-setting.js";

/** Numbers of records that changes may be about: those of the start, and some that are not there yet. */
const RECORDS = 90;
const MORE = 20;

const SETTINGS = [() => tinySetting(RECORDS, SEED + 1), () => realSetting(RECORDS, SEED + 1)] as const;

/** Writes, and searches after each of them, until all is put back as it was. */
const STEPS = 4;
const SEARCHES = 4;

/** What a writer does between searches. */
type Write =
  | { readonly kind: "change"; readonly changes: readonly RecordChange[] }
  | { readonly kind: "move"; readonly id: string; readonly parent: string | undefined };

type BodyChange = Exclude<RecordChange, { share: string }>;
const bodyIn = (change: BodyChange): Pick<RecordBody, "id" | "state"> =>
  "put" in change ? change.put : "delete" in change ? change.delete : change.head;
const idOf = (change: BodyChange): string => bodyIn(change).id;
const isSharedAtStart = (id: string): boolean => Number(id.slice(1)) % 2 === 0;
const keyOf = ({ id, state }: Pick<RecordBody, "id" | "state">): string => `${id} ${state}`;

/** Edits, publications, deletions, and several records in one transaction. */
function arbitraryChanges({ setting: { contents } }: Pair): fc.Arbitrary<readonly RecordChange[]> {
  const number = fc.nat(RECORDS + MORE - 1);
  const state = fc.constantFrom("draft" as const, "published" as const);
  const body = fc.tuple(number, fc.constantFrom(...contents), state).map((made) => bodyOf(...made));
  const put = body.map((made): RecordChange[] => [{ put: made }]);
  const publish = body.map((made): RecordChange[] => [
    { put: { ...made, state: "published", is_draft: false, is_published: true } },
    { delete: { id: made.id, state: "draft" } },
  ]);
  const erase = fc.tuple(number, state).map(([n, of]): RecordChange[] => [{ delete: { id: `r${n}`, state: of } }]);
  const head = fc
    .tuple(body, fc.boolean(), fc.constantFrom("1", "2"), fc.nat(RECORDS * 3_600))
    .map(([{ id, state, parent }, is_latest, user, seconds]): RecordChange[] => {
      const updated = formatInstant(START_MICROS + seconds * 1_000_000);
      const versions = { index: 1, is_latest: state === "published" && is_latest, is_latest_draft: is_latest };
      return [{ head: { id, state, updated, versions, parent: { ...parent, owner: { user } } } }];
    });
  const share = fc
    .tuple(number, fc.boolean())
    .map(([n, isShared]): RecordChange[] => [{ share: `r${n}`, user: "1", isShared }]);
  const many = fc.array(put, { minLength: 3, maxLength: 12 }).map((all) => all.flat());
  return fc.oneof(
    { weight: 4, arbitrary: put },
    { weight: 2, arbitrary: publish },
    { weight: 2, arbitrary: erase },
    { weight: 2, arbitrary: head },
    { weight: 1, arbitrary: share },
    { weight: 1, arbitrary: many },
  );
}

function arbitraryWrite(pair: Pair): fc.Arbitrary<Write> {
  const ids = pair.setting.items.slice(0, 12).map(({ id }) => id);
  const change = arbitraryChanges(pair).map((changes): Write => ({ kind: "change", changes }));
  // Downwards only: an item never comes to stand below itself.
  const move = fc.tuple(fc.nat(ids.length - 1), fc.nat(ids.length)).map(([n, above]): Write => {
    return { kind: "move", id: ids[n]!, parent: above < n ? ids[above] : undefined };
  });
  return fc.oneof({ weight: 8, arbitrary: change }, { weight: 1, arbitrary: move });
}

/** An engine finds what the reference evaluator finds while a writer changes records. */
export function differentialWritesSuite(under: () => EngineUnderTest, effort: Effort): void {
  describe.each(SETTINGS.map((make) => make()))("while a writer changes records of $name", (setting) => {
    const place = under();
    const count = treesOf(place);
    let pair: Pair;
    let start: ReadonlyMap<string, RecordBody>;
    beforeAll(async () => {
      pair = await openPair(place, setting, effort);
      start = new Map(pair.bodies.map((body) => [keyOf(body), body]));
    });
    afterAll(async () => {
      await pair.engine.close();
      await place.cleanUp();
    });

    /** As it was at the start, so that a failure can be made smaller; only the order of the records is another. */
    const restore = async (writes: readonly Write[]): Promise<void> => {
      const changed = writes.flatMap((write) => (write.kind === "change" ? write.changes : []));
      const keys = changed.flatMap((change) => ("share" in change ? [] : [bodyIn(change)]));
      const touched = new Map(keys.map((key) => [keyOf(key), key]));
      await pair.apply(
        [...touched].map(([key, { id, state }]) => {
          const body = start.get(key);
          return body === undefined ? { delete: { id, state } } : { put: body };
        }),
      );
      const touchedIds = new Set(changed.map((change) => ("share" in change ? change.share : idOf(change))));
      await pair.apply([...touchedIds].map((id) => ({ share: id, user: "1", isShared: isSharedAtStart(id) })));
      for (const write of writes) {
        if (write.kind === "move") await pair.move(write.id, setting.items.find(({ id }) => id === write.id)?.parent);
      }
      // Without a turn for timers the log would never be written back, and be read more slowly the longer it is.
      await turn();
    };

    it("finds after each write what the reference evaluator finds", { timeout: 6_000_000 }, async () => {
      const writes = fc.array(arbitraryWrite(pair), { maxLength: 3 });
      const steps = severalOf(fc.tuple(writes, severalOf(arbitrarySearch(pair), SEARCHES)), STEPS);
      let found = 0;
      const same = fc.asyncProperty(steps, async (all) => {
        try {
          for (const [toWrite, searches] of all) {
            for (const write of toWrite) {
              if (write.kind === "change") await pair.apply(write.changes);
              else await pair.move(write.id, write.parent);
            }
            await checkTogether(searches, async (asked) => {
              if ((await expectSame(pair, asked)) > 0) found += 1;
            });
          }
        } finally {
          await restore(all.flatMap(([written]) => written));
        }
      });
      await fc.assert(same, { numRuns: Math.ceil(count / STEPS / SEARCHES), seed: SEED });
      expect(found).toBeGreaterThan(count / 4);
    });

    it("answers page by page as the reference engine does where each page sees another state", {
      timeout: 6_000_000,
    }, async () => {
      const steps = fc.tuple(
        arbitrarySearch(pair),
        fc.constantFrom("newest", "oldest", "bestmatch"),
        fc.array(arbitraryChanges(pair)),
      );
      const same = fc.asyncProperty(steps, async ([asked, sort, writes]) => {
        const { engine, reference } = pair;
        try {
          const keys: { ours: SortKey | null | undefined; theirs: SortKey | null | undefined } = {
            ours: null,
            theirs: null,
          };
          for (const changes of [[], ...writes, []]) {
            if (keys.ours === undefined || keys.theirs === undefined) break;
            await pair.apply(changes);
            const page = (after: SortKey | null): RecordSearch =>
              searchOf(asked, { after, limit: asked.limit }, { sort });
            const ours = await engine.index.searchRecords(page(keys.ours));
            const theirs = await reference.index.searchRecords(page(keys.theirs));
            expect(shown(ours)).toEqual(shown(theirs));
            keys.ours = ours.next;
            keys.theirs = theirs.next;
            expect(keys.ours === undefined).toBe(keys.theirs === undefined);
          }
        } finally {
          await restore(writes.map((changes) => ({ kind: "change", changes })));
        }
      });
      await fc.assert(same, { numRuns: Math.ceil(count / 40), seed: SEED });
    });

    it("answers of one moment while writes are under way", { timeout: 6_000_000 }, async () => {
      const steps = fc.tuple(
        fc.array(arbitrarySearch(pair), { minLength: 1, maxLength: 3 }),
        fc.array(arbitraryChanges(pair), { minLength: 1, maxLength: 6 }),
      );
      const same = fc.asyncProperty(steps, async ([searches, writes]) => {
        try {
          await expectOneMoment(pair, searches, writes);
        } finally {
          await restore(writes.map((changes) => ({ kind: "change", changes })));
        }
      });
      await fc.assert(same, { numRuns: Math.ceil(count / 40), seed: SEED });
    });
  });
}

/** Writes and searches at once. Each answer is what the reference says of a moment between its question and itself. */
async function expectOneMoment(
  { engine, reference, applyToEngine, applyToReference }: Pair,
  searches: readonly AnySearch[],
  writes: readonly (readonly RecordChange[])[],
): Promise<void> {
  const asked = searches.map((search) => searchOf(search, ALL));
  const expectedNow = async (): Promise<Shown[]> =>
    Promise.all(asked.map(async (search) => shown(await reference.index.searchRecords(search))));
  /** What each search finds after so many writes. */
  const moments: Shown[][] = [await expectedNow()];
  let begun = 0;
  let done = 0;
  let isOver = false;
  const answers: { readonly search: number; readonly from: number; readonly to: number; readonly answer: Shown }[] = [];
  const ask = async (search: number): Promise<void> => {
    const from = done;
    const answer = shown(await engine.index.searchRecords(asked[search]!));
    answers.push({ search, from, to: begun, answer });
  };
  const write = async (): Promise<void> => {
    try {
      for (const changes of writes) {
        begun += 1;
        await applyToEngine(changes);
        done += 1;
      }
    } finally {
      isOver = true;
    }
  };
  const read = async (search: number): Promise<void> => {
    while (!isOver) {
      await ask(search);
      // A turn for the writer's timers.
      await turn();
    }
    await ask(search);
  };
  await Promise.all([write(), ...asked.map((_, search) => read(search))]);
  for (const changes of writes) {
    await applyToReference(changes);
    moments.push(await expectedNow());
  }
  for (const { search, from, to, answer } of answers) {
    const possible = moments.slice(from, to + 1).map((moment) => moment[search]!);
    expect(possible).toContainEqual(answer);
  }
}
