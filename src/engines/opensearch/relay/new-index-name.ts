import { greatestOf } from "../../../core/arrays.js";
import type { IndexState } from "../../../ports/index-source.js";
import { listIndexes } from "../connection/indexes.js";
import type { SearchClient } from "../connection/search-client.js";

/**
 * `<prefix>-<n>`: a number that no index has, also none that the store does not know: what is there under the name of
 * another one is never taken for it.
 */
export async function newIndexName(
  client: SearchClient,
  prefix: string,
  states: readonly Pick<IndexState, "name">[],
): Promise<string> {
  const known = [...(await listIndexes(client, `${prefix}-`)), ...states.map(({ name }) => `${name}-`)];
  const numbers = known.map((name) => Number(/^\d+(?=-)/u.exec(name.slice(prefix.length + 1))?.[0] ?? 0));
  return `${prefix}-${greatestOf([0, ...numbers]) + 1}`;
}
