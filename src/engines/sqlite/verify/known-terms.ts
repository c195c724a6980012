import { isObject, type Json } from "../../../core/json.js";
import type { Db } from "../database.js";
import { currentGeneration, type Generation } from "../terms/generation.js";
import { findRow } from "../terms/put-row.js";
import { contentOf } from "../terms/term-row.js";
import { termUuid } from "../terms/version.js";

/** A term as it is now. */
interface Known {
  readonly version: string;
  readonly names: readonly string[];
}

/** What the names of cited terms were when a body was written, as far as it can be said. */
export interface NamesThen {
  namesOf(vocabulary: string, id: string): readonly string[];
  /** Were all names that were asked for those of that time? */
  isCertain(): boolean;
}

/** Terms that are kept in memory; what is looked up beyond them is looked up again. */
const KEPT_MAX = 50_000;

/**
 * A body says by its `@v` which revision of a term was written into its index. Where that is the present one, its
 * names are known; where the term changed since they are not.
 */
export function makeNamesThen(db: Db): (metadata: Json) => NamesThen {
  const generations = new Map<string, Generation | undefined>();
  const known = new Map<string, Known | undefined>();
  const find = (vocabulary: string, id: string): Known | undefined => {
    const key = `${vocabulary}/${id}`;
    if (known.has(key)) return known.get(key);
    if (!generations.has(vocabulary)) generations.set(vocabulary, currentGeneration(db, vocabulary));
    if (known.size > KEPT_MAX) known.clear();
    const term = readTerm(generations.get(vocabulary), vocabulary, id);
    known.set(key, term);
    return term;
  };
  return (metadata) => {
    const versions = versionsIn(metadata);
    let isCertain = true;
    return {
      namesOf(vocabulary, id) {
        const uuid = termUuid(vocabulary, id);
        const then = [...(versions.get(id) ?? [])].filter((version) => version.startsWith(`${uuid}::`));
        const now = find(vocabulary, id);
        const isSame = now === undefined ? then.length === 0 : then.length === 1 && then[0] === now.version;
        if (!isSame) isCertain = false;
        return now?.names ?? [];
      },
      isCertain: () => isCertain,
    };
  };
}

function readTerm(generation: Generation | undefined, vocabulary: string, id: string): Known | undefined {
  const row = generation && findRow(generation, id);
  if (row === undefined) return undefined;
  const version = `${termUuid(vocabulary, id)}::${row.revision}`;
  try {
    return { version, names: (contentOf(row).synonyms ?? []).map(({ name }) => name) };
  } catch {
    // An item that cannot be read is a finding of its own; here it is one that nobody wrote like that.
    return { version: "", names: [] };
  }
}

/** The `@v` of each id that a body cites. */
function versionsIn(metadata: Json): Map<string, Set<string>> {
  const versions = new Map<string, Set<string>>();
  const walk = (value: Json): void => {
    if (Array.isArray(value)) {
      for (const item of value) walk(item);
    } else if (isObject(value)) {
      const { id, "@v": version } = value;
      if (typeof id === "string" && typeof version === "string") {
        versions.set(id, (versions.get(id) ?? new Set()).add(version));
      }
      for (const inner of Object.values(value)) walk(inner);
    }
  };
  walk(metadata);
  return versions;
}
