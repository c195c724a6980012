import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, startDemo, textOf } from "../../test/support/demo-server.js";
import type { InProcessServer } from "../../test/support/in-process-server.js";
import { PAGE_ADDRESSES } from "../../test/support/page-addresses.js";

/**
 * Words that pages had in place of the words of the field, with an address whose page has the new ones. Deposited texts
 * and the names of the API, such as `entities_of_interest` and "Constant of dissociation KD", stay.
 */
const WORDS: readonly (readonly [old: RegExp, address: string, now: string | RegExp])[] = [
  [
    /Binding measured, findable/,
    "/",
    "Measured binding data: KD, kinetics and thermodynamics from BLI, ITC, MST and SPR",
  ],
  [/Constant of (dis)?association/, "/search?facets=result_type", "Dissociation constant KD"],
  [/Constant of (dis)?association/, "/records/mst?view=table&cols=title,result_type", "Dissociation constant KD"],
  [/Association rate kOn|Dissociation rate kOff/, "/search?facets=result_type", "Association rate constant kon"],
  [/Association rate kOn|Dissociation rate kOff/, "/search?build=1", "Association rate constant kOn"],
  [/Change in (enthalpy|entropy|Gibbs)/, "/records/itc?facets=result_type", "Enthalpy change ΔH"],
  [/Entit(y|ies) (of interest|involved)|Kind of entity/, "/models/mst", /\bMolecules\b/],
  [/Kind of entity/, "/search?facets=entity_type", "Kind of molecule"],
  [/\bPolymer\b|\bChemical 1/, "/search?facets=entity_type", /Biopolymer [\d,]+ not Small molecule [\d,]+/],
  [/polypeptide\(L\)/, "/compare?ids=:record&ids=:other", "Protein"],
  [/Natively|Recombinantly/, "/compare?ids=:record&ids=:other", "recombinant"],
  [/Chemical environment|Constituents?\b/, "/models/mst", /\bBuffers\b.*\bComponents\b/],
  [/Share of the substance|Assessed/, "/models/mst", "Purity"],
  [/General parameters|Method-specific parameters|Everything else/, "/records/:record", "Technical details"],
  [/External identifier/, "/models/mst", /\bDOI\b/],
  [/Directly below/, "/vocabularies/organisms/taxid:561", "Subgroups"],
  [/Cite as/, "/vocabularies/organisms/taxid:561", "Use this id in a deposit:"],
  [/with (a )?blanks? between|separated by blanks/, "/compare", "Record ids, separated by spaces"],
  [/Name two records|at least two ids/, "/compare?ids=:record", "Choose at least two records"],
  [/Nothing is here/, "/nowhere", "Page not found"],
  [/Three ways/, "/", "Next steps"],
  [/was read as/, "/search?q=KD+%3C+10+nM", "Searching for: KD < 10"],
];

let server: InProcessServer;
const ids = new Map<string, string>();
beforeAll(async () => {
  server = await startDemo();
  const first = async (url: string) => (await server.app.inject(url)).json().hits.hits[0].id;
  ids.set(":record", await first("/api/records/spr?q=HyHEL-10"));
  ids.set(":other", await first("/api/search?q=calmodulin"));
}, 120_000);
afterAll(() => server.close());

/** Returns the text that readers see, without names and values of the API, which are in `code`. */
async function seenText(template: string): Promise<string> {
  const url = template.replaceAll(/:(record|other)/g, (name) => ids.get(name)!);
  const { body } = await server.app.inject({ url, headers: BROWSER });
  return textOf(body.replaceAll(/<code>.*?<\/code>/g, ""));
}

describe("pages have the words of the field", () => {
  it.each(WORDS)("not %s, at %s: %s", async (old, address, now) => {
    const text = await seenText(address);
    expect(text).not.toMatch(old);
    expect(text).toMatch(typeof now === "string" ? new RegExp(escaped(now)) : now);
  });

  // Models, the documentation and the least record say what to send, and the builder offers it.
  it.each(PAGE_ADDRESSES.filter((address) => !/\/models\/|\/help\/|\/deposit|build=1/.test(address)))(
    "at %s",
    async (address) => {
      const text = (await seenText(address)).replace(/Technical details.*$/s, "");
      expect(WORDS.filter(([old]) => old.test(text)).map(([old]) => String(old))).toEqual([]);
    },
  );
});

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
