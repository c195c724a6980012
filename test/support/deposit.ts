import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import type { Bindery } from "./bindery.js";
import type { Client, RecordShape } from "./http-client.js";
import { makeRecord } from "./records.js";

/** Saves a draft; it may have errors. */
export async function deposit(client: Client, body: object, model = "mst"): Promise<RecordShape> {
  const answer = await client.post<RecordShape>(`/api/records/${model}/`, body);
  expect(answer.status, answer.text.slice(0, 2_000)).toBe(201);
  return answer.body;
}

/** Saves a draft without errors and publishes it. */
export async function publish(client: Client, body: object, model = "mst"): Promise<RecordShape> {
  const draft = await deposit(client, body, model);
  expect(draft.errors, JSON.stringify(draft.errors)).toBeUndefined();
  const answer = await client.post<RecordShape>(`/api/records/${model}/${draft.id}/draft/actions/publish`);
  expect(answer.status, answer.text.slice(0, 2_000)).toBe(202);
  return answer.body;
}

/** A valid record, with parts of `general_parameters` replaced. `undefined` removes one. */
export function recordWith(n: number, general: object, options: { title?: string } = {}): { metadata: JsonObject } {
  const { metadata } = makeRecord(n, options);
  const merged = { ...(metadata.general_parameters as JsonObject), ...general };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return { metadata: { ...metadata, general_parameters: kept as JsonObject } };
}

/** An import reads a longer file on a thread of its own, which only the built program has. */
const READ_HERE_LENGTH_MAX = 500_000;

/** Imports items into a vocabulary through the command line. */
export async function importItems(
  bindery: Pick<Bindery, "data" | "cli" | "program">,
  vocabulary: string,
  items: readonly object[],
): Promise<string> {
  const file = join(bindery.data, `${vocabulary}-${Math.random().toString(36).slice(2)}.ndjson`);
  const text = `${items.map((item) => JSON.stringify(item)).join("\n")}\n`;
  writeFileSync(file, text);
  const run = text.length > READ_HERE_LENGTH_MAX ? bindery.program : bindery.cli;
  const done = await run("import", "vocabulary", vocabulary, file);
  expect(done.code, done.stderr).toBe(0);
  return done.stdout;
}

/**
 * Tries until it succeeds, for what another process does in its own time.
 * @throws after `timeoutMs` what the last try threw
 */
export async function eventually<T>(attempt: () => Promise<T>, timeoutMs = 10_000): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
