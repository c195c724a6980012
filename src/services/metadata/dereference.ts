import { fieldsAlong } from "../../core/catalog/field-tree.js";
import type { TermSite } from "../../core/catalog/types.js";
import type { Issue, Warning } from "../../core/issue.js";
import { type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { Messages } from "../../core/messages/messages.js";
import type { AsCited } from "../../core/record.js";
import type { CitedTerm } from "../../core/term.js";
import { termUuid } from "../../core/terms/term-version.js";
import type { Citation, TermReader, TermReference } from "../../ports/store.js";
import type { AuthorityAnswer } from "../api/preparation.js";
import type { FindNearTerms, NearTerm } from "../context/deps.js";
import { type BodyPath, formatFieldPath, IssueList, makeIssue, valueIfShort } from "../input/issues.js";
import { nameField, type Wording } from "../input/name-field.js";
import { rewriteSites, type SiteTree } from "../input/walk-sites.js";
import { warnAboutDropped } from "./fill-references.js";

/** Metadata with their cited terms filled in, and the problems with these. */
export interface Dereferenced {
  readonly metadata: JsonObject;
  /** Each cited term once. */
  readonly cited: readonly CitedTerm[];
  /** Each reference to a term that does not exist, once, in the alternatives that the record chose. */
  readonly unknownTerms: readonly TermReference[];
  readonly issues: IssueList<Issue>;
  readonly warnings: IssueList<Warning>;
}

/** Returns each different reference to a term at the term sites of metadata. */
export function referencesOf(metadata: JsonObject, tree: SiteTree<TermSite>): readonly TermReference[] {
  const references = new Map<string, TermReference>();
  rewriteSites(metadata, tree, (element, sites) => {
    const id = own(element, "id");
    if (typeof id !== "string" || id.length > LIMITS.termIdLengthMax) return element;
    for (const { vocabulary } of sites) references.set(termKey(vocabulary, id), { vocabulary, id });
    return element;
  });
  return [...references.values()];
}

/** Returns the cited terms that metadata contain, filled in, with their places, in document order. */
export function citedTermsOf(metadata: JsonObject, tree: SiteTree<TermSite>): readonly AsCited[] {
  const citedTerms: AsCited[] = [];
  rewriteSites(metadata, tree, (term, sites, place) => {
    const [version, id] = [own(term, "@v"), own(term, "id")];
    if (typeof version !== "string" || typeof id !== "string") return term;
    // Among alternatives, the version identifies the vocabulary.
    const site = sites.find(({ vocabulary }) => version.startsWith(`${termUuid(vocabulary, id)}::`));
    if (site !== undefined) citedTerms.push({ field: formatFieldPath(place), vocabulary: site.vocabulary, term });
    return term;
  });
  return citedTerms;
}

/**
 * Fills in the terms that `metadata` cites: an object with a text `id` at a term site becomes exactly
 * `{"@v", "id", "title", <declared fields>}`. `warnings` lists the sent values that this replaces. An object with an
 * unknown id stays as sent and is an issue, unless the record chose an alternative that has no such term. All terms are
 * read at once.
 * @param tree the term sites of the model
 * @param lookups answers of authorities about unknown terms
 */
export async function dereference(
  terms: TermReader,
  findNearTerms: FindNearTerms,
  tree: SiteTree<TermSite>,
  metadata: JsonObject,
  wording: Wording,
  lookups: readonly AuthorityAnswer[] = [],
): Promise<Dereferenced> {
  const references = referencesOf(metadata, tree);
  const citations = new Map<string, Citation>();
  for (const citation of references.length === 0 ? [] : await terms.cite(references)) {
    citations.set(termKey(citation.reference.vocabulary, citation.reference.id), citation);
  }

  const cited = new Map<string, CitedTerm>();
  const unknown: Unknown[] = [];
  const warnings = new IssueList<Warning>();
  const filled = rewriteSites(metadata, tree, (element, sites, place) => {
    const id = own(element, "id");
    if (typeof id !== "string") return element;
    for (const site of sites) {
      const citation = citations.get(termKey(site.vocabulary, id));
      if (citation === undefined) continue;
      cited.set(termKey(site.vocabulary, citation.term.id), citation.term);
      const term = citedElement(citation.term, site);
      addTermWarnings(warnings, { sent: element, stored: term, place }, citation, wording.say);
      return term;
    }
    unknown.push({ place: [...place], id, vocabulary: sites[0]!.vocabulary });
    return element;
  });
  const chosen = inChosenAlternatives(unknown, filled, wording);
  const issues = await issuesOfUnknown(terms, findNearTerms, chosen, { ...wording, metadata: filled }, lookups);
  return { metadata: filled, cited: [...cited.values()], unknownTerms: withoutRepeats(chosen), issues, warnings };
}

function withoutRepeats(unknown: readonly Unknown[]): readonly TermReference[] {
  const short = unknown.filter(({ id }) => id.length <= LIMITS.termIdLengthMax);
  return [...new Map(short.map(({ vocabulary, id }) => [termKey(vocabulary, id), { vocabulary, id }])).values()];
}

/** Returns a unique key: the name of a vocabulary has no blank. */
const termKey = (vocabulary: string, id: string): string => `${vocabulary} ${id}`;

/** Returns the object that a record contains for a cited term. */
function citedElement(term: CitedTerm, site: TermSite): JsonObject {
  const copied: [string, Json][] = [];
  for (const name of site.fields) {
    const value = own(term.props, name);
    if (value !== undefined && value !== null) copied.push([name, value]);
  }
  return Object.fromEntries([["@v", term.version], ["id", term.id], ["title", term.title], ...copied]);
}

function addTermWarnings(
  warnings: IssueList<Warning>,
  filled: { readonly sent: JsonObject; readonly stored: JsonObject; readonly place: BodyPath },
  { reference, term }: Citation,
  say: Messages,
): void {
  const { vocabulary, id } = term;
  const field = formatFieldPath([...filled.place, "id"]);
  // An id that differs only in case is the same id.
  if (reference.id.toLowerCase() !== id.toLowerCase()) {
    const message = say.TERM_REPLACED({ id: reference.id, successor: id });
    warnings.add(() => ({ code: "TERM_REPLACED", message, field, value: reference.id }));
  }
  if (term.status === "deprecated") {
    const message = say.TERM_DEPRECATED({ id, vocabulary });
    warnings.add(() => ({ code: "TERM_DEPRECATED", message, field, value: reference.id }));
  }
  // A client that sends back what it read has an old @v, which needs no warning.
  warnAboutDropped(warnings, filled, ["@v", "id"], "TERM_FIELD_REPLACED", (value) =>
    say.TERM_FIELD_REPLACED({ ...value, vocabulary, id }),
  );
}

interface Unknown {
  readonly place: BodyPath;
  readonly id: string;
  /** The first one if alternatives cite several vocabularies. */
  readonly vocabulary: string;
}

/** Returns the unknown ids in fields of the alternatives that the record chose. */
function inChosenAlternatives(
  unknown: readonly Unknown[],
  metadata: JsonObject,
  { fields }: Wording,
): readonly Unknown[] {
  return unknown.flatMap((each) => {
    const place = each.place.slice(1);
    const field = fieldsAlong(fields, metadata, place)[place.length];
    return field === undefined ? [] : [{ ...each, vocabulary: field.term?.vocabulary ?? each.vocabulary }];
  });
}

/** Details about an id that its vocabulary lacks. */
interface Absence {
  readonly code: "TERM_GONE" | "TERM_UNKNOWN";
  readonly nearest: readonly NearTerm[];
}

async function issuesOfUnknown(
  terms: TermReader,
  findNearTerms: FindNearTerms,
  unknown: readonly Unknown[],
  { metadata, ...wording }: Wording & { readonly metadata: JsonObject },
  lookups: readonly AuthorityAnswer[],
): Promise<IssueList<Issue>> {
  const { say } = wording;
  const absences = new Map<string, Absence>();
  const answers = new Map(lookups.map((lookup) => [termKey(lookup.vocabulary, lookup.id), lookup]));
  const issues = new IssueList<Issue>();
  const fieldLabelAt = (place: BodyPath): string => nameField(wording, metadata, place.slice(1)).label;
  for (const { place, vocabulary, id } of unknown) {
    const key = termKey(vocabulary, id);
    const value = valueIfShort(id);
    const answer = answers.get(key);
    if (answer?.outcome === "unavailable") {
      const { authority, reason = "" } = answer;
      // Similar terms are left out, because nobody knows whether the term exists.
      issues.add(() => {
        const message = say.TERM_UNCHECKED({ label: fieldLabelAt(place), id, vocabulary, authority, reason });
        return makeIssue([...place, "id"], "TERM_UNCHECKED", [message], { value });
      });
      continue;
    }
    if (!absences.has(key)) {
      // Each look-up costs a search in the writer thread.
      const looksUp = absences.size < LIMITS.nearestLookupsMax;
      const isGone = looksUp && (await terms.get(vocabulary, id))?.kind === "gone";
      const nearest = looksUp ? await findNearTerms(vocabulary, id) : [];
      absences.set(key, { code: isGone ? "TERM_GONE" : "TERM_UNKNOWN", nearest });
    }
    const { code, nearest } = absences.get(key)!;
    issues.add(() => {
      const [first] = nearest;
      const message = say[code]({
        label: fieldLabelAt(place),
        id,
        vocabulary,
        nearest: first,
        authority: answer?.authority,
      });
      const near = nearest.length > 0 ? { nearest } : {};
      return makeIssue([...place, "id"], code, [message], { value, ...near });
    });
  }
  return issues;
}
