import type { JsonObject } from "../../src/core/json.js";
import { publish, recordWith } from "./deposit.js";
import type { Client } from "./http-client.js";

/** Organism, KD and its unit; no number: the record has another result. */
export type KdRecord = readonly [organism: string, kd: number | undefined, unit: string];

/** Publishes a record for each. @returns their ids */
export async function publishKds(client: Client, records: readonly KdRecord[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [n, record] of records.entries()) ids.push((await publish(client, bodyOf(n, record))).id);
  return ids;
}

function bodyOf(n: number, [organism, kd, unit]: KdRecord): { metadata: JsonObject } {
  const { metadata } = recordWith(n, {});
  const general = metadata.general_parameters as Record<string, JsonObject[]>;
  const [entity, ...others] = general.entities_of_interest!;
  const entities = [
    { ...entity, source_organism: { id: organism } },
    ...others.filter((other) => other.source_organism === undefined),
  ];
  const measured =
    kd === undefined
      ? { type: "Hill coefficient", value: n, unit: "unitless" }
      : { type: "Constant of dissociation KD", value: kd, unit };
  const results = general.results!.map((result) => ({ ...result, ...measured }));
  return { metadata: { ...metadata, general_parameters: { ...general, entities_of_interest: entities, results } } };
}
