/** The page of a molecule, and the records of the same molecules as a record. */
import type { FastifyInstance } from "fastify";
import type { Model } from "../../core/catalog/types.js";
import { mainIdOf, moleculesIn } from "../../core/citable/molecules.js";
import { valueLabel, valuesAt } from "../../core/citable/values-at.js";
import { fail } from "../../core/errors.js";
import { recordsPart, termsPart } from "../../core/feed/feed.js";
import { isObject } from "../../core/json.js";
import type { RecordBody } from "../../core/record.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import { makeRecordFacets, type RecordFacets } from "../../services/search/facets.js";
import {
  addPage,
  JSON_ONLY,
  type PageOptions,
  type PageRedirect,
  type PageRequest,
  type PageSources,
  publicParts,
} from "../answers/page-route.js";
import { moleculePage } from "../pages/molecule-page.js";
import type { PageView } from "../parts/frame.js";
import type { HitView } from "../views/hit-view.js";
import { moleculeView } from "../views/molecule-view.js";
import { moleculePath } from "../views/page-addresses.js";
import { findStructures } from "./structure-addresses.js";

/** Adds the page of a molecule. */
export function addMoleculePage(app: FastifyInstance, options: PageOptions): void {
  const facetsOf = makeRecordFacets(options.catalog);
  addPage(app, options, {
    url: "/molecules/:id",
    isSearch: true,
    data: JSON_ONLY,
    make: (request) => makeMolecule(options, request, facetsOf),
  });
}

async function makeMolecule(
  { services, catalog }: PageOptions,
  { params: { id = "" } }: PageRequest,
  facetsOf: RecordFacets,
): Promise<PageView | PageRedirect> {
  if (clip(id) !== id) throw fail("MOLECULE_NOT_FOUND", { id: clip(id) });
  const answer = await services.readMolecule(id, "en");
  if (answer.kind === "moved") return { status: 301, to: moleculePath(answer.to) };
  const { molecule, behind } = answer;
  const { term, name: title } = molecule;
  const [at] = term === undefined ? [] : (await findStructures(services, catalog, [term])).values();
  const picture = at === undefined ? undefined : { at, title };
  const page = moleculePage(moleculeView(molecule, catalog, facetsOf(undefined, false), picture));
  return { ...page, ...publicParts([recordsPart(), termsPart()], { behind }) };
}

/** Other records of the molecules of a record. */
interface RelatedRecords {
  /** The molecules of the record that have ids, with the paths of their pages. */
  readonly molecules: readonly { readonly name: string; readonly page: string }[];
  readonly hits: readonly HitView[];
}

/** Maximum numbers of molecules whose records are searched, and of these records. */
const MOLECULES_MAX = 6;
const RECORDS_MAX = 5;

/** Finds other records of the molecules of a record: first those with all of them. */
export async function findRelated(
  { services, hitView }: PageSources,
  { metadata, parent }: Pick<RecordBody, "metadata" | "parent">,
  { molecules: list }: Model,
): Promise<RelatedRecords & { readonly behind?: number | undefined }> {
  const objects = list === undefined ? [] : valuesAt({ metadata }, list.path).filter(isObject);
  const molecules = objects.flatMap((object) => {
    const ids = [...new Set(moleculesIn(object, list!.ids).map(({ id }) => id))];
    return ids.length === 0 ? [] : [{ name: valueLabel(object) ?? "", ids, main: mainIdOf(object, list!.ids) }];
  });
  const searched = molecules.slice(0, MOLECULES_MAX);
  if (searched.length === 0) return { molecules: [], hits: [] };
  const { records, behind } = await services.findRecordsOfMolecules(
    searched.map(({ ids }) => ids),
    { not: parent.id, size: RECORDS_MAX },
  );
  return {
    molecules: searched.flatMap(({ name, main }) => (main === undefined ? [] : [{ name, page: moleculePath(main) }])),
    hits: records.map((record) => hitView(record)),
    behind,
  };
}
