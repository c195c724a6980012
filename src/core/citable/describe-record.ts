import type { DescribedField, FieldRole } from "../catalog/description.js";
import type { Model } from "../catalog/types.js";
import { recogniseIdentifier } from "../identifiers.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";
import type { RecordBody } from "../record.js";
import type { Citable, Funding, License, MentionedIdentifier, Publication, Result, Subject } from "./citable.js";
import { distinctBy, peopleOf } from "./record-people.js";
import { kindInWords, resultsOf, writeResult } from "./record-results.js";
import { fieldValues, textAt, valueLabel, valuesAt } from "./values-at.js";

/** Data on a record that its body does not contain. */
export interface Neighbours {
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** Describes a record; its model declares which field has which role. */
export function describeRecord(body: RecordBody, model: Model, neighbours: Neighbours = {}): Citable {
  const { roles, results: list } = model.describe;
  const valuesFor = (role: FieldRole): readonly Json[] => fieldValues({ metadata: body.metadata }, roles.get(role));
  const textFor = (role: FieldRole): string | undefined =>
    valuesFor(role)
      .map(valueLabel)
      .find((text) => text !== undefined);
  const results = resultsOf(body.metadata, list);
  const access = textFor("access");
  const available = textFor("available");
  const optional = {
    publisher: textFor("publisher"),
    resourceType: textFor("resource_type"),
    license: valuesFor("license").flatMap(readLicenses)[0],
    access,
    rights: textFor("rights"),
  };
  const issued = issuedOf(access, available) ?? body.created;
  const dates = { submitted: textFor("submitted"), available, collected: textFor("collected") };
  return {
    id: body.id,
    parent: body.parent.id,
    model: { name: model.name, title: model.title, shortTitle: model.shortTitle },
    version: body.versions.index,
    isLatest: body.versions.is_latest,
    ...neighbours,
    revision: body.revision_id,
    created: body.created,
    updated: body.updated,
    title: recordTitle(body, model),
    people: peopleOf(valuesFor("people")),
    issued,
    year: Number(issued.slice(0, 4)),
    identifiers: valuesFor("identifiers").flatMap(mentionOf),
    resourceTypeGeneral: textFor("resource_type_general") ?? "Dataset",
    ...present(optional),
    dates: present(dates),
    summary: writeSummary({ metadata: body.metadata }, model, results),
    subjects: subjectsOf(
      body,
      model,
      results.map(({ kind }) => kind),
    ),
    funding: valuesFor("funding").flatMap(fundingOf),
    publications: valuesFor("publications").flatMap(readPublications),
    references: distinctBy(
      valuesFor("databases").flatMap((value) => mentionOf(value)[0]?.identifier ?? []),
      ({ scheme, value }) => `${scheme}:${value}`,
    ),
    results,
  };
}

/** Returns the title of a record, or its id if it has no title. */
export function recordTitle({ id, metadata }: Pick<RecordBody, "id" | "metadata">, { describe }: Model): string {
  const labels = fieldValues({ metadata }, describe.roles.get("title")).map(valueLabel);
  return labels.find((label) => label !== undefined) ?? id;
}

/** Returns the members of an object that are not undefined. */
function present<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

const DATE = /^\d{4}(?:-\d\d(?:-\d\d)?)?(?=$|T)/;

/** Returns the day on which an embargo ends, or undefined if there is no embargo or no date. */
function issuedOf(access: string | undefined, available: string | undefined): string | undefined {
  return access === "embargoed" && available !== undefined ? DATE.exec(available)?.[0] : undefined;
}

function mentionOf(value: Json): readonly MentionedIdentifier[] {
  const text = valueLabel(value);
  if (text === undefined) return [];
  const identifier = recogniseIdentifier(text);
  return [{ text, identifier }];
}

function readLicenses(value: Json): readonly License[] {
  const url = textAt(value, "url");
  const name = textAt(value, "name") ?? valueLabel(value) ?? url;
  if (name === undefined) return [];
  const spdx = spdxOf(url ?? name);
  return [{ name, url, spdx }];
}

const CREATIVE_COMMONS = /creativecommons\.org\/(licenses|publicdomain)\/([a-z-]+)\/(\d\.\d)/i;
const SPDX = /spdx\.org\/licenses\/([\w.+-]+?)(?:\.html|\.json)?$/i;

/** Returns the SPDX identifier in the address of a licence. */
function spdxOf(url: string): string | undefined {
  const [, kind, name, version] = CREATIVE_COMMONS.exec(url) ?? [];
  if (name !== undefined) return kind === "publicdomain" ? `CC0-${version}` : `CC-${name.toUpperCase()}-${version}`;
  return SPDX.exec(url)?.[1];
}

/** Returns the subjects of a record: cited terms with their identifiers, and texts. */
function subjectsOf(body: RecordBody, model: Model, kinds: readonly string[]): readonly Subject[] {
  const declared = (model.describe.roles.get("subjects") ?? []).flatMap((field) =>
    fieldValues({ metadata: body.metadata }, [field]).flatMap((value): readonly Subject[] => {
      const label = valueLabel(value);
      if (label === undefined) return [];
      const id = isObject(value) ? own(value, "id") : undefined;
      const identifier = typeof id === "string" ? recogniseIdentifier(id) : undefined;
      return [{ label, field: field.name, identifier }];
    }),
  );
  const measured = kinds.map((label) => ({ label, field: "result_type" }));
  return distinctBy([...declared, ...measured], ({ label }) => label.toLowerCase());
}

function fundingOf(value: Json): readonly Funding[] {
  if (!isObject(value)) return [];
  const funding = present({
    funder: textAt(value, "funder_name"),
    title: valueLabel(value),
    number: textAt(value, "grant_id"),
    id: textAt(value, "id"),
  });
  return Object.keys(funding).length === 0 ? [] : [funding];
}

function readPublications(value: Json): readonly Publication[] {
  const text = textAt(value, "pid") ?? (isObject(value) ? undefined : valueLabel(value));
  const title = textAt(value, "title");
  const kind = textAt(value, "type");
  const mention = text === undefined ? [] : mentionOf(text);
  if (mention[0] === undefined && title === undefined) return [];
  return [{ text: title ?? "", ...mention[0], ...present({ title, kind }) }];
}

const RESULTS_MAX = 5;
const NAMES_MAX = 3;

/**
 * Writes a few sentences on a record without an abstract, from its fields alone: the sentence that the model declares,
 * the results and the conditions. The same record gives the same text.
 */
function writeSummary(body: { readonly metadata: JsonObject }, model: Model, results: readonly Result[]): string {
  const { describe } = model;
  const measurement = { metadata: measuredPart(body.metadata, model) };
  const phrases = describe.summary.flatMap(({ before, field, after }) => {
    const names = joinedLabels(body, field);
    return names === undefined ? [] : [`${before}${names}${after}`];
  });
  const measured = results.flatMap((result) => {
    const text = writeResult(result);
    const of = result.of.length === 0 ? "" : ` of ${listNames(result.of)}`;
    return text === undefined ? [] : [`${kindInWords(result.kind, model)}${of}: ${text}`];
  });
  const more = measured.length > RESULTS_MAX ? [`${measured.length - RESULTS_MAX} more results`] : [];
  const conditions = (describe.roles.get("conditions") ?? []).flatMap((field) => {
    const names = joinedLabels(measurement, field);
    return names === undefined ? [] : [`${withinSentence(field.label)} ${names}`];
  });
  const sentences = [phrases.join(" "), [...measured.slice(0, RESULTS_MAX), ...more].join("; "), conditions.join(", ")];
  return sentences
    .filter((sentence) => sentence !== "")
    .map(asSentence)
    .join(" ");
}

/** Lists the labels of a field, each once; returns undefined if it has none. */
function joinedLabels(body: Json, field: DescribedField): string | undefined {
  const labels = distinctBy(
    fieldValues(body, [field]).flatMap((value) => valueLabel(value) ?? []),
    (label) => label.toLowerCase(),
  );
  return labels.length === 0 ? undefined : listNames(labels);
}

/** Writes a list of names: `A`, `A and B`, `A, B and C`, `A, B, C and 4 more`. */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX);
  const rest = names.length - shown.length;
  const all = rest === 0 ? shown : [...shown, `${rest} more`];
  return all.length === 1 ? all[0]! : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** Writes a label for the middle of a sentence: `Temperature` loses its capital, `KD` and `pH` keep theirs. */
