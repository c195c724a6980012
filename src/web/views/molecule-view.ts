/** A molecule as its page shows it. */
import type { MoleculeContent, MoleculeFigure, MoleculeResult } from "../../core/answers/molecule-answers.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { DepositedNumber } from "../../core/citable/record-results.js";
import { recogniseIdentifier } from "../../core/identifiers.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { type NumberColumn, numberColumn } from "../notation/columns.js";
import { symbolsText, termName } from "../notation/names.js";
import { type ChosenUnit, derivedQuantity, type Quantity, readQuantity, unitOfColumn } from "../notation/quantity.js";
import type { RichText } from "../notation/rich-text.js";
import type { Picture } from "./compounds.js";
import { type FacetView, facetViews } from "./facet-view.js";
import { shortPath } from "./hit-view.js";
import { address, moleculePath, SearchAddress, termPath } from "./page-addresses.js";

/** Content of the page of a molecule. */
export interface MoleculeView {
  readonly id: string;
  readonly name: string;
  /** Page of the register about it. */
  readonly register: string | undefined;
  readonly records: number;
  /** Number of records that were read, the newest first. Absent: all records. */
  readonly read: number | undefined;
  /** Address of the search for its records. */
  readonly search: string;
  readonly picture: Picture | undefined;
  /** Address of the term with the same id. */
  readonly term: string | undefined;
  readonly names: readonly string[];
  readonly facts: readonly {
    readonly name: "identifiers" | "organisms" | "variants" | "models";
    readonly values: readonly FactValue[];
  }[];
  readonly sequences: readonly { readonly text: string; readonly records: number }[];
  readonly partners: readonly PartnerView[];
  /** Symbol of the best numbers of partners. */
  readonly best: RichText;
  readonly results: readonly ResultRow[];
  readonly columns: readonly FigureColumn[];
  readonly charts: readonly FacetView[];
}

/** A value with the number of records that have it. */
interface FactValue {
  readonly text: RichText;
  readonly records: number;
  /** Address of a page here, or of another site. */
  readonly to?: string | undefined;
  readonly href?: string | undefined;
}

interface PartnerView {
  readonly name: string;
  readonly page: string | undefined;
  readonly records: number;
  /** Address of the search for the records with both. */
  readonly search: string | undefined;
  readonly best: Quantity | undefined;
}

interface FigureColumn {
  readonly name: string;
  readonly symbol: RichText;
  readonly numbers: NumberColumn;
}

interface ResultRow {
  readonly record: string;
  readonly title: string;
  readonly model: string;
  readonly created: string;
  readonly partners: readonly { readonly name: string; readonly page: string | undefined }[];
  /** By the name of the quantity, in the unit of its column. */
  readonly figures: ReadonlyMap<string, Quantity>;
}

/** Maximum number of columns of numbers. */
const COLUMNS_MAX = 3;

/** Makes the view of a molecule. @param facets those of all models */
export function moleculeView(
  molecule: MoleculeContent,
  { models, vocabularies }: Catalog,
  facets: readonly SearchedFacet[],
  picture: Picture | undefined,
): MoleculeView {
  const all = [...models.values()];
  const model = all.find(({ molecules }) => molecules !== undefined)!;
  const figures = molecule.results.flatMap((result) => result.figures);
  const unitByName = new Map(
    [...new Set(figures.map(({ quantity }) => quantity))].map((name) => [
      name,
      unitOf(
        figures.filter(({ quantity }) => quantity === name),
        model,
      ),
    ]),
  );
  const rows = molecule.results.map((result) =>
    resultRow(result, models, (figure) => readFigure(figure, all, unitByName.get(figure.quantity))),
  );
  const bestUnit = unitOf(
    molecule.partners.flatMap(({ best }) => best ?? []),
    model,
  );
  const { id, term, records, read } = molecule;
  return {
    id,
    name: molecule.name,
    register: recogniseIdentifier(id)?.url,
    records,
    read: read < records ? read : undefined,
    search: searchOf(model, [id]),
    picture,
    term: term && termPath(term.vocabulary, term.id),
    names: molecule.names.map(({ name }) => name).filter((name) => name !== molecule.name),
    facts: factsOf(molecule, model, { models, vocabularies }).filter(({ values }) => values.length > 0),
    sequences: molecule.sequences.map(({ sequence, records: count }) => ({ text: sequence, records: count })),
    partners: molecule.partners.map(({ id: partner, name, records: count, best }) => ({
      name,
      page: partner === undefined ? undefined : moleculePath(partner),
      records: count,
      search: partner === undefined ? undefined : searchOf(model, [id, partner]),
      best: best && readFigure(best, all, bestUnit),
    })),
    best: symbolText([...(model.page.head?.figures.keys() ?? [])].slice(0, 1), all),
    results: rows,
    columns: figureColumns(rows, model, all),
    charts: chartsOf(molecule, facets, model, all),
  };
}

