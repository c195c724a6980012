import { fieldsTo } from "../../core/catalog/field-tree.js";
import type { TermSite } from "../../core/catalog/types.js";
import type { Issue, Warning } from "../../core/issue.js";
import { type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { Messages } from "../../core/messages/messages.js";
import type { CitedTerm } from "../../core/term.js";
import type { Citation, NearTerm, TermFinder, TermReader, TermReference } from "../../ports/store.js";
import type { LookedUp } from "../api/prepare-services.js";
import { type BodyPath, fieldOf, Listed, makeIssue } from "../input/issues.js";
import { nameField, type Wording } from "../input/name-field.js";
import { rewriteSites, type SiteTree } from "../input/walk-sites.js";
import { shownValue } from "../rules/shown.js";
import { nearestTerms } from "../search/near-terms.js";
import { warnOfDropped } from "./dropped-fields.js";
import { referencesOf } from "./term-references.js";

export interface Dereferenced {
  readonly metadata: JsonObject;
  /** Each cited term once. */
  readonly cited: readonly CitedTerm[];
  /** What is cited and no term, each once, as the record chose its alternatives. */
  readonly unknown: readonly TermReference[];
  readonly issues: Listed<Issue>;
  readonly warnings: Listed<Warning>;
}

/**
 * Fills in the terms that `metadata` cites: an object with a text `id` at a term site becomes exactly
 * `{"@v", "id", "title", <declared fields>}`. What was sent in their place is named in `warnings`; an id that no
 * vocabulary has leaves its element as sent and is an issue; not where the object is another alternative than the one
 * that has this term. All terms are fetched in one go.
 * @param tree of the model's term sites
 * @param lookedUp what authorities said of terms that are not loaded
 */
export async function dereference(
  terms: TermReader,
  finder: Pick<TermFinder, "nearest">,
  tree: SiteTree<TermSite>,
  metadata: JsonObject,
  wording: Wording,
  lookedUp: readonly LookedUp[] = [],
): Promise<Dereferenced> {
  const asked = referencesOf(metadata, tree);
  const found = new Map<string, Citation>();
  const citations = asked.length === 0 ? [] : await terms.cite(asked);
  for (const citation of citations) found.set(keyOf(citation.asked.vocabulary, citation.asked.id), citation);

  const cited = new Map<string, CitedTerm>();
  const unknown: Unknown[] = [];
  const warnings = new Listed<Warning>();
  const filled = rewriteSites(metadata, tree, (element, sites, place) => {
    const id = own(element, "id");
    if (typeof id !== "string") return element;
    for (const site of sites) {
      const citation = found.get(keyOf(site.vocabulary, id));
      if (citation === undefined) continue;
      cited.set(keyOf(site.vocabulary, citation.term.id), citation.term);
      const term = elementOf(citation.term, site);
      warnOf(warnings, { sent: element, made: term, place }, citation, wording.say);
      return term;
    }
    unknown.push({ place: [...place], id, vocabulary: sites[0]!.vocabulary });
    return element;
  });
  const known = knownPlaces(unknown, filled, wording);
  const issues = await unknownTerms(terms, finder, known, { ...wording, metadata: filled }, lookedUp);
  return { metadata: filled, cited: [...cited.values()], unknown: eachOnce(known), issues, warnings };
}

function eachOnce(unknown: readonly Unknown[]): readonly TermReference[] {
  const short = unknown.filter(({ id }) => id.length <= LIMITS.termIdLengthMax);
  return [...new Map(short.map(({ vocabulary, id }) => [keyOf(vocabulary, id), { vocabulary, id }])).values()];
}

/** No vocabulary's name holds a blank. */
const keyOf = (vocabulary: string, id: string): string => `${vocabulary} ${id}`;

/** A term as it stands in a record. */
function elementOf(term: CitedTerm, site: TermSite): JsonObject {
  const copied: [string, Json][] = [];
  for (const name of site.fields) {
    const value = own(term.props, name);
    if (value !== undefined && value !== null) copied.push([name, value]);
  }
  return Object.fromEntries([["@v", term.version], ["id", term.id], ["title", term.title], ...copied]);
}

function warnOf(
  warnings: Listed<Warning>,
  filled: { readonly sent: JsonObject; readonly made: JsonObject; readonly place: BodyPath },
  { asked, term }: Citation,
  say: Messages,
): void {
  const { vocabulary, id } = term;
  const field = fieldOf([...filled.place, "id"]);
  // Only other capitals are the same id.
  if (asked.id.toLowerCase() !== id.toLowerCase()) {
    const message = say.TERM_REPLACED({ id: asked.id, successor: id });
    warnings.add(() => ({ code: "TERM_REPLACED", message, field, value: asked.id }));
  }
  if (term.status === "deprecated") {
    const message = say.TERM_DEPRECATED({ id, vocabulary });
    warnings.add(() => ({ code: "TERM_DEPRECATED", message, field, value: asked.id }));
  }
  // A client's @v is discarded without a word: it sends back what it once read.
  warnOfDropped(warnings, filled, ["@v", "id"], "TERM_FIELD_REPLACED", (what) =>
    say.TERM_FIELD_REPLACED({ ...what, vocabulary, id }),
  );
}

interface Unknown {
  readonly place: BodyPath;
  readonly id: string;
  /** The first, where alternatives cite several. */
  readonly vocabulary: string;
}

/** Returns the ids in fields of the alternatives that the record chose. */
function knownPlaces(unknown: readonly Unknown[], metadata: JsonObject, { fields }: Wording): readonly Unknown[] {
  return unknown.flatMap((each) => {
    const place = each.place.slice(1);
    const field = fieldsTo(fields, metadata, place)[place.length];
    return field === undefined ? [] : [{ ...each, vocabulary: field.term?.vocabulary ?? each.vocabulary }];
  });
}

/** What is known of an id that its vocabulary does not have. */
interface Absence {
  readonly code: "TERM_GONE" | "TERM_UNKNOWN";
  readonly nearest: readonly NearTerm[];
}

async function unknownTerms(
  terms: TermReader,
  finder: Pick<TermFinder, "nearest">,
  unknown: readonly Unknown[],
  { metadata, ...wording }: Wording & { readonly metadata: JsonObject },
  lookedUp: readonly LookedUp[],
): Promise<Listed<Issue>> {
  const { say } = wording;
  const known = new Map<string, Absence>();
  const said = new Map(lookedUp.map((each) => [keyOf(each.vocabulary, each.id), each]));
  const issues = new Listed<Issue>();
  const labelOf = (place: BodyPath): string => nameField(wording, metadata, place.slice(1)).label;
  for (const { place, vocabulary, id } of unknown) {
    const key = keyOf(vocabulary, id);
    const value = shownValue(id);
    const answer = said.get(key);
    if (answer?.outcome === "away") {
      const { authority, reason = "" } = answer;
      // What it might be like is no answer to whether it is there.
      issues.add(() => {
        const message = say.TERM_UNCHECKED({ label: labelOf(place), id, vocabulary, authority, reason });
        return makeIssue([...place, "id"], "TERM_UNCHECKED", [message], { value });
      });
      continue;
    }
    if (!known.has(key)) {
      // Each look-up costs a search in the writer.
      const looksUp = known.size < LIMITS.nearestLookupsMax;
      const isGone = looksUp && (await terms.get(vocabulary, id))?.kind === "gone";
      const nearest = looksUp ? await nearestTerms(finder, vocabulary, id) : [];
      known.set(key, { code: isGone ? "TERM_GONE" : "TERM_UNKNOWN", nearest });
    }
    const { code, nearest } = known.get(key)!;
    issues.add(() => {
      const [first] = nearest;
      const message = say[code]({
        ...{ label: labelOf(place), id, vocabulary },
        ...(first === undefined ? {} : { nearest: first }),
        ...(answer === undefined ? {} : { authority: answer.authority }),
      });
      const near = nearest.length > 0 ? { nearest } : {};
      return makeIssue([...place, "id"], code, [message], { value, ...near });
    });
  }
  return issues;
}
