import { expect } from "vitest";
import type { Bindery } from "./bindery.js";
import type { Received } from "./receiver.js";

/** A webhook as the command line lists it. */
export interface ListedWebhook {
  readonly id: string;
  readonly url: string;
  readonly state: string;
  readonly pending: number;
  readonly dead: number;
  readonly last_error?: string;
}

/** Settings with which receivers on this machine are let through. */
export const ALLOWED = { BINDERY_WEBHOOK_PRIVATE: "on" };

export async function listWebhooks(bindery: Bindery): Promise<ListedWebhook[]> {
  return JSON.parse((await bindery.cli("webhook", "list", "--json")).stdout) as ListedWebhook[];
}

/** Adds a webhook. @returns its secret */
export async function addWebhook(bindery: Bindery, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await bindery.cli("webhook", "add", ...args);
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

/** The ids of what changed, in the order of arrival. */
export const idsOf = (received: readonly Received[]): string[] => received.map(({ delivery }) => delivery.change.id);
