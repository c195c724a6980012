import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import type { MatchFileRequest } from "../api/vocabularies.js";

let bindery: OpenServices;
beforeAll(async () => {
  bindery = await openServices();
  const identifiers = ["grid.4491.8", "isni:0000 0004 1937 116X", "wikidata:Q31519", "fundref:100007397"];
  const file = bindery.file("ids.ndjson", JSON.stringify({ id: "ror:024d6js02", props: { identifiers } }));
  await bindery.importTerms({ vocabulary: "affiliations", file, skipRefused: false });
});
afterAll(() => bindery.dispose());

type Options = Partial<Pick<MatchFileRequest, "column" | "minConfidence" | "excel">>;

/** Matches a file. @returns its lines and the counts */
async function matched(content: string | Uint8Array, options: Options = {}) {
  let text = "";
  const counts = await bindery.matchAffiliations({
    minConfidence: 0.5,
    file: bindery.file("people.csv", content),
    ...options,
    onText: (csv) => {
      text += csv;
    },
  });
  return { lines: text.split("\r\n").slice(0, -1), counts };
}

/** The id that is found for one affiliation. Of starter items little is known, so that nothing is very likely. */
async function idOf(affiliation: string, minConfidence = 0): Promise<string | undefined> {
  const { lines } = await matched(`affiliation\n"${affiliation}"\n`, { minConfidence });
  return /,(ror:0\w{8}),/.exec(lines[1]!)?.[1];
}

describe("affiliations", () => {
  it.each([
    ["Department of Biochemistry, Masaryk University, Brno, Czech Republic", "ror:02j46qs45"],
    ["Dept. of Biochemistry, Masaryk Univ., Kamenice 5, 625 00 Brno", "ror:02j46qs45"],
    ["Přírodovědecká fakulta, Masarykova univerzita, Brno", "ror:02j46qs45"],
    ["MIT, Cambridge, MA, USA", "ror:042nb2s44"],
    ["1Massachusetts Institute of Technology &amp; friends", "ror:042nb2s44"],
    ["Institute of Biotechnology, Czech Academy of Sciences, Vestec", "ror:00wzqmx94"],
    ["Charles University Prague", "ror:024d6js02"],
    ["Masarik University", "ror:02j46qs45"],
  ])("%s names an organisation", async (affiliation, id) => {
    expect(await idOf(affiliation)).toBe(id);
  });

  it.each(["", "Ophthalmology; and", "12 Main Street, 00100 Springfield", "mit freundlichen Grüßen"])(
    "%j name none",
    async (affiliation) => {
      expect(await idOf(affiliation, 0.5)).toBeUndefined();
    },
  );
});

describe("an id in an affiliation", () => {
  it.each([
    ["https://ror.org/024d6js02", "ror:024d6js02"],
    ["ror.org/024d6js02", "ror:024d6js02"],
    ["ROR:024D6JS02", "ror:024d6js02"],
    ["024d6js02", "ror:024d6js02"],
    ["Ministry of Something (https://ror.org/024d6js02)", "ror:024d6js02"],
    ["Masaryk University, Brno <https://ror.org/024d6js02>", "ror:024d6js02"],
    ["Masaryk University [024d6js02], Brno", "ror:024d6js02"],
    ["grid.4491.8", "ror:024d6js02"],
    ["Masaryk University, GRID.4491.8", "ror:024d6js02"],
    ["https://www.grid.ac/institutes/grid.4491.8", "ror:024d6js02"],
    ["ISNI 0000 0004 1937 116X", "ror:024d6js02"],
    ["isni:000000041937116X", "ror:024d6js02"],
    ["https://isni.org/isni/000000041937116x", "ror:024d6js02"],
    ["Masaryk University (ISNI: 0000-0004-1937-116X)", "ror:024d6js02"],
    ["https://www.wikidata.org/wiki/Q31519", "ror:024d6js02"],
    ["https://doi.org/10.13039/100007397", "ror:024d6js02"],
    // An id that no organisation has decides nothing.
    ["Masaryk University, Brno, 012345678", "ror:02j46qs45"],
    ["Masaryk University, Brno (0000-0002-1825-0097)", "ror:02j46qs45"],
    ["Masaryk University, Brno, grid.999999.9", "ror:02j46qs45"],
  ])("%s decides which organisation it is", async (affiliation, id) => {
    expect(await idOf(affiliation, 0.5)).toBe(id);
  });

  it("is certain, and the other organisations of the text are alternatives", async () => {
    const { lines } = await matched('affiliation\n"Masaryk University, Brno (https://ror.org/024d6js02)"\n');
    expect(lines[1]).toMatch(/,ror:024d6js02,Charles University,1\.00,ror:02j46qs45 Masaryk University/);
  });
});

