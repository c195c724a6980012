import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, linksOf, raised, startDemo, textOf } from "../../test/support/demo-server.js";
import { type InProcessServer, PUBLIC_URL } from "../../test/support/in-process-server.js";
import type { Json } from "../core/json.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startDemo();
}, 120_000);
afterAll(() => server.close());

const page = (url: string) => server.app.inject({ url, headers: BROWSER });
const data = async (url: string) => (await server.app.inject(url)).json();
/** An address that a page at the root's first level links to, as the API has it. */
const apiOf = (link: string): string => `/api/${link.replace(/^(\.\.?\/)+/, "")}`;

async function findRecord(query: string): Promise<string> {
  return (await data(`/api/search?${query}`)).hits.hits[0].id;
}

/** Values of the organisms that can be ticked. */
const boxesOf = (html: string): readonly string[] =>
  [...html.matchAll(/role="checkbox"[^>]* (?:name|form)="(?:without-)?organism[^"]*" value="([^"]+)"/g)].map(
    (match) => match[1]!,
  );

describe("a search", () => {
  it("shows as many records as the API finds, in its order", async () => {
    const { body } = await page("/search?q=lysozyme");
    const { hits } = await data("/api/search?q=lysozyme");
    expect(textOf(body)).toContain(`${hits.total} records`);
    const shown = [...body.matchAll(/<h2><a href="\.\/records\/([^"]+)"/g)].map((match) => match[1]);
    expect(shown).toEqual(hits.hits.map(({ id }: { id: string }) => id));
  });

  it("marks what matches, and says where else it does", async () => {
    const { body } = await page("/search?q=lysozyme");
    expect(body).toContain("<mark>");
    expect(textOf(body)).toContain("matched in Molecules › Name: ");
    // The title has the word, so the place has no line of its own.
    expect(body).not.toContain('class="why');
    expect((await page("/search?q=Biacore")).body).toContain('class="why');
    // The number is in the column of numbers.
    expect(textOf((await page("/search?q=dh:<-40kJ/mol")).body)).not.toContain("matched in");
  });

  it("spells names of styles and units as they are printed", async () => {
    const { body } = await page("/search?q=lysozyme&facets=kon");
    expect(textOf(body)).toContain("Citations (DataCite) Citations (APA)");
    const [units = ""] = [...body.matchAll(/data-name="kon"[^>]* data-units="([^"]*)"/g)].map((match) => match[1]!);
    expect(units.replaceAll("&quot;", '"')).toContain('{"name":"M^-1 s^-1","label":"M⁻¹\u202fs⁻¹",');
  });

  it("says how the query was read, and what was meant", async () => {
    const readings = [
      ["KD < 10 nM", "KD < 10 nM"],
      ["Kd (nM) < 5", "KD < 5 nM"],
      ["KD between 1 and 10 nM", "KD 1–10 nM"],
      ["1 nM < KD < 0.5 uM", "KD > 1 nM and < 0.5 µM"],
      ["ΔH < -40 kJ/mol", "ΔH < −40 kJ mol⁻¹"],
      ["kon:>1e6 M^-1s^-1", "kon > 1000000 M⁻¹ s⁻¹"],
      ["ph:>=7 <=8", "pH 7–8"],
      ["lysozyme organism:taxid:9031", "“lysozyme” × Organism Gallus gallus ×"],
    ];
    for (const [q, reading] of readings) {
      const { body } = await page(`/search?q=${encodeURIComponent(q!)}`);
      expect(textOf(body)).toContain(`Searching for: ${reading}`);
      expect(textOf(body)).not.toContain("was read as");
      expect(body).not.toContain('class="warning');
    }
    for (const plain of ["lysozyme", "human serum albumin", "IL-6"]) {
      expect(textOf((await page(`/search?q=${encodeURIComponent(plain)}`)).body)).not.toContain("Searching for:");
    }
    const { body } = await page("/search?q=lyzozyme");
    expect(textOf(body)).toContain("Nothing found.");
    // There is nothing to sort, to count or to convert.
    expect(textOf(body)).not.toMatch(/ (Sort|Units|Filters|Show the values) /);
    expect(linksOf(body)).toContain("./search?q=lysozyme");
  });

  it("names the words without which something is found", async () => {
    const { body } = await page("/search?q=lysozyme+nosuchword");
    const { hits } = await data("/api/search?q=lysozyme");
    expect(textOf(body)).toContain(`Remove “nosuchword” : ${hits.total} records`);
    expect(linksOf(body)).toContain("./search?q=lysozyme");
  });

  it("asks for the unit of a bare number, the commonest one first, and shows no hits", async () => {
    const { body } = await page("/search?q=kd:<5");
    const text = textOf(body);
    const offers = [...text.matchAll(/ ([pnµmfa]?M) \((\d+)\)/g)].map(([, unit, count]) => ({
      unit,
      count: Number(count),
    }));
    expect(offers.map(({ unit }) => unit).slice(0, 3)).toEqual(["nM", "µM", "pM"]);
    for (const { unit, count } of offers) {
      expect(count, unit).toBe((await data(`/api/search?q=kd:<5${unit}`)).hits.total);
    }
    expect(body).not.toContain('<li id="hit-');
  });

  it("has filters with counts that hold, as boxes and as bars that are links", async () => {
    const { body } = await page("/search?q=lysozyme");
    const { aggregations } = await data("/api/search?q=lysozyme");
    for (const { key } of aggregations.instrument.buckets) expect(body).toContain(`name="instrument" value="${key}"`);
    const opened = linksOf(body).find((link) => link.endsWith("facets=ph"))!;
    const bars = [body, (await page(opened.slice(1))).body].flatMap((html) => [
      ...html.matchAll(/href="([^"]+)" rel="nofollow"[^>]* aria-label="[^"]*: (\d+) records?"/g),
    ]);
    expect(bars.length).toBeGreaterThan(5);
    for (const [, link, count] of bars) {
      const { hits } = await data(apiOf(link!.replaceAll("&amp;", "&")));
      expect(`${link} ${hits.total}`).toBe(`${link} ${count}`);
    }
  });

  it("has years that begin within the drawing", async () => {
    const { body } = await page("/search?facets=year");
    const [, x, anchor] = /<text class="tick" x="([^"]+)" y="[^"]+" text-anchor="(\w+)">\d{4}</.exec(body)!;
    expect(anchor === "start" ? Number(x) >= 0 : Number(x) >= 15).toBe(true);
  });

  it("keeps the query and the other filters where one is set, and where one is taken away", async () => {
    const { body } = await page("/search?q=lysozyme&organism=taxid:9031&kd=1e-9..1e-8");
    const sentBy = (begin: string): readonly string[] => {
      const form = body.slice(body.indexOf(begin), body.indexOf("</form>", body.indexOf(begin)));
      return [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]+)"/g)].map(([, ...pair]) => pair.join("="));
    };
    const others = ["q=lysozyme", "kd=1e-9..1e-8"];
    expect(sentBy('<form action="./search"><input type="hidden"').toSorted()).toEqual(
      [...others, "organism=taxid:9031"].toSorted(),
    );
    const [, id] = /aria-checked="true" form="([^"]+)" value="taxid:9031"/.exec(body)!;
    expect(sentBy(`<form id="${id}"`)).toEqual(others);
  });

  it("finds values of a facet by a text, and keeps the search and its filters", async () => {
    const asked = "kd=1e-9..1e-7&organism=taxid:9031&facets=organism&facet_text=coli";
    const { body } = await page(`/search?${asked}`);
    const { buckets } = (await data(`/api/search?${asked}`)).aggregations.organism;
    expect(boxesOf(body)).toEqual(buckets.map(({ key }: { key: string }) => key));
    expect(buckets.length).toBeGreaterThan(0);
    expect(textOf(body)).toContain(`${buckets.length} value`);
    const form = /<form action="\.\/search"><input type="hidden".*?<\/form>/s.exec(body)![0];
    for (const [name, value] of [
      ["kd", "1e-9..1e-7"],
      ["organism", "taxid:9031"],
    ]) {
      expect(form).toContain(`type="hidden" name="${name}" value="${value}"`);
    }
    expect(form).not.toContain('type="hidden" name="facets"');
    expect(linksOf(body)).toContain("./search?kd=1e-9..1e-7&organism=taxid%3A9031");
    expect(textOf((await page("/search?facets=organism&facet_text=nosuchthing")).body)).toContain("No value fits.");
  });

  it("leads from each value of a tree that is cut to what is below it", async () => {
    const tree = linksOf((await page("/search?facet_size=3")).body).find((link) => link.includes("tree=1"))!;
    const { body } = await page(tree.slice(1));
    const below = linksOf(body).filter((link) => link.includes("facet_below="));
    expect(below).toHaveLength(3);
    for (const link of below) {
      const { buckets } = (await data(apiOf(link))).aggregations.organism;
      expect(boxesOf((await page(link.slice(1))).body)).toEqual(buckets.map(({ key }: { key: string }) => key));
    }
  });

  it("has filters in the order in which people use them, and the others below them", async () => {
    const whole = textOf((await page("/search")).body);
    const text = whole.slice(whole.lastIndexOf(" Filters ") + 8);
    const places = ["Technique", "KD", "Organism", "Instrument", "Temperature", "pH", "Year of deposition"].map(
      (label) => text.indexOf(` ${label} `),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(text.indexOf("More filters")).toBeGreaterThan(Math.max(...places));
    expect(text.indexOf("Access rights")).toBeGreaterThan(text.indexOf("More filters"));
  });

  it("lists the commonest species by name, without the taxa above them", async () => {
    const { body } = await page("/search");
    const boxes = boxesOf(body);
    expect(boxes).toHaveLength(10);
    expect(boxes[0]).toBe("taxid:9606");
    const { buckets } = (await data("/api/search?facets=organism&facet_size=200")).aggregations.organism;
    const parents = new Set(buckets.map(({ parent }: { parent?: string }) => parent));
    const [eukaryotes] = ["taxid:2759"];
    expect(parents).toContain(eukaryotes);
    expect(boxes).not.toContain(eukaryotes);
    for (const box of boxes) {
      const { doc_count } = buckets.find(({ key }: { key: string }) => key === box);
      expect(body).toMatch(new RegExp(`value="${box}"><span>.*?</span><span class="count">${doc_count}<`));
    }
    const [, to = ""] = /href="\.([^"]+)" aria-label="Show all(?: \d+)?: Organism"/.exec(body)!;
    const all = (await page(to.replaceAll("&amp;", "&"))).body;
    expect(boxesOf(all).length).toBeGreaterThan(20);
    expect(all).not.toContain(">Show all");
  });

  it("excludes a value that was not chosen, in the query, so that exports and the API exclude it, too", async () => {
    const filters = "kd=1e-9..1e-6";
    const { body } = await page(`/search?q=lysozyme OR albumin&${filters}`);
    const [, value = ""] = /name="not" value="(organism:taxid:9606)" aria-label="not Homo sapiens"/.exec(body)!;
    const answer = await page(`/search?q=lysozyme OR albumin&${filters}&not=${value}`);
    expect(answer.statusCode).toBe(302);
    const { location } = answer.headers;
    expect(decodeURIComponent(String(location))).toBe(
      `./search?q=(lysozyme+OR+albumin)+-organism.within:taxid:9606&${filters}`,
    );
    const excluded = await page(String(location).slice(1));
    expect(textOf(excluded.body)).toContain("not Organism within Homo sapiens ×");
    const [all, some] = [
      await data(`/api/search?q=lysozyme OR albumin&${filters}`),
      await data(apiOf(String(location))),
    ];
    const human = await data(`/api/search?q=lysozyme OR albumin&${filters}&organism=taxid:9606`);
    expect(some.hits.total + human.hits.total).toBe(all.hits.total);
    // The chip leads back.
    const chip = /“?not Organism within Homo sapiens”?<\/span><a href="([^"]+)"/.exec(excluded.body)!;
    expect(decodeURIComponent(chip[1]!.replaceAll("&amp;", "&"))).toContain("q=(lysozyme+OR+albumin)&kd=");
    // An unknown facet excludes nothing.
    expect((await page("/search?not=nothing:1")).headers.location).toBe("./search");
  });

  it("turns a filter round: what it finds and what its opposite finds is all", async () => {
    for (const filter of [
      "organism=taxid:9031",
      "collected=2024",
      "kd=1e-9..1e-8",
      "technique=Surface plasmon resonance (SPR)",
    ]) {
      const { body } = await page(`/search?${encodeURI(filter)}`);
      const [, excluded] = /<a href="([^"]+)" rel="nofollow">not this<\/a>/.exec(body)!;
      const without = await data(apiOf(excluded!.replaceAll("&amp;", "&")));
      const [all, filtered] = [await data("/api/search"), await data(`/api/search?${encodeURI(filter)}`)];
      expect(filtered.hits.total, filter).toBeGreaterThan(0);
      expect(without.hits.total + filtered.hits.total, filter).toBe(all.hits.total);
      expect(without.warnings, filter).toBeUndefined();
    }
  });

  it("is read to its very end by its links", async () => {
    const seen = new Set<string>();
    let next: string | undefined = "/search?q=antibody&size=4";
    while (next !== undefined) {
      const { body } = await page(next);
      for (const [, id] of body.matchAll(/<h2><a href="\.\/records\/([^"]+)"/g)) seen.add(id!);
      const link = /<a href="\.([^"]+)" rel="nofollow">Next<\/a>/.exec(body)?.[1];
      next = link?.replaceAll("&amp;", "&");
    }
    expect(seen.size).toBe((await data("/api/search?q=antibody")).hits.total);
  });

  it("goes on with a cursor where the numbers of pages end", async () => {
    const { body } = await page("/search?size=1000&cursor=*");
    expect(textOf(body)).toContain("records");
    expect(textOf((await page("/search?size=1000&page=11")).body)).toContain("There is no page 11");
  });

  it("is a table with one line for each record, on request", async () => {
    const { body } = await page("/search?q=lysozyme&view=table");
    const { hits } = await data("/api/search?q=lysozyme");
    expect(body.match(/<tr><th scope="row">/g)).toHaveLength(hits.hits.length);
    expect(linksOf(body)).toContain("./api/search?q=lysozyme");
  });

  it("of one model goes on in another one, with what both have", async () => {
    const { body } = await page("/records/itc?q=lysozyme&injection_mode=Titration&organism=taxid:9031");
    const links = linksOf(body);
    expect(links).toContain("../records/spr?q=lysozyme&organism=taxid%3A9031");
    expect(links).toContain("../search?q=lysozyme&injection_mode=Titration&organism=taxid%3A9031");
  });
});

