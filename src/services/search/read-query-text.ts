/** Explains the text of a query part by part, and completes it. */

import type {
  Completion as FinishedCompletion,
  QueryPart,
  QueryText as QueryTextAnswer,
  QueryWarning,
} from "../../core/answers/query-text.js";
import type { Warning } from "../../core/issue.js";
import { startSlices } from "../../core/slices.js";
import { type Completion, completeName, completeOperator, completeUnit } from "../../query/complete/completions.js";
import { type TypingContext, typingContextAt } from "../../query/complete/typing-context.js";
import { type FindCures, makeCures } from "../../query/describe/cures.js";
import { type DescribedPart, describeParts } from "../../query/describe/describe-parts.js";
import { findWarnings, hasNoNewWarnings } from "../../query/describe/unit-offers.js";
import { printQuery } from "../../query/parse/print.js";
import { type Positions, positionsIn, type Span } from "../../query/text/positions.js";
import type { QueryTextRequest } from "../api/searches.js";
import type { Deps } from "../context/deps.js";
import { findModel, findVocabulary } from "../context/find-model.js";
import { useCase } from "../context/use-case.js";
import type { CountText } from "./complete-value.js";
import { completeValue } from "./complete-value.js";
import { completeWords } from "./complete-words.js";
import { readDistinctTitles } from "./distinct-titles.js";
import { makeCounter, makeRecordSpace, makeTermSpace, type QueryCounter, type QuerySpace } from "./query-space.js";
import { type PreparedQuery, readQuery } from "./read-query.js";

/**
 * Maximum number of parts whose hits are counted, and that are offered for removal. With more, only the whole is
 * counted.
 */
const COUNTED_PARTS_MAX = 20;
const COMPLETIONS_MAX = 12;

/** A parsed text, with the names and values that it was resolved with. */
interface Reading {
  readonly q: string;
  readonly lang: string;
  readonly read: PreparedQuery;
  readonly space: QuerySpace;
  readonly positions: Positions;
  readonly nowMicros: number;
}

/**
 * Explains and completes the text of a query. It counts public hits.
 * @returns `isUnsettled`: the same text may get another answer although nothing was published
 */
export const readQueryText = useCase({ thread: "search" }, (deps) => {
  const spaceOf = cacheSpaces(deps);
  return async (
    request: QueryTextRequest,
  ): Promise<{ readonly answer: QueryTextAnswer; readonly isUnsettled: boolean }> => {
    const { q, at, lang, totals } = request;
    const space = spaceOf(request);
    const read = readQuery({ q }, space.fields, deps.clock);
    const nowMicros = deps.clock.nowMicros();
    const reading: Reading = { q, lang, read, space, positions: positionsIn(q), nowMicros };
    const counter = makeCounter(deps, space);
    const total = totals ? await counter.count(read.tree, { isNeeded: true }) : undefined;
    const described = describeParts(read.parts, {
      text: q,
      fields: space.fields,
      fieldLabel: space.fieldLabel,
      nowMicros,
    });
    const completions = at === undefined ? undefined : await complete(deps, reading, at, counter, totals);
    const isShort = queryParts(described).length <= COUNTED_PARTS_MAX;
    const parts = await finishParts(deps, reading, described, {
      isShort,
      counter: totals && isShort ? counter : undefined,
    });
    const answer = {
      ...read.query,
      total,
      parts,
      completions,
      warnings: await placeWarnings(reading, described),
    };
    return { answer, isUnsettled: read.usesNow || counter.isUnsettled };
  };
});

/** Makes a function that returns the query space of a model, a vocabulary or all models, and caches it. */
function cacheSpaces(deps: Deps): (request: Pick<QueryTextRequest, "model" | "vocabulary">) => QuerySpace {
  const spaces = new Map<string, QuerySpace>();
  return ({ model, vocabulary }) => {
    const key = JSON.stringify([model, vocabulary]);
    const space = spaces.get(key) ?? makeSpace(deps, model, vocabulary);
    spaces.set(key, space);
    return space;
  };
}

