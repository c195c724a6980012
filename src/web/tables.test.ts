import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCatalog } from "../../test/support/catalog.js";
import { BROWSER, linksOf, startDemo, textOf } from "../../test/support/demo-server.js";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";
import { measuredPart } from "../core/citable/describe-record.js";
import { writeResult } from "../core/citable/record-results.js";
import { valuesAt } from "../core/citable/values-at.js";
import type { JsonObject } from "../core/json.js";
import { withPowers } from "./notation/rich-text.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startDemo();
}, 120_000);
afterAll(() => server.close());

const page = async (url: string) => (await server.app.inject({ url, headers: BROWSER })).body;
const data = async (url: string) => (await server.app.inject(url)).json();
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);
const textIn = (html: string): string => textOf(`<main>${html}</main>`).trim().replaceAll(" ;", ";");
const tableIn = (html: string) => /<table class="wide">.*?<\/table>/s.exec(html)![0];
const headsOf = (html: string) => found(tableIn(html), /<th scope="col"[^>]*>(.*?)<\/th>/gs).map(textIn);
/** The texts of a table by row. */
const rowsOf = (html: string) =>
  found(html, /<tr[^>]*>(<th scope="row">.*?)<\/tr>/gs).map((row) =>
    found(row, /<t[dh][^>]*>(.*?)<\/t[dh]>/gs).map((cell) => textIn(cell.replace(/<label.*?<\/label>/s, ""))),
  );
