import type { Role } from "../catalog/description.js";
import type { Model } from "../catalog/types.js";
import { recogniseIdentifier } from "../identifiers/identifiers.js";
import { isObject, type Json, own } from "../json.js";
import type { RecordBody } from "../record.js";
import type { Citable, Funding, License, Mention, Publication, Subject } from "./citable.js";
import { peopleOf, unique } from "./record-people.js";
import { resultsOf } from "./record-results.js";
import { summaryOf } from "./summary.js";
import { labelOf, textAt, valuesOf } from "./values-at.js";

/** What describes a record beside its body. */
export interface Neighbours {
  readonly previous?: string;
  readonly next?: string;
}

/** The description of a record, as its model says where everything stands. */
export function describeRecord(body: RecordBody, model: Model, neighbours: Neighbours = {}): Citable {
  const { roles, results: list } = model.describe;
  const valuesFor = (role: Role): readonly Json[] => valuesOf({ metadata: body.metadata }, roles.get(role));
  const textFor = (role: Role): string | undefined =>
    valuesFor(role)
      .map(labelOf)
      .find((text) => text !== undefined);
  const results = resultsOf(body.metadata, list);
  const access = textFor("access");
  const available = textFor("available");
  const optional = {
    publisher: textFor("publisher"),
    resourceType: textFor("resource_type"),
    license: valuesFor("license").flatMap(licenseOf)[0],
    access,
    rights: textFor("rights"),
  };
  const issued = issuedOf(access, available) ?? body.created;
  const dates = { submitted: textFor("submitted"), available, collected: textFor("collected") };
  return {
    id: body.id,
    parent: body.parent.id,
    model: { name: model.name, title: model.title },
    version: body.versions.index,
    isLatest: body.versions.is_latest,
    ...neighbours,
    revision: body.revision_id,
    created: body.created,
    updated: body.updated,
    title: titleOf(body, model),
    people: peopleOf(valuesFor("people")),
    issued,
    year: Number(issued.slice(0, 4)),
    identifiers: valuesFor("identifiers").flatMap(mentionOf),
    resourceTypeGeneral: textFor("resource_type_general") ?? "Dataset",
    ...present(optional),
    dates: present(dates),
    summary: summaryOf({ metadata: body.metadata }, model, results),
    subjects: subjectsOf(
      body,
      model,
      results.map(({ kind }) => kind),
    ),
    funding: valuesFor("funding").flatMap(fundingOf),
    publications: valuesFor("publications").flatMap(publicationOf),
    references: unique(
      valuesFor("databases").flatMap((value) => mentionOf(value)[0]?.identifier ?? []),
      ({ scheme, value }) => `${scheme}:${value}`,
    ),
    results,
  };
}

/** What a record is called: its title, else its id. */
export function titleOf({ id, metadata }: Pick<RecordBody, "id" | "metadata">, { describe }: Model): string {
  const labels = valuesOf({ metadata }, describe.roles.get("title")).map(labelOf);
  return labels.find((label) => label !== undefined) ?? id;
}

/** The members that are there. */
function present<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

const DATE = /^\d{4}(?:-\d\d(?:-\d\d)?)?(?=$|T)/;

/** Returns the day on which an embargo ends, or undefined if there is no embargo or no date. */
function issuedOf(access: string | undefined, available: string | undefined): string | undefined {
  return access === "embargoed" && available !== undefined ? DATE.exec(available)?.[0] : undefined;
}

function mentionOf(value: Json): readonly Mention[] {
  const text = labelOf(value);
  if (text === undefined) return [];
  const identifier = recogniseIdentifier(text);
  return [{ text, ...(identifier === undefined ? {} : { identifier }) }];
}

function licenseOf(value: Json): readonly License[] {
  const url = textAt(value, "url");
  const name = textAt(value, "name") ?? labelOf(value) ?? url;
  if (name === undefined) return [];
  const spdx = spdxOf(url ?? name);
  return [{ name, ...(url === undefined ? {} : { url }), ...(spdx === undefined ? {} : { spdx }) }];
}

const CREATIVE_COMMONS = /creativecommons\.org\/(licenses|publicdomain)\/([a-z-]+)\/(\d\.\d)/i;
const SPDX = /spdx\.org\/licenses\/([\w.+-]+?)(?:\.html|\.json)?$/i;

/** SPDX identifier of the address of a licence. */
function spdxOf(url: string): string | undefined {
  const [, kind, name, version] = CREATIVE_COMMONS.exec(url) ?? [];
  if (name !== undefined) return kind === "publicdomain" ? `CC0-${version}` : `CC-${name.toUpperCase()}-${version}`;
  return SPDX.exec(url)?.[1];
}

/** Values that say what a record is about: cited terms with what identifies them, and texts. */
function subjectsOf(body: RecordBody, model: Model, kinds: readonly string[]): readonly Subject[] {
  const declared = (model.describe.roles.get("subjects") ?? []).flatMap((field) =>
    valuesOf({ metadata: body.metadata }, [field]).flatMap((value): readonly Subject[] => {
      const label = labelOf(value);
      if (label === undefined) return [];
      const id = isObject(value) ? own(value, "id") : undefined;
      const identifier = typeof id === "string" ? recogniseIdentifier(id) : undefined;
      return [{ label, field: field.name, ...(identifier === undefined ? {} : { identifier }) }];
    }),
  );
  const measured = kinds.map((label) => ({ label, field: "result_type" }));
  return unique([...declared, ...measured], ({ label }) => label.toLowerCase());
}

function fundingOf(value: Json): readonly Funding[] {
  if (!isObject(value)) return [];
  const funding = present({
    funder: textAt(value, "funder_name"),
    title: labelOf(value),
    number: textAt(value, "grant_id"),
    id: textAt(value, "id"),
  });
  return Object.keys(funding).length === 0 ? [] : [funding];
}

function publicationOf(value: Json): readonly Publication[] {
  const text = textAt(value, "pid") ?? (isObject(value) ? undefined : labelOf(value));
  const title = textAt(value, "title");
  const kind = textAt(value, "type");
  const mention = text === undefined ? [] : mentionOf(text);
  if (mention[0] === undefined && title === undefined) return [];
  return [{ text: title ?? "", ...mention[0], ...present({ title, kind }) }];
}
