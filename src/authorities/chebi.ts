import { DumpError, type DumpFile, lineRuns } from "../formats/dumps/dump-file.js";
import { readDump } from "../formats/dumps/read-dump.js";
import type { Authority, DumpEntry, DumpOptions, DumpPlace } from "../ports/authorities.js";
import { compoundTerm, INCHI_KEY, nonEmpty, parseDecimal } from "./compound.js";

/** Beginning of a stanza: `[Term]`, `[Typedef]`. Lines before the first one are the header. */
const STANZA = /^\[(\w+)\]$/;

/** For example `synonym: "ethanol" EXACT IUPAC_NAME [IUPAC]`; quotes inside are escaped. */
const SYNONYM = /^"((?:[^"\\]|\\.)*)" \w+(?: (\w+))? \[/;

/** For example `property_value: <name> "<value>" xsd:string`; the names of properties differ between releases. */
const PROPERTY = /^(\S+) "((?:[^"\\]|\\.)*)"/;
const PROPERTIES = [
  ["inchiKey", /(^|[/:#])inchi_?key(_string)?$/i],
  ["inchi", /(^|[/:#])inchi(_string)?$/i],
  ["smiles", /(^|[/:#])smiles(_string)?$/i],
  ["formula", /(^|[/:#])(generalized_empirical_)?formula$/i],
  ["mass", /(^|[/:#])mass$/i],
] as const;

/** Types of synonyms with a kind of their own. */
const KINDS: Readonly<Record<string, string>> = { IUPAC_NAME: "iupac", INN: "INN", BRAND_NAME: "brand name" };

/**
 * ChEBI, Chemical Entities of Biological Interest: the ontology in OBO. Its compounds are the entries with an InChIKey;
 * classes and roles have none. Existing data of a compound stays, and ChEBI adds what is missing.
 * @see https://owlcollab.github.io/oboformat/doc/GO.format.obo-1_4.html
 */
export const chebi: Authority = {
  name: "chebi",
  title: "ChEBI, Chemical Entities of Biological Interest",
  url: "https://ftp.ebi.ac.uk/pub/databases/chebi/ontology/",
  licence: "CC BY 4.0",
  vocabulary: "chemicals",
  takes: "chebi.obo, gzipped or not",
  dumps: [{ name: /^chebi.*\.obo(\.gz)?$/ }],
  passes: 1,
  firstCounts: true,
  manner: "fill",
  picks: "CHEBI ids (CHEBI:16236) or InChIKeys",
  read: readChebi,
};

async function* readChebi(path: string, { onProgress, only }: DumpOptions): AsyncGenerator<readonly DumpEntry[]> {
  let files = 0;
  for await (const file of readDump(path, onProgress)) {
    if (!/\.obo$/i.test(file.name)) continue;
    files += 1;
    yield* readObo(file, only);
  }
  if (files === 0) throw new DumpError("there is no .obo file in it; ChEBI's ontology is chebi.obo");
}

/** The lines of a stanza, by tag. */
interface Stanza extends DumpPlace {
  /** `Term`; empty for the header. */
  readonly type: string;
  readonly tags: Map<string, string[]>;
}

async function* readObo(file: DumpFile, only: DumpOptions["only"]): AsyncGenerator<readonly DumpEntry[]> {
  const part = file.name;
  const counts = { classes: 0, dropped: 0 };
  let stanza: Stanza = { part, line: 1, type: "", tags: new Map() };
  let isObo = false;
  for await (const { first, lines } of lineRuns(file)) {
    const entries: DumpEntry[] = [];
    for (const [i, line] of lines.entries()) {
      const stanzaType = STANZA.exec(line)?.[1];
      if (stanzaType !== undefined) {
        for (const entry of stanzaEntries(stanza, only, counts)) entries.push(entry);
        stanza = { part, line: first + i, type: stanzaType, tags: new Map() };
        continue;
      }
      const separator = line.indexOf(": ");
      if (separator <= 0) continue;
      const tag = line.slice(0, separator);
      isObo ||= tag === "format-version";
      stanza.tags.set(tag, [...(stanza.tags.get(tag) ?? []), line.slice(separator + 2)]);
    }
    if (!isObo) throw new DumpError('the header has no "format-version"; is this an OBO file?', part, first);
    yield entries;
  }
  yield stanzaEntries(stanza, only, counts);
  if (counts.classes > 0) yield [{ leftOut: "classes and roles: they have no InChIKey", count: counts.classes }];
  if (counts.dropped > 0)
    yield [{ leftOut: "synonyms of compounds that have thousands of them", count: counts.dropped }];
}

function stanzaEntries(
  stanza: Stanza,
  only: DumpOptions["only"],
  counts: { classes: number; dropped: number },
): DumpEntry[] {
  const { part, line, type, tags } = stanza;
  const firstValue = (tag: string): string | undefined => nonEmpty(tags.get(tag)?.[0]);
  const name = nonEmpty(unescapeName(tags.get("name")?.[0] ?? ""));
  const release = type === "" ? firstValue("data-version") : undefined;
  if (release !== undefined) return [{ release }];
  if (type !== "Term" || firstValue("is_obsolete") === "true") return [];
  const id = firstValue("id");
  if (id === undefined || name === undefined) {
    return [{ part, line, reason: 'a term has an "id" and a "name"; is the file cut off? Download it again' }];
  }
  const properties = readProperties(tags.get("property_value") ?? []);
  const inchiKey = properties.get("inchiKey");
  if (inchiKey === undefined) {
    counts.classes += 1;
    return [];
  }
  if (!INCHI_KEY.test(inchiKey)) return [{ part, line, reason: `${id}: "${inchiKey}" is no InChIKey` }];
  if (only !== undefined && !only.has(id) && !only.has(inchiKey)) return [];
  const cas = (tags.get("xref") ?? []).flatMap((xref) => /^cas:(\S+)/i.exec(xref)?.[1] ?? []);
  const { item, dropped } = compoundTerm({
    inchiKey,
    title: name,
    synonyms: [
      ...(tags.get("synonym") ?? []).flatMap(parseSynonym),
      ...cas.map((number) => ({ name: number, kind: "cas" })),
    ],
    identifiers: [id, ...(tags.get("alt_id") ?? [])].map((each) => each.trim().toLowerCase()),
    formula: properties.get("formula"),
    weight: parseDecimal(properties.get("mass")),
    smiles: properties.get("smiles"),
    inchi: properties.get("inchi"),
  });
  counts.dropped += dropped;
  return [{ part, line, item }];
}

function readProperties(lines: readonly string[]): ReadonlyMap<(typeof PROPERTIES)[number][0], string> {
  const properties = new Map<(typeof PROPERTIES)[number][0], string>();
  for (const line of lines) {
    const [, name, value] = PROPERTY.exec(line) ?? [];
    const known = PROPERTIES.find(([, pattern]) => name !== undefined && pattern.test(name))?.[0];
    const text = nonEmpty(value === undefined ? undefined : unescapeValue(value));
    if (known !== undefined && text !== undefined && !properties.has(known)) properties.set(known, text);
  }
  return properties;
}

function parseSynonym(line: string): { name: string; kind: string }[] {
  const [, name, type] = SYNONYM.exec(line) ?? [];
  return name === undefined ? [] : [{ name: unescapeName(name), kind: KINDS[type ?? ""] ?? "synonym" }];
}

/**
 * Removes the escapes of a value. Some releases do not escape SMILES (`C\C=C/C`), so a backslash is removed only before
 * characters that cannot follow one in a SMILES.
 */
const unescapeValue = (text: string): string => text.replaceAll(/\\(["\\,:])/g, "$1");

/** Removes the escapes of a name such as `(2R\,3S)`. `\W`, `\t` and `\n` become blanks. */
const unescapeName = (text: string): string =>
  text.replaceAll(/\\(.)/gu, (whole, sign: string) => {
    if ("Wtn".includes(sign)) return " ";
    return /[\p{L}\p{N}]/u.test(sign) ? whole : sign;
  });
