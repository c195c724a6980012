import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, linksOf, startDemo, textOf } from "../../test/support/demo-server.js";
import type { InProcessServer } from "../../test/support/in-process-server.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startDemo();
}, 120_000);
afterAll(() => server.close());

const page = async (url: string) => {
  const { statusCode, body } = await server.app.inject({ url, headers: BROWSER });
  return { statusCode, body, text: textOf(body) };
};
const data = async (url: string) => (await server.app.inject(url)).json();
const searchOf = (q: string): string => `/search?q=${encodeURIComponent(q)}`;
/** Links that offer a unit, as addresses of this service. */
const offersOf = (body: string): ReadonlyMap<string, string> =>
  new Map(
    [...body.matchAll(/<a href="\.([^"]+)" class="unit"[^>]*>([^<]+)</g)].map(([, to, unit]) => [
      unit!,
      to!.replaceAll("&amp;", "&"),
    ]),
  );

/** Offered units with their counts, in order. */
const countedOffers = (body: string, url: string) => {
  const offer = /<span class="offer( none)?"><a href="([^"]+)"[^>]*>[^<]+<\/a>(?:<span class="soft"> \(([\d,]+)\)<)?/g;
  return [...body.matchAll(offer)].map(([, muted, to, total]) => ({
    to: new URL(to!.replaceAll("&amp;", "&"), `http://x${url}`).href.slice("http://x".length),
    total: total === undefined ? undefined : Number(total.replaceAll(",", "")),
    isMuted: muted !== undefined,
  }));
};

/** Text of a page with this number of records. */
const recordsOf = (total: number): RegExp => new RegExp(`(?<![\\d,])${total} record`);

