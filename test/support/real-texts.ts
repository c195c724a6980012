/** Texts of real works: titles, abstracts and authors, for tests of what people paste. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { builtInCatalog } from "./catalog.js";
import { starterItems } from "./starter-items.js";

/** A data set or a paper. */
export interface Work {
  readonly title: string;
  readonly abstract: string;
  readonly author: { readonly given: string; readonly family: string };
}

/** Articles on taxa: more than these add time and no kinds of text. */
const ARTICLES = 3_000;

/** The works of the shared data. A project is a work without abstract, an article on a taxon one without author. */
export function realWorks(data: string): readonly Work[] {
  const lines = (path: string): readonly Record<string, unknown>[] =>
    gunzipSync(readFileSync(join(data, "authorities", path)))
      .toString()
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Record<string, unknown>]));
  const articles = lines("records/taxa-wikipedia.ndjson.gz");
  const step = Math.floor(articles.length / ARTICLES);
  return [
    ...lines("records/openaire-datasets-cz.ndjson.gz").map(datasetWork),
    ...lines("records/openaire-results-h2020.json.gz").flatMap(resultWork),
    ...lines("openaire/projects.ndjson.gz").flatMap(({ title }) => (typeof title === "string" ? work(title) : [])),
    ...articles.filter((_, i) => i % step === 0).map(({ title, text }) => work(String(title), String(text))),
  ];
}

const NOBODY = { given: "A.", family: "Nobody" };
/** Titles are one line. */
const work = (title: string, abstract = title, author = NOBODY): Work => ({
  title: title.replace(/\s+/gu, " ").trim(),
  abstract,
  author,
});

function datasetWork({ mainTitle, descriptions, authors }: Record<string, unknown>): Work {
  const [first] = (authors ?? []) as readonly { readonly name?: string; readonly surname?: string }[];
  const [abstract] = (descriptions ?? []) as readonly string[];
  const author = first?.surname ? { given: first.name || NOBODY.given, family: first.surname } : NOBODY;
  return work(String(mainTitle), abstract?.trim() === "" ? undefined : abstract, author);
}

/** A zipped XML record in base64. */
function resultWork({ body }: Record<string, unknown>): readonly Work[] {
  const zip = Buffer.from((body as { $binary: string }).$binary, "base64");
  // See https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.7: the local header.
  const start = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
  const xml = inflateRawSync(zip.subarray(start)).toString();
  const text = (name: string): string | undefined =>
    new RegExp(`<${name}\\b[^>]*>([^<]+)</${name}>`, "u")
      .exec(xml)?.[1]
      ?.replace(/&(amp|lt|gt|quot|apos);/gu, (_, entity: string) => ENTITIES[entity]!)
      .trim();
  const title = text("title");
  return title === undefined ? [] : [work(title, text("description"))];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The titles of the starter grants. */
export function grantTitles(): readonly string[] {
  return starterItems(builtInCatalog().vocabularies.get("grants")!).map((item) => String(item.title.en));
}