/** What only the service reads, and whether an error is relative: that is a percent sign. */
const isUnsaid = (name: string): boolean => name.startsWith("@") || name === "is_relative";

/** Every text and number that a record holds. */
function leavesOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, inner]) => (isUnsaid(name) ? [] : leavesOf(inner as Json)));
}

/** What a page shows instead of the value as it stands. */
function shownAs(leaf: string): readonly string[] {
  if (leaf === "true" || leaf === "false") return [leaf === "true" ? "yes" : "no"];
  if (leaf === "-1") return ["-1", "not known"];
  // An error stands as its distance, a power as a superscript, an ORCID without its prefix, a symbol as it is
  // printed, a charge as a superscript.
  return [
    leaf,
    leaf.replace(/k(On|Off)$/, (symbol) => symbol.toLowerCase()),
    leaf.replace(/delta(?=[A-Z]$)/, "Δ"),
    leaf.replace(/^-/, ""),
    leaf.replace(/\+(\d)$/, (_, charge: string) => raised(`${charge}+`)),
    leaf.replace(/\^.*/, ""),
    leaf.replace(/^[a-z]+:/i, ""),
    `${Number((Number(leaf) * 100).toPrecision(12))}`,
  ];
}

describe("a record", () => {
  it("hides nothing that was deposited", async () => {
    const { hits } = await data("/api/search?size=250&allversions=true");
    const hidden: string[] = [];
    for (const { id, metadata } of hits.hits) {
      const { body } = await page(`/records/${id}`);
      // A number that is shown in another form has the deposited one as its tooltip.
      const tooltips = [...body.matchAll(/ title="(deposited as [^"]*)"/g)].map(([, tooltip]) => tooltip!);
      const text = [textOf(body), ...tooltips].join(" ").replaceAll(" ", "");
      for (const leaf of new Set(leavesOf(metadata))) {
        const isShown = shownAs(leaf).some((each) => text.includes(each.replaceAll(/\s+/g, "")));
        if (!isShown) hidden.push(`${id} ${leaf}`);
      }
    }
    expect(hidden).toEqual([]);
  }, 120_000);

  it("stands at its address by model and by id, which is the one that counts", async () => {
    const id = await findRecord("q=HyHEL-10&model=spr");
    const { model } = await data(`/api/records/${id}`);
    const [short, long] = [await page(`/records/${id}`), await page(`/records/${model}/${id}`)];
    expect(short.body).toContain(`<link rel="canonical" href="${PUBLIC_URL}/records/${id}"`);
    expect(long.body).toContain(`<link rel="canonical" href="${PUBLIC_URL}/records/${id}"`);
    expect((await page(`/records/${id.toUpperCase()}`)).statusCode).toBe(200);
    expect((await page(`/records/bli/${id}`)).statusCode).toBe(404);
  });

  it("of a parent is its latest version, and older ones say that there is a newer one", async () => {
    const { hits } = await data("/api/search?allversions=true&size=250");
    const newest = hits.hits.find((hit: { versions: { index: number } }) => hit.versions.index > 1);
    const older = hits.hits.find(
      (hit: { id: string; parent: { id: string } }) => hit.parent.id === newest.parent.id && hit.id !== newest.id,
    );
    for (const path of [`/records/${newest.parent.id}`, `/records/${newest.model}/${newest.parent.id}`]) {
      const answer = await page(path);
      expect(answer.statusCode).toBe(302);
      expect(new URL(String(answer.headers.location), `http://x${path}`).pathname).toBe(`/records/${newest.id}`);
    }
    for (const path of ["latest", "versions/latest"]) {
      const answer = await page(`/records/${older.id}/${path}`);
      expect(answer.statusCode).toBe(302);
      expect(String(answer.headers.location)).toMatch(new RegExp(`records/${newest.id}$`));
    }
    const { body } = await page(`/records/${older.id}`);
    expect(textOf(body)).toContain("A newer version of this record exists.");
    expect((await page(`/records/${newest.id}`)).body).not.toContain("A newer version");

    const compared = linksOf(body).find((link) => link.includes("compare?"))!;
    const changes = (await page(`/${compared.replace("../", "")}`)).body;
    expect(changes).toContain('class="differs"');
    expect(textOf(changes)).toContain("equal row");
    const versions = linksOf((await page(`/records/${newest.id}/versions`)).body);
    expect(versions).toContain(`../../records/${older.id}`);
  });

  it("says how to cite it in four styles, and links its licence, terms and people", async () => {
    const { body } = await page(`/records/${await findRecord("q=HyHEL-10")}`);
    const text = textOf(body);
    for (const style of ["DataCite", "APA", "Vancouver", "ACS"]) expect(text).toContain(` ${style} `);
    const links = linksOf(body);
    expect(links).toContain("https://creativecommons.org/publicdomain/zero/1.0/");
    expect(links).toContain("https://orcid.org/0000-0002-1825-0097");
    expect(links).toContain("../vocabularies/organisms/taxid:9031");
    expect(links).toContain("https://identifiers.org/taxonomy:9031");
    expect(links).toContain("https://www.uniprot.org/uniprotkb/P00698");
  });

  it("stays ticked on every page of its search, and is compared with the others that are", async () => {
    const [first, second] = (await data("/api/search?q=lysozyme")).hits.hits.map(({ id }: { id: string }) => id);
    const { body } = await page(`/search?q=lysozyme&size=1&sel=${first},${second}`);
    expect(body).toContain(`name="sel" value="${first}" form="selection" checked`);
    expect(body).toContain(`<input type="hidden" name="sel" value="${second}"/>`);
    expect(textOf(body)).toContain("2 selected:");
    expect(linksOf(body)).toContain(`./search?q=lysozyme&size=1&sel=${first}%2C${second}&page=2`);
    expect(linksOf(body)).toContain("./api/search?q=lysozyme&size=1");
  });

  it("compared with one that is not there says so, and the others stand", async () => {
    const id = await findRecord("q=HyHEL-10");
    const text = textOf((await page(`/compare?ids=${id}&ids=aaaaa-aaaaa`)).body);
    expect(text).toContain("There is no published record aaaaa-aaaaa.");
  });
});

