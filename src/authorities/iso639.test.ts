import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DumpFolder, entriesOf, itemsOf, makeDumpFolder, reasonsOf } from "../../test/support/dumps.js";
import { makeZip } from "../../test/support/make-archive.js";
import { iso639 } from "./iso639.js";

let dumps: DumpFolder;
beforeAll(() => {
  dumps = makeDumpFolder();
});
afterAll(() => dumps.dispose());

const table = (...rows: readonly string[]) => rows.map((row) => `${row.split(/ *\| */).join("\t")}\r\n`).join("");
/** Some codes of ISO 639-3, in the columns of SIL's tables. */
const CODES = table(
  "Id | Part2b | Part2t | Part1 | Scope | Language_Type | Ref_Name | Comment",
  "aaa | | | | I | L | Ghotuo | ",
  "ces | cze | ces | cs | I | L | Czech | ",
  "hbs | | | sh | M | L | Serbo-Croatian | Code element for 639-1 has been deprecated",
);
const NAMES = table(
  "Id | Print_Name | Inverted_Name",
  "ces | Czech | Czech",
  "ces | Bohemian | Bohemian",
  "aaa | North Ghotuo | Ghotuo, North",
);
const RETIRED = table(
  "Id | Ref_Name | Ret_Reason | Change_To | Ret_Remedy | Effective",
  "xxa | Old | C | ces | | 2008-01-14",
  "xxb | Gone | N | | | 2008-01-14",
);
const redirects = (entries: Awaited<ReturnType<typeof entriesOf>>) =>
  entries.flatMap((each) => ("redirect" in each ? [`${each.redirect} -> ${each.to}`] : []));

it("gives a language its two-letter code, and leads the others there", async () => {
  const entries = await entriesOf(iso639, dumps.file("iso-639-3.tab.gz", gzipSync(CODES)));
  expect(itemsOf(entries)).toMatchObject({
    aaa: { title: { en: "Ghotuo" }, synonyms: [] },
    cs: { title: { en: "Czech" } },
    sh: { title: { en: "Serbo-Croatian" } },
  });
  expect(redirects(entries)).toEqual(["ces -> cs", "cze -> cs", "hbs -> sh"]);
});

it("adds other names and retired codes where the tables are beside it, whatever comes first", async () => {
  const files = {
    "iso-639-3_Code_Tables/iso-639-3_Name_Index_20260115.tab": NAMES,
    "iso-639-3_Code_Tables/iso-639-3_Retirements_20260115.tab": RETIRED,
    "iso-639-3_Code_Tables/iso-639-3_20260115.tab": CODES.replace("Part2b", "Part2B").replace("Part2t", "Part2T"),
    "iso-639-3_Code_Tables/iso-639-3-macrolanguages_20260115.tab": "M_Id\tI_Id\tI_Status\n",
  };
  const entries = await entriesOf(iso639, dumps.file("iso-639-3_Code_Tables_20260115.zip", makeZip(files)));
  expect(entries[0]).toEqual({ release: "2026-01-15" });
  expect(itemsOf(entries)).toMatchObject({
    aaa: {
      synonyms: [
        { name: "North Ghotuo", kind: "name" },
        { name: "Ghotuo, North", kind: "inverted name" },
      ],
    },
    cs: { synonyms: [{ name: "Bohemian", kind: "name" }] },
  });
  expect(redirects(entries)).toEqual(["ces -> cs", "cze -> cs", "hbs -> sh", "xxa -> cs", "xxb -> null"]);
  expect(await entriesOf(iso639, dumps.folder(files))).toEqual(entries);
});

it("names the place of a row with too few columns, and a header that is of another table", async () => {
  const cut = CODES.slice(0, CODES.indexOf("Serbo"));
  expect(reasonsOf(await entriesOf(iso639, dumps.file("iso-639-3.tab", cut)))).toEqual([
    "iso-639-3.tab:4: the row has 7 columns, the header 8; is the file cut off?",
  ]);
  expect(reasonsOf(await entriesOf(iso639, dumps.file("iso-639-3.tab", NAMES)))).toEqual([
    "iso-639-3.tab:1: the header lacks Part2t, Part1, Ref_Name; is this the right table?",
  ]);
  expect(reasonsOf(await entriesOf(iso639, dumps.file("languages.tab", CODES)))).toEqual([
    ":1: there is no iso-639-3.tab in it, or it is empty; download the table of codes",
  ]);
});
