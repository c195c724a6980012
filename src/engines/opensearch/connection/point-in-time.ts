import { unavailable } from "./map-error.js";
import type { SearchTarget } from "./multi-search.js";
import type { SearchClient } from "./search-client.js";

/** How long it stays without being asked. */
export const POINT_KEPT = "1m";

/** An index as it is at one moment. */
export interface PointInTime {
  readonly index: string;
  readonly target: SearchTarget;
  close(): Promise<void>;
}

interface PointAnswer {
  readonly pit_id: string;
  readonly _shards: { readonly failed: number };
}

/** @throws BinderyError SEARCH_UNAVAILABLE */
export async function openPoint(client: SearchClient, index: string): Promise<PointInTime> {
  const path = `/${index}/_search/point_in_time`;
  const query = { keep_alive: POINT_KEPT, allow_partial_pit_creation: false };
  const { pit_id: pit, _shards } = await client.send<PointAnswer>({ method: "POST", path, query });
  const close = async (): Promise<void> => {
    // One that is not closed ends by itself.
    const body = { pit_id: [pit] };
    await client.send({ method: "DELETE", path: "/_search/point_in_time", body }).catch(() => undefined);
  };
  if (_shards.failed > 0) {
    await close();
    throw unavailable("a part of its index is not there");
  }
  return { index, target: { pit }, close };
}
