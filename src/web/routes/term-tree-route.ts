/** The tree of a vocabulary: the way to a term, the terms around it, and its children. */
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { recordsPart } from "../../core/feed/feed.js";
import type { SearchAnswer, TermHit } from "../../services/api/searches.js";
import { type PageOptions, type PageRedirect, type PageRequest, publicParts } from "../answers/page-route.js";
import { type TreeNode, termTreePage } from "../pages/term-tree-page.js";
import type { PageView } from "../parts/frame.js";
import { SearchAddress, treePath } from "../views/page-addresses.js";
import { type TermView, termView } from "../views/term-view.js";
import { searchLeniently } from "./lenient-search.js";
import { countWithin, PLAIN, termParts } from "./term-page-route.js";

/** Number of children of a term on one page. */
const CHILDREN_MAX = 100;

/** Number of levels above the children whose terms are shown with their siblings. Levels above have only the path. */
const WHOLE_LEVELS = 2;

/** Number of terms that a search in the tree lists. */
const FOUND_MAX = 20;

/** Terms with the same parent, or without one. */
interface Level {
  readonly terms: readonly TermView[];
  readonly total: number;
}

/** Reads terms with the same parent. Undefined: terms without a parent */
type ReadLevel = (parent: string | undefined) => Promise<Level>;

/** Makes the page of a tree. With `q`, it leads to the term with this name or id, or lists several. */
export async function makeTree(
  options: PageOptions,
  request: PageRequest,
  vocabulary: Vocabulary,
): Promise<PageView | PageRedirect> {
  const { services, catalog } = options;
  const { query: requestQuery, path } = request;
  const q = requestQuery.get("q")?.[0]?.trim() ?? "";
  const found = q === "" ? undefined : await findInTree(options, request, vocabulary, q);
  if (found !== undefined && "to" in found) return found;
  const at = requestQuery.get("at")?.[0];
  const termAnswer = at === undefined ? undefined : await services.readTerm(vocabulary.name, at);
  const current = termAnswer?.kind === "found" ? termAnswer : undefined;
  const lineage =
    current === undefined ? [] : [...current.ancestors, current.term].map((each) => termView(vocabulary, each));
  const term = lineage.at(-1);
  const search = (parent: string | undefined, window: { readonly cursor: string }) =>
    services.searchTerms(request.actor, {
      ...PLAIN,
      vocabulary: vocabulary.name,
      sort: "title",
      ...(parent === undefined ? { q: "-_exists_:parent status:active" } : { parent }),
      window: { size: CHILDREN_MAX, ...window },
    });
  const levelOf = ({ hits, total }: SearchAnswer<TermHit>): Level => ({
    terms: hits.map((hit) => termView(vocabulary, hit)),
    total,
  });
  const readLevel: ReadLevel = async (parent) => levelOf(await search(parent, { cursor: "*" }));
  const { query, result, warnings } = await searchLeniently(requestQuery, (each) =>
    search(term?.id, { cursor: each.get("cursor")?.[0] ?? "*" }),
  );
  const shown = levelOf(result);
  const levels = await readLevels(lineage, shown, readLevel);
  if (term === undefined) await openRoots(vocabulary, shown.terms, levels, readLevel);
  const ids = [...new Set([...levels.values()].flatMap(({ terms }) => terms.map(({ id }) => id)))];
  const [{ counts, ...freshness }, parents] = await Promise.all([
    countWithin(services, catalog, vocabulary, ids),
    services.findParents(vocabulary.name, ids),
  ]);
  const next = result.next && String(SearchAddress.of(path, query).with("q", undefined).with("cursor", result.next));
  // Single writes can make a term its own ancestor, so a path has each term once.
  const nodesBelow = (parent: string | undefined, above: readonly string[] = []): readonly TreeNode[] =>
    (levels.get(parent)?.terms ?? []).map(({ id, ...each }) => ({
      term: { id, ...each },
      records: counts.get(id),
      hasChildren: parents.has(id),
      children: levels.has(id) && !above.includes(id) ? nodesBelow(id, [...above, id]) : undefined,
      more: id === term?.id ? next : moreOf(vocabulary, id, levels.get(id)),
    }));
  const page = termTreePage({
    warnings,
    vocabulary,
    q,
    found: found?.terms,
    roots: nodesBelow(undefined),
    current: term,
    total: shown.total,
    more: next,
    isWhole: [...query.keys()].every((name) => name === "view"),
  });
  return { ...page, ...publicParts([...termParts(vocabulary), recordsPart()], result, freshness) };
}

/** Returns the address of a level that is shown in part: the tree at its parent, where it has pages. */
const moreOf = ({ name }: Vocabulary, parent: string, level: Level | undefined): string | undefined =>
  level !== undefined && level.total > level.terms.length ? treePath(name, parent) : undefined;

/** Reads the levels from the roots to the current term by the id of their parent; undefined for the roots. */
async function readLevels(
  lineage: readonly TermView[],
  shown: Level,
  readLevel: ReadLevel,
): Promise<Map<string | undefined, Level>> {
  const levels = new Map<string | undefined, Level>();
  for (const [depth, term] of lineage.entries()) {
    const parent = lineage[depth - 1]?.id;
    const isWhole = depth >= lineage.length - WHOLE_LEVELS;
    const { terms, total } = isWhole ? await readLevel(parent) : { terms: [term], total: 1 };
    // The term may be behind the first ones of its level.
    const withTerm = terms.some(({ id }) => id === term.id) ? terms : [...terms, term];
    levels.set(parent, { terms: withTerm, total });
  }
  levels.set(lineage.at(-1)?.id, shown);
  return levels;
}

/** Opens the roots that are too general to be listed by facets, and what is below them. */
async function openRoots(
  vocabulary: Vocabulary,
  terms: readonly TermView[],
  levels: Map<string | undefined, Level>,
  readLevel: ReadLevel,
): Promise<void> {
  for (const { id } of terms) {
    if (vocabulary.unlisted?.includes(id) !== true || levels.has(id)) continue;
    const level = await readLevel(id);
    levels.set(id, level);
    await openRoots(vocabulary, level.terms, levels, readLevel);
  }
}

/** Finds the terms with a name or an id. Leads to the only one, or to the only one with exactly this name or id. */
async function findInTree(
  { services }: PageOptions,
  { actor }: PageRequest,
  vocabulary: Vocabulary,
  q: string,
): Promise<PageRedirect | { readonly terms: readonly TermView[] }> {
  const { name } = vocabulary;
  const window = { page: 1, size: FOUND_MAX };
  const { hits } = hasIdForm(vocabulary, q)
    ? await services.fetchTerms(name, [q])
    : await services.searchTerms(actor, { ...PLAIN, vocabulary: name, suggest: q, window });
  const terms = hits.map((hit) => termView(vocabulary, hit));
  const isNamed = ({ id, title }: TermView): boolean =>
    [id, title].some((text) => text.toLowerCase() === q.toLowerCase());
  const named = terms.filter(isNamed);
  const [only] = named.length === 1 ? named : terms.length === 1 ? terms : [];
  return only === undefined ? { terms } : { status: 302, to: `${treePath(name, only.id)}#at-${encodeURI(only.id)}` };
}
