/** Parameters that choose which facets of a search are counted, and which of their buckets are listed. */
import { Type } from "typebox";
import { type FacetKindName, facetKind, kindsWhere } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { LIMITS } from "../../core/limits.js";
import type { SearchRequest } from "../../services/api/searches.js";
import { type ParameterValues, type PathNames, parameter, type ValueRefusal } from "./parameter.js";
import { clip } from "./parameter-reader.js";
import type { Query } from "./url-encoding.js";

/** Kinds of facets whose buckets have others below them. */
const NESTED_KINDS = kindsWhere(({ isNested }) => isNested);

/** Value of `facets` that counts no facet. */
const NONE = "none";

/** Parameters of facets. */
export const FACETS = {
  facets: parameter(
    Type.Array(Type.String(), {
      description: "Counts only the facets of these names (repeatable); `none` leaves the aggregations out.",
    }),
    { check: checkNames },
  ),
  facet_size: parameter(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.facetBucketsMax,
      description: "Maximum number of buckets per facet; selected ones are always listed.",
    }),
    { default: LIMITS.facetBucketsDefault },
  ),
  facet_text: parameter(
    Type.String({
      description:
        "With exactly one facet in `facets`: lists its buckets whose label, synonym or key matches this text as " +
        "`suggest` does: the last word may be incomplete.",
    }),
    { check: (text, path, query) => checkSingleFacet("facet_text", text, path, query) },
  ),
  facet_below: parameter(
    Type.String({
      description:
        `With exactly one facet in \`facets\`, of the type \`${NESTED_KINDS.join("` or `")}\`: lists the nearest ` +
        "buckets below this key, each with `has_below` if there are more below it.",
    }),
    {
      check: (text, path, query) => checkSingleFacet("facet_below", text, path, query, NESTED_KINDS),
      conflicts: { facet_text: 'Send "facet_text" or "facet_below", not both.' },
    },
  ),
  facet_bins: parameter(
    Type.Array(Type.String(), {
      description:
        `Cuts a histogram into equal steps between its smallest and its largest number: \`kd:24\`, at most ` +
        `${LIMITS.facetStepsMax} steps; repeatable. All steps are listed in their order, including empty ones.`,
    }),
    { check: checkSteps },
  ),
};

const facetNames = ({ facets }: PathNames): readonly string[] => facets.map(({ name }) => name);

function checkNames(text: string, path: PathNames): ValueRefusal | undefined {
  const names = [NONE, ...facetNames(path)];
  if (text === "" || names.includes(text)) return undefined;
  const values = `${NONE} or names of facets (${facetNames(path).join(", ")})`;
  const message = `The parameter "facets" must be ${values}, not "${clip(text)}".`;
  return { message, allowed: names };
}

/**
 * Checks a parameter that applies to a single facet.
 * @param kinds kinds of the facet; absent if any facet is allowed
 */
function checkSingleFacet(
  name: string,
  text: string,
  path: PathNames,
  query: Query,
  kinds?: readonly FacetKindName[],
): ValueRefusal | undefined {
  const names = query.get("facets") ?? [];
  const allowed = path.facets.filter((facet) => kinds?.includes(facet.kind) !== false).map((facet) => facet.name);
  if (text === "" || (names.length === 1 && allowed.includes(names[0]!))) return undefined;
  const facet = kinds === undefined ? "one facet" : `one facet of the type ${kinds.join(" or ")}`;
  const choices = allowed.length === 0 ? "there is none here" : allowed.join(", ");
  return { message: `"${name}" goes with the name of exactly ${facet} in "facets" (${choices}).`, allowed };
}

const STEPS = /^([^:]+):(\d{1,3})$/u;

function checkSteps(text: string, { facets }: PathNames): ValueRefusal | undefined {
  const histograms = facets.filter(({ kind }) => facetKind(kind).hasSteps).map(({ name }) => name);
  const [, name = "", count = ""] = STEPS.exec(text) ?? [];
  const max = LIMITS.facetStepsMax;
  if (histograms.includes(name) && Number(count) >= 1 && Number(count) <= max) return undefined;
  const example = `${histograms[0] ?? "<name>"}:24`;
  const choices = histograms.length === 0 ? "there is none here" : histograms.join(", ");
  const message =
    `The parameter "facet_bins" must be the name of a histogram (${choices}) and a number of steps from 1 to ${max}, ` +
    `such as "${example}", not "${clip(text)}".`;
  return { message };
}

/** Returns the part of a search request about facets. */
export function readCounting(values: ParameterValues<typeof FACETS>): Pick<SearchRequest, "facetSize" | "counting"> {
  const { facets = [], facet_size, facet_text = "", facet_below = "", facet_bins = [] } = values;
  const names = facets.filter((name) => name !== "" && name !== NONE);
  const steps = Object.fromEntries(facet_bins.map((text) => text.split(":")).map(([name, n]) => [name, Number(n)]));
  const counting = {
    ...(names.length === 0 ? {} : { names }),
    ...(facet_bins.length === 0 ? {} : { steps }),
    ...(facet_text === "" ? {} : { text: facet_text }),
    ...(facet_below === "" ? {} : { below: facet_below }),
  };
  const facetSize = facets.includes(NONE) && names.length === 0 ? 0 : facet_size;
  return { facetSize, ...(Object.keys(counting).length === 0 ? {} : { counting }) };
}
