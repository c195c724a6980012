import type fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordPage, RecordSearch } from "../../src/ports/search-index.js";
import type { SortKey } from "../../src/query/ranking/sort-keys.js";
import { assertAll } from "../support/all-together.js";
import type { Effort, EngineUnderTest } from "../support/engines/engine-under-test.js";
import { SEED } from "../support/seed.js";
import {
  ALL,
  type AnySearch,
  arbitrarySearch,
  expectSame,
  openPair,
  type Pair,
  searchOf,
  shown,
  treesOf,
} from "./differential-pair.js";
import { realSetting, tinySetting } from "./differential-setting.js";

/** Records of each setting: enough that sets are of several kinds, few enough for the reference evaluator. */
const SETTINGS = [() => tinySetting(160, SEED), () => realSetting(120, SEED)] as const;

/** An engine finds what the reference evaluator finds. */
export function differentialSuite(under: () => EngineUnderTest, effort: Effort): void {
  describe.each(SETTINGS.map((make) => make()))("over $name", (setting) => {
    const place = under();
    const count = treesOf(place);
    let pair: Pair;
    let searches: fc.Arbitrary<AnySearch>;
    beforeAll(async () => {
      pair = await openPair(place, setting, effort);
      searches = arbitrarySearch(pair);
    });
    afterAll(async () => {
      await pair.engine.close();
      await place.cleanUp();
    });

    it("finds what the reference evaluator finds, in the same order, with the same totals and facets", {
      timeout: 6_000_000,
    }, async () => {
      let found = 0;
      await assertAll(searches, { count, seed: SEED }, async (asked) => {
        if ((await expectSame(pair, asked)) > 0) found += 1;
      });
      expect(found).toBeGreaterThan(count / 4);
    });

    it.runIf(setting.texts)(
      "finds what the reference evaluator finds for texts that people write and paste",
      {
        timeout: 6_000_000,
      },
      async () => {
        const written = new Set<string>();
        await assertAll(arbitrarySearch(pair, "texts"), { count: count / 2, seed: SEED }, async (asked) => {
          if ((await expectSame(pair, asked)) > 0) written.add(asked.written!);
        });
        // Amounts, names and identifiers all find something.
        for (const kind of [/[<>=:]/, /"/, /^[^"<>= ]*\d{3}/]) {
          expect([...written].filter((text) => kind.test(text)).length).toBeGreaterThan(5);
        }
      },
    );

    it("gives the same hits page by page as in one", { timeout: 6_000_000 }, async () => {
      await assertAll(searches, { count: count / 40, seed: SEED }, async (asked) => {
        const { limit } = asked;
        for (const sort of ["newest", "oldest", "bestmatch", ...setting.sorts] as const) {
          const search = (page: RecordSearch["page"]) =>
            pair.engine.index.searchRecords(searchOf(asked, page, { facets: [], sort }));
          const whole = shown(await search(ALL)).hits;
          const walked: string[] = [];
          let after: SortKey | null | undefined = null;
          while (after !== undefined) {
            const page: RecordPage = await search({ after, limit });
            walked.push(...shown(page).hits);
            after = page.next;
          }
          expect(walked).toEqual(whole);
          const offset = Math.min(limit, whole.length);
          expect(shown(await search({ offset, limit })).hits).toEqual(whole.slice(offset, offset + limit));
        }
      });
    });
  });
}