function makeSpace(deps: Deps, model: string | undefined, vocabulary: string | undefined): QuerySpace {
  const { catalog } = deps;
  if (vocabulary !== undefined) return makeTermSpace(deps, findVocabulary(catalog, vocabulary));
  return makeRecordSpace(deps, model === undefined ? [...catalog.models.values()] : [findModel(catalog, model)]);
}

/** Returns the parts that are queries by themselves, at all levels. */
function queryParts(parts: readonly DescribedPart[]): readonly DescribedPart[] {
  return parts.flatMap((part) => [...(part.query === undefined ? [] : [part]), ...queryParts(part.parts ?? [])]);
}

/** Adds titles of terms, numbers of hits, and places in code points to the parts. */
async function finishParts(
  { store }: Pick<Deps, "store">,
  { lang, positions, read, space, nowMicros }: Reading,
  described: readonly DescribedPart[],
  { isShort, counter }: { readonly isShort: boolean; readonly counter?: QueryCounter | undefined },
): Promise<readonly QueryPart[]> {
  const cited = new Map<string, Set<string>>();
  for (const { vocabulary, id } of queryParts(described).flatMap(({ ids = [] }) => ids)) {
    cited.set(vocabulary, (cited.get(vocabulary) ?? new Set()).add(id));
  }
  const titles = new Map<string, string>();
  for (const [vocabulary, ids] of cited) {
    for (const [id, title] of await readDistinctTitles(store.terms, vocabulary, [...ids], lang)) titles.set(id, title);
  }
  // Without the part, the rest may be parsed differently: then its removal is not offered.
  const isLeft = (without: string): boolean =>
    hasNoNewWarnings(findWarnings(without, space.fields, nowMicros), read.warnings);
  const finish = async (part: DescribedPart): Promise<QueryPart> => {
    const { ids = [], query, without, parts, from, to, ...description } = part;
    const citedTerm = ids.find(({ id }) => titles.has(id));
    const total = query === undefined ? undefined : await counter?.count(query);
    return {
      from: positions.toPoints(from),
      to: positions.toPoints(to),
      ...description,
      term: citedTerm === undefined ? undefined : { id: citedTerm.id, title: titles.get(citedTerm.id)! },
      parsed: query === undefined ? undefined : printQuery(query),
      total,
      without: without !== undefined && isShort && isLeft(without) ? without : undefined,
      parts: parts === undefined ? undefined : await finishAll(parts),
    };
  };
  const finishAll = async (parts: readonly DescribedPart[]): Promise<readonly QueryPart[]> => {
    const finished: QueryPart[] = [];
    for (const part of parts) finished.push(await finish(part));
    return finished;
  };
  return finishAll(described);
}

/** Returns the warnings with their places and cures. Each cure is read, so other work can run between the warnings. */
async function placeWarnings(reading: Reading, described: readonly DescribedPart[]): Promise<readonly QueryWarning[]> {
  const { q: text, read, space, nowMicros } = reading;
  const { parts, warnings } = read;
  const findCures = makeCures({ text, parts, warnings, fields: space.fields, nowMicros });
  const slices = startSlices();
  const placed: QueryWarning[] = [];
  for (const warning of warnings) {
    await slices.pause();
    placed.push(placeWarning(warning, reading, described, findCures));
  }
  return placed;
}

function placeWarning(
  warning: Warning,
  reading: Reading,
  described: readonly DescribedPart[],
  findCures: FindCures,
): QueryWarning {
  const { read, positions } = reading;
  const span = read.places.get(warning) ?? findWarningSpan(warning, reading, described);
  if (span === undefined) return warning;
  const cures = findCures(warning, span);
  const { from, to } = span;
  const at = { from: positions.toPoints(from), to: positions.toPoints(to) };
  return { ...warning, ...at, cures: cures.length === 0 ? undefined : cures };
}