/** The number at the start of a text, which may have a power of ten. */
function numberIn(text: string): number {
  const [, digits = "", power = "0"] = /^\(?([\d.]+)(?:[^×]*× 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?/.exec(text) ?? [];
  return Number.parseFloat(
    `${digits}e${power.replaceAll(/./g, (sign) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign)]!)}`,
  );
}

/** The address of the export as CSV. */
const csvOf = (html: string) =>
  linksOf(html)
    .find((link) => link.includes("format=csv") && !link.includes("excel="))!
    .replace(/^\.+/, "");

/** What a result as JSON lines has in place of CSV, for the same columns. */
async function linesOf(csv: string): Promise<readonly Record<string, unknown>[]> {
  const { body } = await server.app.inject(csv.replace("format=csv", "format=ndjson"));
  return body
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** A derived number, which a page writes in a readable unit. */
const DERIVED = "derived";

/**
 * The cells of a page for one column, from the members of a line: distinct values, four at most, and below the heads ±
 * and unit their errors and units.
 */
function cellTexts(line: Record<string, unknown>, name: string, heads: readonly string[]): readonly string[] {
  const values = [line[name] ?? []].flat();
  const [units, lower, upper, isRelative] = ["unit", "error_lower", "error_upper", "error_is_relative"].map((end) =>
    [line[`${name}_${end}`] ?? []].flat(),
  );
  const all = values.map((value, i) => {
    const bounds = { lower: lower![i] as number, upper: upper![i] as number, isRelative: isRelative![i] === true };
    const error = typeof lower![i] === "number" ? bounds : undefined;
    if (typeof value !== "number") return [name === "created" ? String(value).slice(0, 10) : String(value)];
    const [, amount = "–"] = /^0 \(?(?:± )?(.*?)\)?$/.exec(writeResult({ value: 0, error })!) ?? [];
    return [String(value), amount, withPowers((units![i] ?? units![0] ?? "–") as string)];
  });
  const distinct = [...new Map(all.map((cells) => [cells.join(), cells])).values()];
  const shown = distinct.slice(0, 4);
  const more = distinct.length > 4 ? ` + ${distinct.length - 4}` : "";
  const text = shown.map(([value]) => value).join("; ") + more;
  const besides = heads.map((head) => {
    const parts = shown.map((cells) => cells[head === "±" ? 1 : 2] ?? "–");
    const isOne = head === "±" ? parts.every((part) => part === "–") : new Set(parts).size === 1;
    return isOne ? (parts[0]?.replace("–", "") ?? "") : parts.join("; ");
  });
  const written = line[`${name}_derived`] === true ? DERIVED : name === "model" ? text.toUpperCase() : text;
  return [written, ...besides.map((each) => (shown.length === 0 || written === DERIVED ? "" : each))];
}

/** The heads of the columns for errors and units behind each other column. */
function headsBeside(heads: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const head of heads) {
    if (head === "±" || head === "unit") groups.at(-1)!.push(head);
    else groups.push([]);
  }
  return groups;
}

describe("a table", () => {
  it.each([
    ["/search?view=table&size=50", ["title", "model", "kd", "temperature", "ph", "organism", "created"]],
    ["/records/itc?view=table&q=kd:*", ["title", "kd", "dh", "ds", "stoichiometry", "temperature"]],
    ["/records/spr?view=table&cols=kd&cols=koff,kon&cols=entity", ["kd", "koff", "kon", "entity"]],
    ["/search?q=lysozyme&view=table&size=50&rows=results", ["title", "type", "value"]],
    [
      "/search?q=results:(type:KD+AND+value:<10nM)&view=table&rows=results&matched=true&cols=title,type,value,kd",
      ["title", "type", "value", "kd"],
    ],
    ["/records/mst?view=table&size=50&rows=entities_of_interest&cols=name,type,organism", ["name", "type", "organism"]],
  ])("shows what its export has: %s", async (address, names) => {
    const html = await page(`${address}&sort=oldest&numbers=deposited`);
    const lines = (await linesOf(csvOf(html))).slice(0, rowsOf(html).length);
    expect(lines.length).toBeGreaterThan(4);
    const columns = new URL(csvOf(html), "http://x").searchParams.get("fields")!.split(",").slice(1);
    expect(columns).toEqual(expect.arrayContaining(names));
    const beside = headsBeside(headsOf(html));
    expect(beside).toHaveLength(columns.length);
    const expected = lines.map((line) => columns.flatMap((name, i) => cellTexts(line, name, beside[i]!)));
    // What stands in the first column leads to the record, and is its id where nothing stands there.
    const rows = rowsOf(html).map((row) => {
      const at = row.findIndex((cell) => / \(from .*\)$/.test(cell));
      if (at === -1) return row;
      const group = beside.findIndex((_, i) => i + beside.slice(0, i).flat().length === at);
      return row.toSpliced(at, 1 + beside[group]!.length, DERIVED, ...beside[group]!.map(() => ""));
    });
    expect(rows).toEqual(expected.map(([first = "", ...row], i) => [first || lines[i]!.id, ...row]));
  });

  it("has numbers in the unit that a reader chose, which are those of its export", async () => {
    const html = await page("/search?view=table&size=50&cols=title,kd&unit.kd=nM&sort=oldest");
    expect(headsOf(html)).toEqual(["Title", "KD (nM)", "±"]);
    const lines = await linesOf(csvOf(html));
    const shown = rowsOf(html).map(([, kd = ""]) => (kd === "" ? undefined : numberIn(kd)));
    const expected = lines.slice(0, shown.length).map((line) => [line.kd].flat()[0] as number | undefined);
    expect(shown.filter(Boolean).length).toBeGreaterThan(30);
    for (const [i, number = 0] of shown.entries()) {
      const exact = expected[i] ?? 0;
      // A derived number has four digits.
      expect(lines[i]!.kd_derived === true ? Number(exact.toPrecision(4)) : exact).toBeCloseTo(number, 6);
    }
    expect(lines.filter(({ kd_derived }) => kd_derived === true).length).toBeGreaterThan(1);
  });

  it("has readable numbers by default: those of a column in one unit, below each other", async () => {
    const html = await page(
      "/records/spr?q=kd:[1fM+TO+1mM]&view=table&cols=title,kd,kon,koff,temperature&sort=oldest&size=50",
    );
    expect(headsOf(html)).toEqual(["Title", "KD (nM)", "±", "kon (M⁻¹ s⁻¹)", "koff (s⁻¹)", "Temperature (°C)"]);
    const rows = rowsOf(html);
    const power = "( × 10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?";
    for (const [, kd = "", error = "", kon = ""] of rows) {
      expect(kd).toMatch(new RegExp(`^[\\d.]+${power}$`));
      expect(error).toMatch(new RegExp(`^(\\d[\\d.]*${power}|[\\d.]+ %)?$`));
      // Number and error have the same power of ten.
      if (error !== "" && !error.endsWith("%")) expect(error.replace(/^[\d.]+/, "")).toBe(kd.replace(/^[\d.]+/, ""));
      expect(kon).not.toContain("M");
    }
    for (const row of rows) expect(row.at(-1)).toMatch(/^−?\d+$/);
    expect(html).toMatch(/title="deposited as 298\.15 K">25</);
    expect(html).toMatch(/>\d+<span class="rest rest-\d+">/);
  });

  it("has a column for units where numbers of several quantities stand below each other", async () => {
    const html = await page("/records/spr?view=table&rows=results&cols=title,type,value&sort=oldest&size=20");
    expect(headsOf(html)).toEqual(["Title", "Kind of result", "Value", "±", "unit"]);
    const units = rowsOf(html).map((row) => row.at(-1)!);
    expect(units).toEqual(expect.arrayContaining(["nM", "M⁻¹ s⁻¹", "s⁻¹"]));
  });

  it("shows equal numbers of a record once, but not numbers that only look equal", async () => {
    const own = await startInProcess();
    const headers = { authorization: `Bearer ${await own.token("alice")}` };
    for (const [title, second] of Object.entries({ equal: 1.23456781, different: 1.23456782 })) {
      const { metadata } = JSON.parse(JSON.stringify(makeRecord(1, { title })));
      for (const [i, result] of metadata.general_parameters.results.entries()) {
        Object.assign(result, { type: "Constant of dissociation KD", value: [1.23456781, second][i], unit: "nM" });
      }
      const draft = await own.app.inject({ method: "POST", url: "/api/records/mst", headers, payload: { metadata } });
      const url = `/api/records/mst/${draft.json().id}/draft/actions/publish`;
      expect((await own.app.inject({ method: "POST", url, headers })).statusCode).toBe(202);
    }
    const url = "/records/mst?view=table&cols=title,kd&sort=oldest";
    const { body } = await own.app.inject({ url, headers: BROWSER });
    await own.close();
    expect(headsOf(body)).toEqual(["Title", "KD (nM)"]);
    expect(rowsOf(body).map((row) => row.map((text) => text.replaceAll(/\s/g, " ")))).toEqual([
      ["equal", "1.23457"],
      ["different", "1.23457; 1.23457"],
    ]);
    expect(found(body, /title="deposited as 1\.2345678(\d) nM"/g)).toEqual(["1", "1", "2"]);
  });

  it("has heads that sort up, down, and as before", async () => {
    const sortOf = (html: string) =>
      /<th scope="col"[^>]*?( aria-sort="\w+")?><a href="\.([^"]+)"[^>]*><i>K<\/i><sub>D<\/sub>( \([nµ]M\))?<\/a>/.exec(
        html,
      )!;
    let address = "/search?q=lysozyme&view=table";
    const orders: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++) {
      const [, order, next] = sortOf(await page(address));
      orders.push(order?.trim());
      address = next!.replaceAll("&amp;", "&");
    }
    expect(orders).toEqual([undefined, 'aria-sort="ascending"', 'aria-sort="descending"']);
    expect(address).toBe("/search?q=lysozyme&view=table");
    const tight = rowsOf(await page("/search?view=table&sort=kd&cols=title,kd&unit.kd=nM&size=50"));
    const numbers = tight.map(([, kd = ""]) => numberIn(kd)).filter(Number.isFinite);
    expect(numbers.length).toBeGreaterThan(30);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const newest = await page("/search?view=table");
    expect(newest).toMatch(/<th scope="col" aria-sort="descending"><a href="\.\/search\?view=table&amp;sort=oldest"/);
  });

  it("says which columns, lists and units there are not, and shows the others", async () => {
    const html = await page(
      "/records/mst?view=table&cols=title,shaking_speed,kd&rows=nothing&unit.kd=furlong&unit.kdd=nM",
    );
    expect(headsOf(html)).toEqual(["Title", "KD (nM)", "±"]);
    const text = textOf(html);
    for (const each of [
      "“shaking_speed” is not a value of “cols”",
      "“nothing” is not a value of “rows”",
      "“furlong” is not a value of “unit.kd”",
      '"unit.kdd" is unknown',
    ]) {
      expect(text).toContain(each);
    }
    expect((await server.app.inject(csvOf(html))).statusCode).toBe(200);
  });

  it("writes names of species in italics, in lines of records and of their molecules", async () => {
    const records = tableIn(await page("/search?view=table&cols=title,organism&size=50"));
    expect(records).toContain("<td><i>Homo sapiens</i></td>");
    const molecules = "/search?view=table&rows=entities_of_interest&cols=title,name,source_organism&size=50";
    expect(tableIn(await page(molecules))).toContain("<td><i>Homo sapiens</i></td>");
  });

  it("shows the pH of the measurement, and not that of other steps", async () => {
    const model = builtInCatalog().models.get("spr")!;
    const { hits } = (await data("/api/records/spr?size=50")).hits;
    const rows = rowsOf(tableIn(await page("/records/spr?view=table&cols=title,ph&size=50")));
    const phIn = (metadata: JsonObject) => [
      ...new Set(valuesAt({ metadata }, "metadata.general_parameters.chemical_environments.ph").map(Number)),
    ];
    const differing = hits.filter(({ metadata }: { metadata: JsonObject }, i: number) => {
      const measured = phIn(measuredPart(metadata, model));
      expect(rows[i]![1]!.split("; ").map(Number)).toEqual(measured.length === 0 ? [0] : measured);
      return measured.length < phIn(metadata).length;
    });
    expect(differing.length).toBeGreaterThan(0);
    const deposited = rowsOf(tableIn(await page("/records/spr?view=table&cols=title,ph&size=50&numbers=deposited")));
    expect(deposited.some(([, ph], i) => ph !== rows[i]![1])).toBe(true);
  });

  it("has a form of its columns that keeps the search and its filters", async () => {
    const html = await page("/search?q=lysozyme&organism=taxid:9031&view=table&cols=kon,title&rows=results&unit.kd=nM");
    const form = /<form[^>]*class="live columns">.*?<\/form>/s.exec(html)![0];
    const hidden = found(form, /<input type="hidden" name="([^"]+)"/g);
    expect(hidden.toSorted()).toEqual(["organism", "q", "unit.kd", "view"]);
    expect(found(form, /name="cols" value="([^"]+)" checked/g).toSorted()).toEqual(["kon", "title"]);
    expect(form).toContain('<option value="results" selected>');
    const offered = found(form, /name="cols" value="([^"]+)"/g);
    expect(new Set(offered).size).toBe(offered.length);
    const all = await page(`/search?view=table&rows=results&cols=${offered.join(",")}`);
    expect(headsBeside(headsOf(all))).toHaveLength(offered.length);
    expect(textOf(all)).not.toContain("was ignored");
    for (const list of found(form, /<option value="([^"]+)"/g)) {
      expect(textOf(await page(`/search?view=table&rows=${list}`)), list).not.toContain("was ignored");
    }
  });

  it("leads from chosen units and columns to the defaults, keeping the search", async () => {
    const html = await page("/search?q=lysozyme&view=table&cols=kon,title&unit.kd=nM&numbers=deposited");
    const resets = found(html, /<a href="([^"]+)" data-forget="(?:units|columns)"/g).map((link) =>
      link.replaceAll("&amp;", "&"),
    );
    expect(resets).toEqual([
      "./search?q=lysozyme&view=table&unit.kd=nM&numbers=deposited",
      "./search?q=lysozyme&view=table&cols=kon%2Ctitle",
    ]);
    expect(await page("/search?q=lysozyme&view=table")).not.toContain("data-forget");
  });

  it("ignores the unit of a field that only another model has without a note", async () => {
    expect(textOf(await page("/records/itc?unit.flow_rate=mL/min"))).not.toContain("was ignored");
    expect(textOf(await page("/records/itc?unit.flow_rat=mL/min"))).toContain('"unit.flow_rat" is unknown');
  });

  it("is reached from the list, and keeps its look over pages, filters and orders", async () => {
    const html = await page("/search?view=table&cols=title,kd&unit.kd=pM&size=5");
    const kept = linksOf(html).filter((link) => /^\.\/search\?.*(page=|organism=|[?&]kd=|sort=)/.test(link));
    expect(kept.length).toBeGreaterThan(8);
    for (const link of kept) expect(link).toContain("view=table&cols=title%2Ckd&unit.kd=pM");
    expect(linksOf(html)).toContain("./api/search?size=5");
  });
});

