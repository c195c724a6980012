import { ANONYMOUS } from "../../core/actor.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { Services } from "../../services/api/services.js";
import type { Example } from "../pages/search-page.js";
import { address, searchPath } from "../views/paths.js";

/** Searches that show what the language can do, where the catalog has their fields. */
const CANDIDATES: readonly { readonly label: string; readonly q: string; readonly field?: string }[] = [
  { label: "KD below 1 nM", q: "kd:<1nM", field: "kd" },
  { label: "nanobodies with a KD", q: "nanobody kd:*", field: "kd" },
  {
    label: "enthalpies below -50 kJ/mol",
    q: "results:(type:enthalpy AND value:<-50kJ/mol)",
    field: "dh",
  },
  { label: "of any virus", q: "organism.within:taxid:10239", field: "organism" },
  { label: "human proteins at 37 °C", q: "organism:human temperature:37°C", field: "temperature" },
  { label: "lysozyme", q: "lysozyme" },
  { label: "the newest year", q: "created:>now-1y" },
];

const EXAMPLES_MAX = 5;

/** Examples, and whether the clock decided about one of them, or an index that is behind. */
export interface FoundExamples {
  readonly examples: readonly Example[];
  readonly isUnsettled: boolean;
}

/** Of the examples those that find something in the data that are there. @param model undefined: in all models */
export async function findExamples(services: Services, { models }: Catalog, model?: string): Promise<FoundExamples> {
  const searched = [...models.values()].filter(({ name }) => model === undefined || name === model);
  const fields = new Set(searched.flatMap((each) => [...each.fields.keys()]));
  const known = CANDIDATES.filter(({ field }) => field === undefined || fields.has(field));
  const window = { page: 1, size: 1 };
  const found = await Promise.all(
    known.map(async ({ label, q }) => {
      const asked = { q, window, filters: {}, facetSize: 0, lang: "en", own: false, ...(model && { model }) };
      const { total, behind } = await services.searchRecords(ANONYMOUS, { ...asked, mayBeBehind: true });
      return {
        total,
        isUnsettled: /\bnow\b/.test(q) || behind !== undefined,
        example: { label, page: address(searchPath(model), [["q", q]]) },
      };
    }),
  );
  const finding = found.filter(({ total }) => total > 0).slice(0, EXAMPLES_MAX);
  // Those after the last one that is shown decide nothing.
  const decisive = finding.length < EXAMPLES_MAX ? found : found.slice(0, found.indexOf(finding.at(-1)!) + 1);
  return { examples: finding.map(({ example }) => example), isUnsettled: decisive.some((each) => each.isUnsettled) };
}