/** Returns the place of a warning that has none: the smallest part that causes the same warning alone. */
function findWarningSpan(
  warning: Warning,
  reading: Pick<Reading, "space" | "nowMicros">,
  described: readonly DescribedPart[],
): Span | undefined {
  const causesWarning = ({ query }: DescribedPart): boolean => {
    const { space, nowMicros } = reading;
    const warnings = query === undefined ? [] : findWarnings(printQuery(query), space.fields, nowMicros);
    return warnings?.some(({ code, value }) => code === warning.code && value === warning.value) === true;
  };
  const part = described.find(causesWarning);
  return part && (findWarningSpan(warning, reading, part.parts ?? []) ?? part);
}

async function complete(deps: Deps, reading: Reading, at: number, counter: QueryCounter, totals: boolean) {
  const { q, positions, space } = reading;
  const typed = typingContextAt(q, positions.toUnits(at), space.fields);
  const slices = startSlices();
  const finished: FinishedCompletion[] = [];
  const count = totals ? counter.countText : async () => undefined;
  for (const completion of await completionsOf(deps, reading, typed, { counter, count })) {
    if (finished.length === COMPLETIONS_MAX) break;
    await slices.pause();
    if (!isReadAsIntended(completion, reading)) continue;
    const { from, to } = completion;
    const alone = valueAlone(completion, typed);
    const total = alone === undefined ? undefined : await count(alone);
    // Values without hits are offered only if something was typed after the name of a field.
    if (total === 0 && (typed.value === undefined || typed.value.text === "")) continue;
    finished.push({
      ...completion,
      from: positions.toPoints(from),
      to: positions.toPoints(to),
      doc_count: total,
    });
  }
  return finished;
}

async function completionsOf(
  deps: Deps,
  { q, lang, space }: Reading,
  typed: TypingContext,
  { counter, count }: { readonly counter: QueryCounter; readonly count: CountText },
): Promise<readonly Completion[]> {
  const { name, value, unit, operator, outer, words } = typed;
  const countValue: CountText = (insert) => count(valueQuery(insert, typed));
  const values = value && (await counter.attempt(() => completeValue(deps, space, value, { lang, count, countValue })));
  const use = unit && (await counter.attempt(() => space.unitUse(unit.field), { isSettled: false }));
  const units = unit === undefined ? [] : completeUnit(unit, space.fields.units, use);
  const operators = operator === undefined ? [] : completeOperator(operator, q.slice(operator.to));
  const found = await counter.attempt(() => completeWords(deps, space, words, { lang, count }));
  const names = name === undefined ? [] : completeName(name, outer, space);
  // A field whose whole name was typed is meant more often than a molecule with these letters.
  const isTyped = ({ insert }: Completion): boolean => insert.toLowerCase() === `${name?.text.toLowerCase()}:`;
  const others = [...(found ?? []), ...names.filter((each) => !isTyped(each))];
  return [...(values ?? []), ...units, ...operators, ...names.filter(isTyped), ...others];
}

/** Returns whether the completed query has no new warnings. A field or operator is tested with `*` after it. */
function isReadAsIntended({ kind, insert, from, to }: Completion, { q, read, space, nowMicros }: Reading): boolean {
  const rest = q.slice(to);
  const isOpen = kind === "field" || kind === "operator";
  const next = isOpen && /^\s*(?:$|\))/u.test(rest) ? "*" : "";
  const text = q.slice(0, from) + insert + next + rest;
  return hasNoNewWarnings(findWarnings(text, space.fields, nowMicros), read.warnings);
}

/** Returns a query for the field with this value alone, in its groups; undefined if the completion is not a value. */
function valueAlone(completion: Completion, typed: TypingContext): string | undefined {
  const { kind, insert, field_label: isWhole } = completion;
  if (isWhole !== undefined) return insert;
  return typed.value === undefined || (kind !== "value" && kind !== "term") ? undefined : valueQuery(insert, typed);
}

/** Returns a query for the typed field with a value alone, in its groups. */
function valueQuery(insert: string, { value, groups }: TypingContext): string {
  if (value === undefined) return insert;
  const name = value.within ? `${value.name}.within` : value.name;
  return groups.reduceRight((inner, group) => `${group}:(${inner})`, `${name}:${insert}`);
}