describe("a number of a quantity with units, without one,", () => {
  it.each([
    ["kd:<5", "nM"],
    ["KD:<5", "nM"],
    ["kd:5", "µM"],
    ["kd:<=0.5", "pM"],
    ["kd:1e-9", "M"],
    ["kd:[1 TO 10]", "nM"],
    ["kd:{1 TO *}", "nM"],
    ["kd:(>1 AND <10)", "nM"],
    ["kd:>1 kd:<10", "nM"],
    ["kd:>1 AND kd:<10", "nM"],
    ["lysozyme kd:<5 -albumin", "nM"],
    ["-kd:<5", "nM"],
    ["(kd:<5 OR caffeine) protein", "nM"],
    ["affinity:<5", "nM"],
    ["kon:>1000", "M⁻¹\u202fs⁻¹"],
    ["koff:<1", "s⁻¹"],
    ["dh:<-50", "kJ\u202fmol⁻¹"],
    ["mw:>50", "kDa"],
    ["concentration:7", "mM"],
    ["ec50:<5", "nM"],
    ["5 < kd", "nM"],
    ["kd < 5 OR 7 < kd", "nM"],
    ["lysozyme OR 5 < kd", "nM"],
    ["kd:<5 kd:>10nM", "nM"],
    ["kd:<5 kd:<7nM", "nM"],
    ["kd:(<5 OR >7nM)", "nM"],
    ["kd:(<5 OR >7)", "nM"],
    ["K-d:<5", "nM"],
    ["KD:<5 K-d:>1", "nM"],
    ["1 < kd < 10", "nM"],
    ["results:(5 < kd)", "nM"],
    ["300 > mw", "kDa"],
  ])("%s finds nothing on the page, which offers the units, among them %s", async (q, unit) => {
    const { body, text } = await page(searchOf(q));
    expect(text).toContain("0 records");
    expect(text).toContain("have units. Choose the unit");
    const offers = offersOf(body);
    expect([...offers.keys()]).toContain(unit);
    const chosen = await page(offers.get(unit)!);
    expect(chosen.text).not.toContain("have units");
    // The API goes on as it is documented.
    const { hits, warnings } = await data(`/api${searchOf(q)}`);
    expect(hits.total).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(warnings)).toContain("QUERY_UNIT_MISSING");
  });

  it.each([
    "/search?q=kd:<5",
    "/search?q=kd:1",
    "/search?q=lysozyme+5 < kd",
    "/search?q=-kd:<5",
    "/search?q=kd:<5 K_D:>1",
    "/search?q=kd:<5&organism=taxid:9031",
    "/search?q=mw:>50&organism=taxid:9606&allversions=true",
    "/records/mst?q=kd:<5",
    "/records/spr?q=kon:>1000&sort=oldest",
    "/vocabularies/organisms/taxid:9031/citations?q=kd:<5",
  ])("says of %s how many records each unit finds, those that find none last", async (url) => {
    const offers = countedOffers((await page(encodeURI(url))).body, url);
    const counted = offers.filter(({ total }) => total !== undefined);
    expect(counted.length).toBeGreaterThan(0);
    for (const { to, total } of counted) expect((await page(to)).text, to).toMatch(recordsOf(total!));
    const isEmpty = offers.map(({ total }) => total === 0);
    expect(isEmpty).toEqual(isEmpty.toSorted());
    expect(offers.every(({ total, isMuted }) => isMuted === (total === 0))).toBe(true);
  });

  it("has no counts as long as another quantity lacks its unit, too", async () => {
    const url = searchOf("kd:<5 kon:>1000");
    const offers = countedOffers((await page(url)).body, url);
    expect(offers.map(({ total }) => total)).toEqual(offers.map(() => undefined));
  });

  it("is asked for one quantity after the other", async () => {
    const first = await page(searchOf("kd:<5 kon:>1000"));
    expect(first.text.match(/have units/g)).toHaveLength(2);
    const second = await page(offersOf(first.body).get("nM")!);
    expect(second.text.match(/have units/g)).toHaveLength(1);
    const third = await page(offersOf(second.body).get("M⁻¹\u202fs⁻¹")!);
    expect(third.text).not.toContain("have units");
  });

  it("lists the records as the API does if the query has no room for a unit", async () => {
    const q = `kd:<5 OR ${"x".repeat(4_087)}`;
    const { text } = await page(searchOf(q));
    expect(text).not.toContain("Choose the unit");
    expect(text).toContain("compared as entered");
    expect(text).toContain(`${(await data(`/api${searchOf(q)}`)).hits.total} records`);
  });

  it.each(["kd:<5nM", "kd:*", "kd:[1 TO 100 nM]", "ph:7", "hill:>1", "stoichiometry:1", "lysozyme 5", "kd"])(
    "is no question of %s",
    async (q) => {
      const { text } = await page(searchOf(q));
      expect(text).not.toContain("have units");
      expect(text).toContain(`${(await data(`/api${searchOf(q)}`)).hits.total} records`);
    },
  );
});