describe("a term", () => {
  it("shows where it stands, what it is called, and the records that cite it", async () => {
    const { body } = await page("/vocabularies/organisms/taxid:562");
    const text = textOf(body);
    expect(text).toContain("E. coli (common name)");
    expect(linksOf(body)).toEqual(
      expect.arrayContaining([
        "../../vocabularies/organisms/taxid:561",
        "../../vocabularies/organisms/taxid:83333",
        "../../vocabularies/organisms/taxid:562/citations",
        "../../search?organism=taxid%3A562",
      ]),
    );
    const { hits } = await data("/api/vocabularies/organisms/taxid:562/citations");
    expect(text).toContain(`${hits.total} records cite this term`);
    expect(text).toContain(`${(await data("/api/search?organism=taxid:562")).hits.total} have it or a subgroup`);
  });

  it("has the records that cite it as a search of their own, with filters, as the API has them", async () => {
    const at = "/vocabularies/organisms/taxid:562/citations";
    const [{ body }, { hits }] = [await page(`${at}?q=lysozyme`), await data(`/api${at}?q=lysozyme`)];
    expect(hits.total).toBeGreaterThan(0);
    expect(hits.total).toBeLessThan((await data(`/api${at}`)).hits.total);
    expect(textOf(body)).toContain(`Records that cite Escherichia coli About this term taxid:562`);
    expect(textOf(body)).toContain(`${hits.total} records`);
    const links = linksOf(body);
    expect(links).toContain("../../../vocabularies/organisms/taxid:562");
    expect(links).toContain("../../../vocabularies/organisms/taxid:562/citations?q=lysozyme&view=table");
    const missing = await page("/vocabularies/organisms/taxid:0/citations");
    expect([missing.statusCode, textOf(missing.body).includes("taxid:0")]).toEqual([404, true]);
  });

  it("that was replaced leads to the one that stands for it, and so do its citations", async () => {
    const answer = await page("/vocabularies/languages/eng");
    expect(answer.statusCode).toBe(301);
    expect(answer.headers.location).toBe("../../vocabularies/languages/en");
    const citations = await page("/vocabularies/languages/eng/citations?q=a&sort=oldest");
    expect(citations.statusCode).toBe(301);
    expect(citations.headers.location).toBe("../../../vocabularies/languages/en/citations?q=a&sort=oldest");
  });

  it("is found in the tree, with the records below each", async () => {
    const { body } = await page("/vocabularies/organisms?view=tree&at=taxid:561");
    const { hits } = await data("/api/search?organism=taxid:561");
    expect(textOf(body)).toContain(`Escherichia taxid:561 genus ${hits.total} records`);
    // The siblings of the current term stay, so that a reader can go on from one to the next.
    const strain = await page("/vocabularies/organisms?view=tree&at=taxid:83334");
    expect(textOf(strain.body)).toMatch(/K-12 taxid:83333 strain .*O157:H7 taxid:83334 serotype/);
    expect(linksOf(body)).toContain("../vocabularies/organisms?view=tree&at=taxid%3A562");
    const top = textOf((await page("/vocabularies/organisms?view=tree")).body);
    expect(top).toContain("root");
  });
});
