import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Heard, hearBackground } from "../../../test/support/background.js";
import { recordWith } from "../../../test/support/deposit.js";
import { type FakeAuthorities, GRANT_ID, ROR_ID, startAuthorities } from "../../../test/support/live-authorities.js";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { PreparedElsewhere } from "../../../test/support/prepare-elsewhere.js";
import { answer } from "../../../test/support/scripted-server.js";
import { LIVE_SOURCES } from "../../authorities/index.js";
import { AUTHORITY_TIME_LIMITS, askAuthority } from "../../authorities/live/ask-authority.js";
import { type Actor, OPERATOR } from "../../core/actor.js";
import { makeCache } from "../../core/caches.js";
import type { JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";

let authorities: FakeAuthorities;
let background: Heard;
let elsewhere: PreparedElsewhere;
let bindery: OpenServices;
let ada: Actor;

beforeEach(async () => {
  authorities = await startAuthorities();
  elsewhere = new PreparedElsewhere();
  background = hearBackground();
  const ask = (name: "openaire" | "ror") =>
    askAuthority(LIVE_SOURCES[name], {
      url: authorities.url,
      email: "",
      headers: {},
      background,
      cache: makeCache(2 ** 20),
      patience: { ...AUTHORITY_TIME_LIMITS, timeoutMs: 5_000, retryMs: 1 },
    });
  const live = new Map([
    ["openaire", ask("openaire")],
    ["ror", ask("ror")],
  ]);
  bindery = await openServices({ live, background, prepareElsewhere: elsewhere.prepareElsewhere });
  ada = await bindery.actor("ada", "records:write");
});
afterEach(async () => {
  await bindery.dispose();
  await authorities.close();
});

const grantsOf = (...ids: readonly string[]): JsonObject => ({ funding_references: ids.map((id) => ({ id })) });
const textOf = (general: object): string => JSON.stringify(recordWith(1, general));
/** Longer than what is prepared by the thread that writes. */
const longTextOf = (general: JsonObject): string => textOf({ ...general, stray: "long words ".repeat(7_000) });

/** Another revision of a term that the records cite. */
const changeInstrument = async (): Promise<void> => {
  for (let n = 1; n <= 12; n++) {
    await bindery.patchTerm(OPERATOR, { vocabulary: "instruments", id: `ins:${n}` }, '{"title": {"en": "Renamed"}}');
  }
};

describe("a draft that cites what is not loaded", () => {
  it("is prepared again with what was found, on the thread for long bodies too", async () => {
    const draft = bodyOf(await bindery.createDraft(ada, "mst", longTextOf(grantsOf(GRANT_ID))));
    expect(draft.errors).toBeUndefined();
    expect(elsewhere.prepared).toEqual(["sent", "sent"]);
  });

  it("says that nobody could be asked, although its terms change before it is written", async () => {
    authorities.always(answer(500, {}));
    // After it was prepared for the second time.
    elsewhere.meanwhile = async () => {
      elsewhere.meanwhile = changeInstrument;
    };
    const draft = bodyOf(await bindery.createDraft(ada, "mst", longTextOf(grantsOf(GRANT_ID))));
    expect(draft.errors).toMatchObject([{ code: "TERM_UNCHECKED", value: GRANT_ID }]);
    const { instrument } = (draft.metadata as { general_parameters: { instrument: JsonObject } }).general_parameters;
    expect(instrument.title).toEqual({ en: "Renamed" });
  });

  it("is refused by publish for that reason, also where it was replaced meanwhile", async () => {
    authorities.always(answer(500, {}));
    const draft = bodyOf(await bindery.createDraft(ada, "mst", longTextOf(grantsOf(GRANT_ID))));
    const address = { model: "mst", id: draft.id };
    const asked = elsewhere.prepared.length;
    elsewhere.meanwhile = async () => {
      await bindery.replaceDraft(ada, address, textOf({ ...grantsOf(GRANT_ID), other: 1 }));
    };
    const { code, issues } = await refusalOf(bindery.publishDraft(ada, address));
    expect([code, issues.map((issue) => issue.code)]).toEqual(["DRAFT_INVALID", ["TERM_UNCHECKED"]]);
    expect(elsewhere.prepared.length).toBeGreaterThan(asked);
  });

  it("asks for so many ids at a time, and for the others when it is saved again", async () => {
    const id = (n: number): string => `oa:corda__h2020::${String(n).padStart(32, "0")}`;
    const ids = Array.from({ length: LIMITS.lookupIdsMax + 2 }, (_, n) => id(n));
    const { errors = [] } = bodyOf(await bindery.createDraft(ada, "mst", textOf(grantsOf(...ids))));
    const codes = errors.map(({ code }) => code);
    expect(codes.filter((code) => code === "TERM_UNKNOWN")).toHaveLength(LIMITS.lookupIdsMax);
    expect(errors.slice(-2).map(({ code, value }) => [code, value])).toEqual([
      ["TERM_UNCHECKED", ids.at(-2)],
      ["TERM_UNCHECKED", ids.at(-1)],
    ]);
    expect(authorities.arrived).toHaveLength(LIMITS.lookupIdsMax);
  });

  it("does not get what is no term of the vocabulary", async () => {
    const names = [{ value: "x".repeat(10_001), types: ["ror_display"] }];
    authorities.always(answer(200, { id: `https://ror.org/${ROR_ID.slice(4)}`, names, status: "active" }));
    const { metadata } = recordWith(1, {});
    const general = metadata.general_parameters as { depositors: { depositor: JsonObject } };
    const { depositors } = general;
    const depositor = { ...depositors.depositor, affiliations: [{ id: ROR_ID }] };
    const text = textOf({ depositors: { ...depositors, depositor } });
    const { errors } = bodyOf(await bindery.createDraft(ada, "mst", text));
    expect(errors).toMatchObject([{ code: "TERM_UNCHECKED", value: ROR_ID }]);
    expect(errors![0]!.messages[0]).toContain("ROR gave an answer that cannot be used");
    expect(await bindery.store.terms.get("affiliations", ROR_ID)).toBeUndefined();
    expect(String(background.last("lookup-ror"))).toContain('"title.en" has more than 10000 characters');
  });
});

it("makes of an answer what a load of the dump makes of its entry: the load changes nothing", async () => {
  const cited = () => bindery.store.terms.cite([{ vocabulary: "grants", id: GRANT_ID }]);
  await bindery.createDraft(ada, "mst", textOf(grantsOf(GRANT_ID)));
  const dump = {
    id: GRANT_ID.slice(3),
    code: "101000001",
    acronym: "LIVE",
    title: "Looking things up",
    fundings: [{ shortName: "EC", name: "European Commission" }],
  };
  const file = bindery.file("project.ndjson", JSON.stringify(dump));
  const { version } = (await cited())[0]!.term;
  await bindery.loadAuthority({ authority: "openaire", dump: file });
  expect((await cited())[0]!.term.version).toBe(version);
});