describe("a parameter that cannot be read", () => {
  it.each([
    ["page=0", 'The parameter "page" must be'],
    ["page=x", 'The parameter "page" must be'],
    ["p=-1", 'The parameter "p" must be'],
    ["size=abc", 'The parameter "size" must be'],
    ["size=5000", "A page has at most"],
    ["sort=nothing", "sort"],
    ["ph=2..1", 'The parameter "ph" must be'],
    ["kd=none", 'The parameter "kd" must be'],
    ["year=abc", 'The parameter "year" must be'],
    ["cursor=x", "belongs to another search"],
    ["lang=!", "must be a language tag"],
    ["allversions=perhaps", 'The parameter "allversions" must be'],
    ["facet_size=-1", 'The parameter "facet_size" must be'],
  ])("%s is said, and the search stays", async (parameter, message) => {
    const { statusCode, body, text } = await page(`/search?q=lysozyme&organism=taxid:9031&${parameter}`);
    expect(statusCode).toBe(200);
    expect(text).toContain(message);
    expect(text.match(/It was left out\./g)).toHaveLength(1);
    const { hits } = await data("/api/search?q=lysozyme&organism=taxid:9031");
    expect(text).toContain(`${hits.total} records`);
    expect(body).toContain('value="lysozyme"');
    expect(linksOf(body).filter((link) => link.includes(`&${parameter}`))).toEqual([]);
  });

  it("that has control characters is repeated without them", async () => {
    const { body } = await page("/search?q=lys%00ozyme%08");
    expect(body).toContain("lys\ufffdozyme");
    expect(body).not.toMatch(/[^\P{Cc}\t\n\r]/u);
  });

  it.each([
    ["/search?view=tabel", "“tabel” is not a value of “view” and was ignored. Did you mean “table”?"],
    ["/search?numbers=depositd", "Did you mean “deposited”?"],
    ["/search?veiw=table", 'The parameter "veiw" is unknown and was ignored. Did you mean "view"?'],
    ["/search?sizee=3", 'Did you mean "size"?'],
    ["/search?units=nM", 'The parameter "units" is unknown and was ignored. Name the column, as in "unit.kd".'],
    ["/search?unit=kJ/mol", 'Name the column, as in "unit.dh".'],
    ["/search?units.kd=nM", 'The parameter "units.kd" is unknown and was ignored. Did you mean "unit.kd"?'],
    ["/search?unit.kdd=nM", 'The parameter "unit.kdd" is unknown and was ignored. Did you mean "unit.kd"?'],
    ["/search?unit.kd=nm", "“nm” is not a value of “unit.kd” and was ignored. Did you mean “nM”?"],
    ["/search?unit.kd=parsec", "“parsec” is not a value of “unit.kd” and was ignored. Possible values: M, mM, µM,"],
    ["/search?view=table&cols=titel", "“titel” is not a value of “cols” and was ignored. Did you mean “title”?"],
    ["/search?view=table&cols=zzzzz", "“zzzzz” is not a value of “cols” and was ignored. Possible values: title,"],
    ["/search?view=table&rows=result", "“result” is not a value of “rows” and was ignored. Did you mean “results”?"],
    ["/search?view=table&rows=results&matched=ture", "“ture” is not a value of “matched” and was ignored."],
    ["/search?tree=yes", "“yes” is not a value of “tree” and was ignored. Possible values: 1."],
    ["/vocabularies/organisms?view=tre", "Did you mean “tree”?"],
    ["/vocabularies/organisms?cols=title", 'The parameter "cols" is unknown and was ignored.'],
  ])("names the parameter or value that was probably meant, and keeps the search: %s", async (address, note) => {
    const { body, text } = await page(`${address}&q=lys`);
    expect(text.split(note)).toHaveLength(2);
    expect(body).toContain('value="lys"');
    expect(linksOf(body).filter((link) => /tabel|depositd|tre(?:&|$)|veiw|sizee|cols=title&/.test(link))).toEqual([]);
  });

  it.each([
    ["/?q=lys", 'The parameter "q" is unknown and was ignored.'],
    ["/compare?idss=a", 'The parameter "idss" is unknown and was ignored. Did you mean "ids"?'],
    ["/deposit?modle=itc", 'The parameter "modle" is unknown and was ignored. Did you mean "model"?'],
    ["/deposit?model=itcc", "“itcc” is not a value of “model” and was ignored. Did you mean “itc”?"],
    ["/deposit?model=xyz", "“xyz” is not a value of “model” and was ignored. Possible values: bli,"],
    ["/molecules/uniprot:P00698?siz=1", 'The parameter "siz" is unknown and was ignored.'],
    ["/vocabularies?x=1", 'The parameter "x" is unknown and was ignored.'],
    ["/vocabularies/organisms/taxid:9606?veiw=tree", 'The parameter "veiw" is unknown and was ignored.'],
    ["/vocabularies/organisms?view=tree&att=taxid:9606", 'The parameter "att" is unknown and was ignored.'],
    ["/help?x=1", 'The parameter "x" is unknown and was ignored.'],
    ["/help/search?x=1", 'The parameter "x" is unknown and was ignored.'],
    ["/models?x=1", 'The parameter "x" is unknown and was ignored.'],
    ["/models/bli?x=1", 'The parameter "x" is unknown and was ignored.'],
    ["/api/docs?x=1", 'The parameter "x" is unknown and was ignored.'],
  ])("are named on pages that are no searches: %s", async (address, note) => {
    const { statusCode, text } = await page(address);
    expect(statusCode).toBe(200);
    expect(text.split(note)).toHaveLength(2);
    const [path = ""] = address.split("?");
    expect((await page(path)).text).not.toContain("is unknown and was ignored");
  });

  it("of records name the list and its pages that were probably meant", async () => {
    const [{ id }] = (await data("/api/records/bli?size=1")).hits.hits;
    const note = async (query: string) => (await page(`/records/${id}?${query}`)).text;
    expect(await note("rows.resluts=2")).toContain(
      '"rows.resluts" is unknown and was ignored. Did you mean "rows.results"?',
    );
    expect(await note("rows.results=x")).toContain(
      "“x” is not a value of “rows.results” and was ignored. Possible values: 1.",
    );
    expect(await note("rows.results=9")).toContain("There is no page 9: all is on one page.");
    expect(await note("rows.results=1")).not.toMatch(/rows\.results|There is no page/);
    expect(await note("expand=checks")).toContain('The parameter "expand" is unknown and was ignored.');
  });

  it.each([
    ["page=2&page=3", "page=2"],
    ["page=2&page=2", "page=2"],
    ["p=2&p=3&p=1", "p=2"],
    ["size=2&size=50", "size=2"],
    ["sort=newest&sort=oldest", "sort=newest"],
    ["q=lysozyme&q=albumin", "q=lysozyme"],
    ["view=list&lang=en&lang=de", "lang=en"],
  ])("is used once if it was sent more often: %s as %s", async (sent, used) => {
    const total = (await data(`/api/search?${used}`)).hits.total;
    const { statusCode, text, body } = await page(`/search?${sent}`);
    expect(statusCode).toBe(200);
    expect(text).toContain("was sent more than once; send it once. Its first valid value was used.");
    expect(text).not.toContain("It was left out.");
    expect(text).toContain(`${total} records`);
    const hits = (html: string) => [...html.matchAll(/records\/mst\/[a-z0-9-]+"/g)].map(([link]) => link);
    expect(hits(body)).toEqual(hits((await page(`/search?${used}`)).body));
  });

  it("keeps the other values of its filter, and is said in vocabularies and on pages of a model, too", async () => {
    const { body, text } = await page("/records/mst?ph=7..8&ph=2..1&view=table");
    expect(text).toContain("It was left out.");
    expect(linksOf(body).some((link) => /[?&]ph=7(\.\.|%2E%2E)8/.test(link))).toBe(true);
    expect((await page("/vocabularies/organisms?q=coli&page=0")).text).toContain("It was left out.");
  });
});

describe("a query that is too large", () => {
  const LONG = "lysozyme ".repeat(500).trim();
  it.each([
    ["/search", LONG],
    ["/records/mst", LONG],
    ["/search?build=1", LONG],
    ["/search?view=table&page=2", LONG],
    ["/vocabularies/organisms", LONG],
    ["/vocabularies/organisms/taxid:9606/citations", LONG],
    ["/search", Array.from({ length: 257 }, (_, i) => `w${i}`).join(" ")],
    ["/search", `${"(a OR b ".repeat(20)}a`],
  ])("on %s finds nothing, keeps its text and its filters, and says why", async (path, q) => {
    const separator = path.includes("?") ? "&" : "?";
    const { statusCode, body, text } = await page(`${path}${separator}organism=taxid:9031&q=${encodeURIComponent(q)}`);
    expect(statusCode).toBe(200);
    expect(body).toMatch(/role="status"[^>]*>0 (records|terms)</);
    expect(text).toMatch(/A query can have at most \d+ (characters|clauses|levels)/);
    expect(text.match(/Nothing was searched\./g)).toHaveLength(1);
    expect(text).not.toContain("It was left out.");
    expect(body).toContain(`value="${q}"`);
    const links = linksOf(body).filter((link) => /[?&]sort=/.test(link));
    // A text that is longer than any query is only in the field.
    if (q === LONG) expect(body.split(q)).toHaveLength(2);
    else for (const link of links) expect(link).toContain("q=");
  });

  it("is repeated once, however long it is, and so are other texts of an address", async () => {
    const text = "lysozyme".repeat(7_500);
    for (const address of ["/search?q=", "/search?view=table&q=", "/vocabularies/organisms?q=", "/compare?ids="]) {
      const { body } = await page(address + text);
      expect(body.length, address).toBeLessThan(text.length + 120_000);
    }
    const ids = Array.from({ length: 9_000 }, (_, i) => String(i)).join(",");
    expect((await page(`/compare?ids=${ids}`)).body.length).toBeLessThan(ids.length + 60_000);
    const columns = Array.from({ length: 9_000 }, (_, i) => `c${i}`).join(",");
    const units = Array.from({ length: 3_000 }, (_, i) => `unit.u${i}=nM`).join("&");
    for (const look of [`cols=${columns}`, units]) {
      const { body } = await page(`/search?view=table&${look}`);
      expect(body.split("was ignored").length - 1, look.slice(0, 20)).toBe(20);
      expect(body.length, look.slice(0, 20)).toBeLessThan(400_000);
    }
  });

  it("of newsletters and social networks are no mistake of the reader", async () => {
    const [{ id }] = (await data("/api/records/bli?size=1")).hits.hits;
    const { text } = await page(`/records/${id}?utm_source=letter&fbclid=x&gclid=y`);
    expect(text).not.toContain("was ignored");
  });
});

describe("a page beyond the end", () => {
  it.each([
    ["/search?q=lysozyme&size=5", "page=9"],
    ["/search?q=lysozyme&size=5", "p=9"],
    ["/records/mst?size=20", "page=300"],
    ["/search?q=lysozyme&size=5", "page=2001"],
    ["/search?q=lysozyme&size=5", "p=99999999"],
    ["/search?q=lysozyme&organism=taxid:9031", "page=1001"],
    ["/records/mst?size=20&view=table", "page=501"],
    ["/vocabularies/organisms?q=coli", "page=30000"],
    ["/vocabularies/organisms?q=coli", "page=300"],
  ])("%s&%s says which one is the last, and leads there", async (search, place) => {
    const { body, text } = await page(`${search}&${place}`);
    const { hits } = await data(`/api${search}`);
    const size = Number(/size=(\d+)/.exec(search)?.[1] ?? 10);
    const last = Math.ceil(hits.total / size);
    const number = Number(place.split("=")[1]).toLocaleString("en");
    expect(text).toContain(`There is no page ${number}`);
    expect(text).not.toContain("It was left out.");
    const link = /href="([^"]+)"[^>]*>Last page</.exec(body)![1]!;
    const shown = await page(new URL(link.replaceAll("&amp;", "&"), `http://x${search}`).href.slice("http://x".length));
    expect(shown.text).not.toContain("There is no page");
    expect(link.includes(`page=${last}`) || last === 1).toBe(true);
  });

  it("of a result on one page says so", async () => {
    expect((await page("/search?q=HyHEL-10&size=100&page=2")).text).toContain(
      "There is no page 2: all is on one page.",
    );
  });
});