export const withinSentence = (label: string): string =>
  /^\p{Lu}\p{Ll}+(?!\p{L})/u.test(label) ? `${label[0]!.toLowerCase()}${label.slice(1)}` : label;

/** Adds one full stop and a capital at the beginning, except for words with a capital elsewhere (`pH`). */
function asSentence(text: string): string {
  const [first = ""] = /^\p{L}+/u.exec(text) ?? [];
  const begun = first === first.toLowerCase() ? `${text[0]!.toUpperCase()}${text.slice(1)}` : text;
  return `${begun.replace(/\.$/, "")}.`;
}

/**
 * Returns the part of a record from which conditions are read. Samples of steps in which nothing is measured
 * (regeneration, washing) are removed. Lists that measurements refer to (buffers) keep only the elements that a
 * measurement names. If the model declares no `measured`, this is the whole record.
 *
 * @param metadata value at the path `metadata` of the record
 */
export function measuredPart(metadata: JsonObject, model: Model): JsonObject {
  if (model.describe.measured === undefined) return metadata;
  const earlier = MEASURED_PARTS.get(metadata);
  if (earlier !== undefined) return earlier;
  const part = readMeasuredPart(metadata, model, model.describe.measured);
  MEASURED_PARTS.set(metadata, part);
  return part;
}

