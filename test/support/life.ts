import { expect } from "vitest";
import type { Client, RecordShape } from "./http-client.js";

export const recordPath = (id: string): string => `/api/records/mst/${id}`;
export const draftPath = (id: string): string => `${recordPath(id)}/draft`;

/** Opens the edit draft of a published record. */
export async function edit(client: Client, id: string): Promise<RecordShape> {
  const answer = await client.post<RecordShape>(draftPath(id));
  expect(answer.status, answer.text.slice(0, 500)).toBe(201);
  return answer.body;
}

/** Makes the draft of a new version. */
export async function newVersion(client: Client, id: string): Promise<RecordShape> {
  const answer = await client.post<RecordShape>(`${recordPath(id)}/versions`);
  expect(answer.status, answer.text.slice(0, 500)).toBe(201);
  return answer.body;
}

export async function publishDraft(client: Client, id: string): Promise<RecordShape> {
  const answer = await client.post<RecordShape>(`${draftPath(id)}/actions/publish`);
  expect(answer.status, answer.text.slice(0, 500)).toBe(202);
  return answer.body;
}

/** @param reason absent: no body */
export async function retract(client: Client, id: string, reason?: string): Promise<void> {
  const options = reason === undefined ? {} : { json: { removal_reason: reason } };
  const answer = await client.delete(recordPath(id), options);
  expect(answer.status, answer.text.slice(0, 500)).toBe(204);
}

export async function readRecord(client: Client, id: string): Promise<RecordShape> {
  const answer = await client.get<RecordShape>(recordPath(id));
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  return answer.body;
}

/** `[index, is_latest, is_latest_draft]` of a body. */
export function flagsOf({ versions }: RecordShape): readonly unknown[] {
  return [versions.index, versions.is_latest, versions.is_latest_draft];
}