describe("a cursor that is no longer valid", () => {
  it.each(["", "&at=taxid:9606", "&at=taxid:7742&lang=en"])("keeps the tree%s and its place", async (place) => {
    const tree = await page(`/vocabularies/organisms?view=tree${place}`);
    const { statusCode, text, body } = await page(`/vocabularies/organisms?view=tree${place}&cursor=nonsense`);
    expect(statusCode).toBe(200);
    expect(text).toContain("this is the first page");
    const termsOf = (shown: string) => shown.match(/id="at-[^"]+"/g);
    expect(termsOf(body)).not.toBeNull();
    expect(termsOf(body)).toEqual(termsOf(tree.body));
  });
});

describe("an id without a record", () => {
  it.each(["/records/aaaaa-aaaaa", "/records/mst/aaaaa-aaaaa", "/records/aaaaa-aaaaa/versions", "/records/P00698"])(
    "%s offers a search for it",
    async (url) => {
      const { statusCode, body, text } = await page(url);
      expect(statusCode).toBe(404);
      const id = /aaaaa-aaaaa|P00698/.exec(url)![0];
      expect(text).toContain(`Search for ${id}`);
      expect(linksOf(body).some((link) => link.endsWith(`search?q=${id}`))).toBe(true);
    },
  );
});

describe("a comparison", () => {
  const idsOf = async (count: number): Promise<readonly string[]> =>
    (await data(`/api/search?q=lysozyme&size=${count}`)).hits.hits.map(({ id }: { id: string }) => id);

  it("of more than six records names those that it leaves out", async () => {
    const ids = await idsOf(8);
    const { body, text } = await page(`/compare?ids=${ids.join(",")}`);
    const [head] = /<thead>.*?<\/thead>/s.exec(body)!;
    expect(head.match(/<th scope="col"/g)).toHaveLength(7);
    expect(text).toContain(`A page compares at most 6 records. Not shown: ${ids[6]} ${ids[7]}`);
    expect((await page(`/compare?ids=${ids.slice(0, 6).join(",")}`)).text).not.toContain("Not shown");
  });

  it.each(["aaaaa-aaaaa", "nothing", "zzzzz-zzzzz zzzzz-zzzz2"])(
    "with %s keeps the one that is there",
    async (gone) => {
      const [id] = await idsOf(1);
      const { title } = (await data(`/api/search?ids=${id}`)).hits.hits[0].metadata.general_parameters
        .record_information;
      const { body, text } = await page(`/compare?ids=${id}+${gone.replace(" ", "+")}`);
      for (const each of gone.split(" ")) expect(text).toContain(`There is no published record ${each}.`);
      expect(text).toContain(title);
      expect(body.match(/<details class="equal">/g)!.length).toBeGreaterThan(5);
      expect(text).toMatch(/Results: \d+ rows?/);
      expect(text).not.toContain("All fields are equal.");
    },
  );
});

describe("links", () => {
  it.each([
    "/search",
    "/search?q=lysozyme&organism=taxid:9031&kd=1e-9..1e-8",
    "/search?q=lyzozyme",
    "/search?q=kd:<5",
    "/search?q=lysozyme&view=table&build=1",
    "/search?q=qqqq+lysozyme&organism=taxid:9031",
    "/search?facets=organism&facet_below=taxid:2",
    "/records/mst",
    "/vocabularies/organisms",
    "/vocabularies/organisms?view=tree&at=taxid:562",
    "/vocabularies/organisms/taxid:562",
  ])("of %s to other searches are not to be followed by crawlers", async (url) => {
    const { body } = await page(url);
    const links = [...body.matchAll(/<a [^>]*href="([^"]*\?[^"]*)"[^>]*>/g)];
    expect(links.length).toBeGreaterThan(0);
    const followed = links.filter(([link]) => !link.includes('rel="nofollow"')).map(([, to]) => to);
    expect(followed.filter((to) => !/vocabularies\/\w+\?view=tree$/.test(to!))).toEqual([]);
  });
});