/**
 * Measured parts of metadata: the summary, the head, the checks and the derived quantities of a record share it.
 * Metadata belong to one model and never change.
 */
const MEASURED_PARTS = new WeakMap<JsonObject, JsonObject>();

function readMeasuredPart(
  metadata: JsonObject,
  model: Model,
  measured: NonNullable<Model["describe"]["measured"]>,
): JsonObject {
  const rest = withoutSteps(metadata, model);
  const isWithin = (path: string): boolean => measured.within.some((place) => path.startsWith(`${place}.`));
  const conditions = (model.describe.roles.get("conditions") ?? []).flatMap(({ paths }) => paths);
  const lists = new Set(model.references.filter(({ path }) => isWithin(path)).map(({ to }) => to));
  return [...lists]
    .filter((list) => conditions.some((path) => path.startsWith(`${list}.`)))
    .reduce((part, list) => {
      const sites = model.references.filter(({ path, to }) => to === list && isWithin(path));
      const named = new Set(sites.flatMap(({ path }) => valuesAt({ metadata: part }, `${path}.id`)));
      return named.size === 0 ? part : withoutElements(part, list, (element) => named.has(own(element, "id") ?? null));
    }, rest);
}

/** Removes elements that refer to a step of a kind in which nothing is measured. */
function withoutSteps(metadata: JsonObject, { describe: { measured }, references, elementPaths }: Model): JsonObject {
  const { steps, except } = measured!;
  if (steps === undefined) return metadata;
  const [list, kind] = [steps.slice(0, steps.lastIndexOf(".")), steps.slice(steps.lastIndexOf(".") + 1)];
  const rest = valuesAt({ metadata }, list).flatMap((step) =>
    isObject(step) && except.includes(String(own(step, kind))) ? [own(step, "id") ?? null] : [],
  );
  if (rest.length === 0) return metadata;
  return references
    .filter(({ to }) => to === list)
    .reduce((part, { path }) => {
      const around = elementPaths.filter((each) => path.startsWith(`${each}.`)).at(-1);
      if (around === undefined) return part;
      const within = `${path.slice(around.length + 1)}.id`;
      return withoutElements(part, around, (element) => !valuesAt(element, within).some((id) => rest.includes(id)));
    }, metadata);
}

/** Returns the record with only those elements of the list at `path` for which `isKept` holds. */
function withoutElements(metadata: JsonObject, path: string, isKept: (element: JsonObject) => boolean): JsonObject {
  const [, ...steps] = path.split(".");
  return filterAt(metadata, steps, isKept) as JsonObject;
}

function filterAt(value: Json, steps: readonly string[], isKept: (element: JsonObject) => boolean): Json {
  const [step, ...rest] = steps;
  if (Array.isArray(value)) {
    return step === undefined
      ? value.filter((each) => !isObject(each) || isKept(each))
      : value.map((each) => filterAt(each, steps, isKept));
  }
  if (step === undefined || !isObject(value)) return value;
  const inner = own(value, step);
  return inner === undefined ? value : { ...value, [step]: filterAt(inner, rest, isKept) };
}