describe("the unit of a quantity", () => {
  it("is that of all its numbers on the page, with what was deposited beside it", async () => {
    const html = await page("/search?q=kd:[10nM+TO+10uM]&kd=1e-7..1e-6&unit.kd=nM&unit.temperature=K&size=50");
    const merits = found(html, /<abbr title="Dissociation constant KD">.*?<\/abbr> (<b[^>]*>[^<]*)<\/b>/g);
    expect(merits.length).toBeGreaterThan(10);
    for (const merit of merits) expect(merit).toMatch(/\u202fnM( \(.+%\))?$/);
    const converted = merits.filter((merit) => merit.includes('title="deposited'));
    expect(converted.length).toBeGreaterThan(3);
    for (const merit of converted) {
      const [, from, unit, to] = /title="deposited as ([\d.e-]+)[^"]* (\S+)">([\d.e-]+)/.exec(merit)!;
      expect(Number(to)).toBeCloseTo(Number(from) * { pM: 1e-3, µM: 1e3, mM: 1e6, M: 1e9 }[unit!]!, 6);
    }
    expect(textOf(html)).not.toMatch(/Temperature [\d.]+ °C/);
    expect(textOf(html)).toContain("KD (nM)");
    expect(textOf(html)).toContain("KD 100–1000 nM not this");
    expect(html).toContain('<option value="nM" selected>');
  });

  it("leaves filters and data as they are", async () => {
    const html = await page("/search?unit.kd=nM");
    const bars = linksOf(html).filter((link) => /[?&]kd=/.test(link));
    expect(bars).toContain("./search?unit.kd=nM&kd=1e-9..1e-8");
    expect(linksOf(html)).toContain("./api/search");
    const counts = (text: string) => found(text, /aria-label="[^"]*: (\d+ records?)"/g);
    expect(counts(html)).toEqual(counts(await page("/search")));
  });

  it("is in the export as CSV, of a list as well", async () => {
    const csv = csvOf(await page("/search?q=kd:*&unit.kd=nM&unit.kon=M^-1+s^-1"));
    const { body, statusCode } = await server.app.inject(csv);
    expect(statusCode).toBe(200);
    const [head = "", first = ""] = body.split("\r\n");
    expect(first.split(",")[head.split(",").indexOf("kd_unit")]).toBe("nM");
  });
});

