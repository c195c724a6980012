import type { FastifyInstance } from "fastify";
import type { Catalog, Model } from "../../core/catalog/types.js";
import { type Citable, citedUrl, type Site } from "../../core/citable/citable.js";
import { describeRecord, measuredPart, type Neighbours, recordTitle } from "../../core/citable/describe-record.js";
import { valuesAt } from "../../core/citable/values-at.js";
import { recordsPart, termsPart } from "../../core/feed/feed.js";
import type { JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { type RecordBody, type StoredRecord, storedBody } from "../../core/record.js";
import { beginningOf, beginningOfText, pageSizesOf } from "../../core/records/beginning.js";
import { CITATION_STYLES, writeCitation } from "../../formats/records/citation.js";
import { PAGE_FORMATS, RECORD_FORMATS, recordPageLinks } from "../../formats/records/formats.js";
import { jsonLd } from "../../formats/records/json-ld.js";
import { linkHeader } from "../../formats/records/signposting.js";
import { siteOf } from "../../http/answers/links.js";
import { RECORD_TYPES } from "../../http/parameters/representation.js";
import type { Services } from "../../services/use-cases.js";
import {
  addPage,
  JSON_ONLY,
  leaveLargePage,
  type PageOptions,
  type PageRedirect,
  type PageRequest,
  type PageSources,
  publicParts,
} from "../answers/page-route.js";
import { recordPage, type ShownSection, type Version, versionsPage } from "../pages/record-page.js";
import type { MachineHead, PageView } from "../parts/frame.js";
import { compoundKey } from "../views/compounds.js";
import { headOf } from "../views/head-view.js";
import { factsOfRecord } from "../views/hit-view.js";
import { recordPath } from "../views/page-addresses.js";
import { recordItem, sectionsOf } from "../views/record-sections.js";
import { isRowsParameter, RowPages } from "../views/row-pages.js";
import { type ChecksView, checksOf, contentOf } from "../views/section-content.js";
import { WORDS } from "../words/page-en.js";
import { findRelated } from "./molecule-routes.js";
import { findStructures } from "./structure-addresses.js";

/** Returns the address of the record that the path of a page names. */
const requestedRecord = ({
  params: { model, id = "" },
}: PageRequest): { readonly model?: string | undefined; readonly id: string } => ({ model: model || undefined, id });

/** Adds the pages of single records. */
export function addRecordPages(app: FastifyInstance, options: PageOptions): void {
  const add = (url: string, make: (request: PageRequest) => Promise<PageView | PageRedirect>) =>
    addPage(app, options, { url, data: JSON_ONLY, make });
  addPage(app, options, {
    url: "/records/:model/:id",
    data: RECORD_TYPES,
    make: (request) => recordPageOf(options, request),
  });
  for (const base of ["/records/:model/:id", "/records/:id"]) {
    add(`${base}/versions`, (request) => versionsPageOf(options, request));
    for (const end of ["versions/latest", "latest"]) {
      add(`${base}/${end}`, (request) => latestOf(options, request));
    }
  }
  addOldAddresses(app, options);
}

/** Redirects the addresses that other repositories use: `/<model>/<id>` in MBDB, formerly `/record/<id>` in Zenodo. */
function addOldAddresses(app: FastifyInstance, options: PageOptions): void {
  for (const first of ["record", ...options.catalog.models.keys()]) {
    addPage(app, options, {
      url: `/${first}/:id([0-9A-Za-z]{5}-[0-9A-Za-z]{5})`,
      data: RECORD_TYPES,
      dataAt: async ({ params: { id = "" } }) => `api/records/${id}`,
      make: ({ params: { id = "" } }) => ({ status: 301, to: recordPath(id) }),
    });
  }
}

/** Makes the page of a published version. Redirects the id of a parent to its latest version. */
export async function recordPageOf(sources: PageSources, request: PageRequest): Promise<PageView | PageRedirect> {
  const { services, catalog, site, fieldsOf } = sources;
  const target = requestedRecord(request);
  const record = await services.readRecord(request.actor, target);
  if (record.id !== target.id.toLowerCase()) return { status: 302, to: recordPath(record.id) };
  leaveLargePage("record", request, [record]);
  const model = catalog.models.get(record.model)!;
  const whole = storedBody(record);
  const { metadata } = beginningOf(whole.metadata, PAGE_LIMITS);
  const body = { ...whole, metadata };
  const [{ hits }, { structures, successors, parts: termParts }, related] = await Promise.all([
    services.listVersions(request.actor, record, { page: 1, size: VERSIONS_MAX }),
    structuresOf(services, catalog, body, model),
    findRelated(sources, body, model),
  ]);
  leaveLargePage("record", request, [record, ...hits]);
  const versions = versionsOf(body, hits, catalog);
  const citable = withShortTitle(describeRecord(body, model, neighbourIds(record.id, versions)));
  const installation = siteOf(site.address);
  const sizes = pageSizesOf(whole.metadata, PAGE_LIMITS.values);
  const rows = new RowPages(sizes, recordPath(record.id), request.query, model.roots);
  const shown = beginningOf(whole.metadata, { ...PAGE_LIMITS, pages: rows });
  const parts = {
    vocabularies: catalog.vocabularies,
    structures,
    successors,
    whole: whole.metadata,
    listLengths: shown.listLengths,
    rows,
    asCited: body.as_cited ?? [],
    anchorIds: new Set<string>(),
  };
  const written = (part: JsonObject) => recordItem(part, model, fieldsOf(model), { ...parts, writing: "words" });
  const item = written(shown.metadata);
  const measured = measuredPart(metadata, model);
  const page = recordPage({
    record: citable,
    head: headOf(measured === shown.metadata ? item : written(measured), model),
    facts: model.page.head?.conditions === undefined ? factsOfRecord(body, model, catalog.vocabularies) : [],
    newest: citable.isLatest ? undefined : versions[0]?.id,
    address: citedUrl(installation, citable),
    isCut: shown.isCut,
    isPart: [...request.query.keys()].some(isRowsParameter),
    sections: withChecks(
      sectionsOf(item, model, undefined).map((section) => ({ ...section, content: contentOf(section, model) })),
      checksOf(whole.metadata, model),
    ),
    deposited: recordItem(shown.metadata, model, fieldsOf(model), { ...parts, writing: "deposited" }),
    citations: CITATION_STYLES.map((style) => ({ style, text: writeCitation(citable, installation, style) })),
    formats: PAGE_FORMATS,
    versions,
    related,
    machine: machineHead(citable, installation),
  });
  // A new version changes the records of the model, and the flags of the other versions.
  const models = related.molecules.length === 0 ? recordsPart(record.model) : recordsPart();
  return { ...page, ...rows.notes({ metadata: whole.metadata }), ...publicParts([models, ...termParts], related) };
}

/** Returns the sections with the checks behind the results, or first if there are no results. */
function withChecks(sections: readonly ShownSection[], checks: ChecksView | undefined): readonly ShownSection[] {
  if (checks === undefined) return sections;
  const at = sections.findIndex(({ content }) => content.form === "results") + 1;
  return sections.toSpliced(at, 0, {
    name: "checks",
    title: WORDS.record.checks.title,
    content: { form: "checks", checks },
  });
}

/** Shortens a long title for the page and its machine-readable metadata. */
const withShortTitle = (record: Citable): Citable => ({
  ...record,
  title: beginningOfText(record.title, LIMITS.listTextLengthMax),
});

/** Maximum content of one page: more than a reader looks at, and fast to render. */
const PAGE_LIMITS = { values: LIMITS.pageValuesMax, textLength: LIMITS.pageTextLengthMax };

/**
 * Finds the pictures of the cited terms and the successors of those that were merged since, and the parts of the public
 * data that they depend on.
 */
async function structuresOf(services: Services, catalog: Catalog, { metadata, as_cited }: RecordBody, model: Model) {
  const citedTerms = model.termSites.flatMap(({ path, vocabulary }) =>
    valuesAt({ metadata }, `${path}.id`).map((id) => ({ vocabulary, id: String(id) })),
  );
  const formerTerms = (as_cited ?? []).map(({ vocabulary, term }) => ({ vocabulary, id: String(term.id) }));
  const names = new Set(citedTerms.map(({ vocabulary }) => vocabulary));
  const replaced = await services.findSuccessors(citedTerms.slice(0, LIMITS.idsMax));
  return {
    structures: await findStructures(services, catalog, [...citedTerms, ...formerTerms]),
    successors: new Map(
      replaced.map(({ reference, successor: { id, title } }) => [
        compoundKey(reference),
        { id, title: title.en ?? Object.values(title)[0] ?? id },
      ]),
    ),
    parts: [...names].map((name) => termsPart(name)),
  };
}

/** Makes the machine-readable metadata in the head of a record page: JSON-LD, links, alternate formats. */
function machineHead(record: Citable, site: Site): MachineHead {
  const alternates = RECORD_FORMATS.filter(({ mediaType }) => !mediaType.includes(";"));
  const signposts = recordPageLinks(record, site);
  return {
    jsonLd: jsonLd.write(record, site),
    links: linkHeader(signposts),
    signposts,
    alternates: alternates.map(({ name, mediaType }) => ({
      path: `${recordPath(record.id)}/export/${name}`,
      type: mediaType,
    })),
  };
}

/** Returns the ids of the previous and the next version. @param versions newest first */
function neighbourIds(id: string, versions: readonly Version[]): Neighbours {
  const at = versions.findIndex((version) => version.id === id);
  const [next, previous] = [versions[at - 1]?.id, versions[at + 1]?.id];
  return { previous, next };
}

/** Makes the page that lists the versions of a record. */
export async function versionsPageOf({ services, catalog }: PageSources, request: PageRequest): Promise<PageView> {
  const record = await services.readRecord(request.actor, requestedRecord(request));
  leaveLargePage("versions", request, [record]);
  const { hits } = await services.listVersions(request.actor, record, { page: 1, size: VERSIONS_MAX });
  leaveLargePage("versions", request, [record, ...hits]);
  const body = storedBody(record);
  const page = versionsPage(versionOf(body, catalog), versionsOf(body, hits, catalog));
  return { ...page, parts: [recordsPart(record.model)] };
}

async function latestOf({ services }: PageOptions, request: PageRequest): Promise<PageRedirect> {
  const { actor } = request;
  const target = requestedRecord(request);
  const { model } = await services.readRecord(actor, target);
  const { id } = await services.readLatest(actor, { model, id: target.id });
  return { status: 302, to: recordPath(id) };
}

/** Maximum number of listed versions. The API pages through all of them. */
const VERSIONS_MAX = 100;

/** Describes all versions of a record, newest first. @param body of one of them */
function versionsOf(body: RecordBody, hits: readonly StoredRecord[], catalog: Catalog): readonly Version[] {
  return hits.map((hit) => versionOf(hit.id === body.id ? body : storedBody(hit), catalog));
}

function versionOf(body: RecordBody, { models }: Catalog): Version {
  const { id, model, created, versions } = body;
  const title = beginningOfText(recordTitle(body, models.get(model)!), LIMITS.listTextLengthMax);
  return { id, model, created, index: versions.index, title };
}