/** Returns the address of the search for the records with all of some molecules. */
function searchOf({ molecules }: Pick<Model, "molecules">, ids: readonly string[]): string {
  const field = molecules?.name ?? "";
  const [only = "", ...others] = ids;
  // The facet does not have first blocks of InChIKeys.
  const isWhole = others.length === 0 && !/^inchikey:[^-]*$/.test(only);
  const pair = isWhole ? ([field, only] as const) : (["q", ids.map((id) => `${field}:"${id}"`).join(" ")] as const);
  return address("search", [pair]);
}

const declaredSymbol =
  (models: readonly Model[]) =>
  (name: string): string | undefined =>
    models.map(({ fields }) => fields.get(name)?.symbol).find(Boolean);

const symbolText = (names: readonly string[], models: readonly Model[]): RichText =>
  symbolsText(names, declaredSymbol(models));

function readFigure(
  { from, ...figure }: MoleculeFigure,
  models: readonly Model[],
  to: ChosenUnit | undefined,
): Quantity | undefined {
  const units = models[0]?.units;
  const measured = measuredFigure(figure);
  return from === undefined
    ? readQuantity(measured, units, to)
    : derivedQuantity(measured, symbolText(from, models), units, to);
}

const measuredFigure = ({ value, unit, error }: Pick<MoleculeFigure, "value" | "unit" | "error">): DepositedNumber => ({
  value,
  unit,
  error: error && { lower: error.lower, upper: error.upper, isRelative: error.is_relative === true },
});

/** Returns the unit of a column of numbers. */
const unitOf = (figures: readonly MoleculeFigure[], { units }: Pick<Model, "units">): ChosenUnit | undefined =>
  unitOfColumn(figures.map(measuredFigure), units);

function resultRow(
  { record, title, model, created, with: partners, figures }: MoleculeResult,
  models: Catalog["models"],
  quantityOf: (figure: MoleculeFigure) => Quantity | undefined,
): ResultRow {
  const quantities = figures.flatMap((figure) => {
    const quantity = quantityOf(figure);
    return quantity === undefined ? [] : [[figure.quantity, quantity] as const];
  });
  return {
    record,
    title,
    model: models.get(model)?.shortTitle ?? model,
    created,
    partners: partners.map(({ id, name }) => ({ name, page: id === undefined ? undefined : moleculePath(id) })),
    figures: new Map(quantities),
  };
}

/** Returns the columns of the quantities that most rows have, in the order of the head of a record. */
function figureColumns(rows: readonly ResultRow[], { page }: Model, models: readonly Model[]): readonly FigureColumn[] {
  const countOf = (name: string): number => rows.filter(({ figures }) => figures.has(name)).length;
  const [main, ...others] = [...(page.head?.figures.keys() ?? [])].filter((name) => countOf(name) > 0);
  const chosen = new Set(others.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, COLUMNS_MAX - 1));
  return [...(main === undefined ? [] : [main]), ...others.filter((name) => chosen.has(name))].map((name) => ({
    name,
    symbol: symbolText([name], models),
    numbers: numberColumn(rows.flatMap(({ figures }) => figures.get(name) ?? [])),
  }));
}

function factsOf(
  { id, identifiers, organisms, variants, models: used }: MoleculeContent,
  model: Model,
  { models, vocabularies }: Pick<Catalog, "models" | "vocabularies">,
): MoleculeView["facts"] {
  const { organism, variant } = model.describe.molecules ?? {};
  const { name: field = "", path = "" } = model.molecules ?? {};
  const vocabulary = model.termSites.find((site) => site.path === `${path}.${organism}`)?.vocabulary;
  const list = shortPath(path, model.roots);
  const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  return [
    {
      name: "identifiers",
      values: identifiers.map((each) => ({ text: [each.id], records: each.records, to: moleculePath(each.id) })),
    },
    {
      name: "organisms",
      values: organisms.map((each) => ({
        text: termName(vocabularies.get(vocabulary ?? ""), each.name),
        records: each.records,
        to: vocabulary === undefined || each.id === undefined ? undefined : termPath(vocabulary, each.id),
      })),
    },
    {
      name: "variants",
      values: variants.map((each) => {
        const q = `${list}:(${field}:${quoted(id)} AND ${variant}:${quoted(each.name)})`;
        return { text: [each.name], records: each.records, to: address("search", [["q", q]]) };
      }),
    },
    {
      name: "models",
      values: used.map((each) => ({
        text: [each.title],
        records: each.records,
        to: address(models.has(each.name) ? `records/${each.name}` : "search", [["q", `${field}:${quoted(id)}`]]),
      })),
    },
  ];
}

/** Returns the histograms of the facets of numbers. Their bars lead to the records with these numbers. */
function chartsOf(
  { id, aggregations }: MoleculeContent,
  facets: readonly SearchedFacet[],
  { molecules, units }: Model,
  models: readonly Model[],
): readonly FacetView[] {
  const numbers = facets.filter(({ name, kind }) => kind === "histogram" && aggregations[name] !== undefined);
  const query = new Map([["q", [`${molecules?.name}:"${id}"`]]]);
  const first = numbers.map(({ name }) => name);
  const findSymbol = declaredSymbol(models);
  return facetViews(numbers, aggregations, {
    address: SearchAddress.of("search", query),
    units,
    first,
    symbolOf: findSymbol,
  });
}