it.each([
  ["/search?q=lysozyme", "excel=comma"],
  ["/search?q=lysozyme", "excel=semicolon&format=csv&fields=id,kd"],
  ["/records/mst?q=lysozyme", "format=citation&style=apa"],
  ["/search?q=lysozyme&view=table&rows=results&matched=true", "excel=true&format=results"],
  ["/vocabularies/organisms?q=homo", "excel=comma&format=csv&fields=id"],
])("links of %s lead to their own formats, also with parameters of a download: %s", async (url, pasted) => {
  const linksTo = async (path: string) => linksOf(await page(path)).filter((link) => link.includes("/api/"));
  const links = await linksTo(`${url}&${pasted}`);
  expect(links).toEqual(await linksTo(url));
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) expect((await server.app.inject(link.replace(/^\.+/, ""))).statusCode, link).toBe(200);
});

describe("a facet that is counted on request", () => {
  it("leads to the page that counts it, and is counted where it filters", async () => {
    const html = await page("/search?q=lysozyme&unit.temperature=°C");
    const later = linksOf(html).filter((link) => link.includes("facets="));
    expect(later.map((link) => new URL(link, "http://x").searchParams.get("facets"))).toEqual(
      expect.arrayContaining(["kon", "koff", "dh", "temperature", "molecular_weight"]),
    );
    const { aggregations } = await data("/api/search?q=lysozyme");
    expect(Object.keys(aggregations)).not.toContain("temperature");
    const counted = await page(later.find((link) => link.endsWith("facets=temperature"))!.replace(/^\.+/, ""));
    expect(textOf(counted)).toContain("Temperature (°C)");
    const bars = [
      ...counted.matchAll(/href="\.([^"]+)" rel="nofollow"[^>]* aria-label="[^"]*\u202f°C: (\d+) records?"/g),
    ];
    expect(bars.length).toBeGreaterThan(2);
    for (const [, link, count] of bars) {
      const filtered = await page(link!.replaceAll("&amp;", "&"));
      expect(textOf(filtered)).toMatch(new RegExp(`^.*? ${count} records? `));
      expect(filtered).toContain('<range-brush data-name="temperature"');
    }
  });

  it("says where no record has it", async () => {
    expect(textOf(await page("/records/mst?facets=kon"))).toContain("No record has it.");
  });
});

it("sorts by each quantity, the smallest or the largest first", async () => {
  const html = await page("/search");
  const sorts = found(/<select id="sort".*?<\/select>/s.exec(html)![0], /<option value="([^"]+)"/g);
  expect(sorts).toEqual(
    expect.arrayContaining(["bestmatch", "newest", "oldest", "kd", "-kd", "kon", "-kon", "-dh", "ph"]),
  );
  for (const sort of sorts) {
    const { sortBy } = await data(`/api/search?size=1&sort=${sort}`);
    expect(sortBy).toBe(sort === "bestmatch" ? "newest" : sort);
    const own = await page(`/search?size=1&sort=${sort}`);
    expect(own).toContain(`<option value="${sortBy}" selected>`);
  }
}, 60_000);