describe("a file of affiliations", () => {
  const FILE = 'name,where\n"Novák, J.","Masaryk University, Brno"\n=cmd,nowhere\n';

  it("comes back with the organisations, how likely they are, and the columns that it had", async () => {
    const { lines, counts } = await matched(FILE, { column: "where" });
    expect(lines[0]).toBe("name,where,matched_id,matched_title,confidence,alternatives");
    expect(lines[1]).toMatch(
      /^"Novák, J\.","Masaryk University, Brno",ror:02j46qs45,Masaryk University,(0\.[5-9]\d|1\.00),/,
    );
    expect(lines[2]).toMatch(/^'=cmd,nowhere,,,,/);
    expect(counts).toEqual({ rows: 2, matched: 1, cut: 0 });
  });

  it.each([
    ["semicolon", /^Novák, J\.;Masaryk University, Brno;ror:02j46qs45;Masaryk University;[01],\d\d;/],
    ["comma", /^"Novák, J\.","Masaryk University, Brno",ror:02j46qs45,Masaryk University,[01]\.\d\d,/],
  ] as const)("comes back as Excel reads it: %s", async (excel, row) => {
    const { lines } = await matched(FILE, { column: "where", excel });
    expect(lines[0]).toMatch(/^\ufeffname[;,]where[;,]matched_id[;,]/);
    expect(lines[1]).toMatch(row);
    const alternatives = (await matched(FILE, { column: "where", excel, minConfidence: 1 })).lines[1];
    expect(alternatives).toMatch(excel === "comma" ? /\(\d\.\d\d\)/ : /\(\d,\d\d\)/);
  });

  it("may be packed, and tells what is too unlikely as an alternative only", async () => {
    const { lines, counts } = await matched(gzipSync(FILE), { column: "where", minConfidence: 1 });
    expect(lines[1]).toMatch(
      /^"Novák, J\.","Masaryk University, Brno",,,,ror:02j46qs45 Masaryk University \(\d\.\d\d\)/,
    );
    expect(counts).toEqual({ rows: 2, matched: 0, cut: 0 });
  });

  it("may be one that was matched before, whatever its columns are called and in which order they stand", async () => {
    for (const [content, column] of [
      [FILE, "where"],
      ["organisation\nMasaryk University\n", undefined],
      ['affiliation,confidence\nMasaryk University,"sure, said Eve"\n', undefined],
    ] as const) {
      const options = column === undefined ? {} : { column };
      const { lines } = await matched(content, options);
      expect((await matched(lines.join("\n"), options)).lines).toEqual(lines);
    }
    const moved = "matched_title,alternatives,affiliation,confidence,matched_id\nOld,,Masaryk University,0.99,ror:x\n";
    const { lines } = await matched(moved);
    expect(lines[0]).toBe("affiliation,matched_id,matched_title,confidence,alternatives");
    expect(lines[1]).toMatch(/^Masaryk University,ror:02j46qs45,Masaryk University,/);
  });

  it("says how many affiliations were too long to be read as a whole", async () => {
    const { lines, counts } = await matched(`affiliation\n${"x ".repeat(2_000)}\nMasaryk University\n`);
    expect(counts).toEqual({ rows: 2, matched: 1, cut: 1 });
    expect(lines).toHaveLength(3);
  });

  it.each([
    ["without the column", FILE, "affil", /no column "affil"\. The header has "name", "where"/],
    ["of which no column is named", FILE, undefined, /Name the column of the affiliations/],
    ["that is empty", "", undefined, /is empty; it begins with a header/],
    [
      "with a row that is too short",
      "name,where\nx\n",
      "where",
      /Line 2 .*the row has 1 cells, none for column "where"/,
    ],
    ["with an unquoted comma", "name,where\na,b\nx,Oxford, UK\n", "where", /Line 3 .*1 more than the header.*quotes/],
    ["with a comma at the end", "affiliation\nMIT,\n", undefined, /Line 2 .*1 more than the header/],
    ["with a quote that does not end", 'affiliation\n"MIT\n', undefined, /Line \d .*quote/],
  ])("%s is refused with a word on it", async (_, content, column, message) => {
    const error = await refusalOf(matched(content, column === undefined ? {} : { column }));
    expect(error).toMatchObject({ code: "PARAMETER_INVALID" });
    expect(error.issues[0]!.messages.join(" ")).toMatch(message);
  });

  it("that is not there is named, and so is a vocabulary that is not", async () => {
    const asked = { file: "/no/such.csv", minConfidence: 0.5, onText: () => undefined };
    expect((await refusalOf(bindery.matchAffiliations(asked))).message).toContain("There is no file /no/such.csv");
    const other = refusalOf(bindery.matchAffiliations({ ...asked, vocabulary: "planets" }));
    expect(await other).toMatchObject({ code: "VOCABULARY_NOT_FOUND" });
  });
});
