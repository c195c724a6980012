import type { BackgroundReporter } from "../../core/background.js";
import { BinderyError } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { Delivery, DeliveryOutcome, Webhook, WebhookRelayServices } from "../../services/api/change-services.js";
import type { Send, SignedWebhook } from "./send-delivery.js";

interface RelayParts {
  readonly services: Omit<WebhookRelayServices, "hasWebhooks">;
  readonly send: Send;
  /** Hears what the store refused; the relay goes on with its next look. */
  readonly background: BackgroundReporter;
}

export interface RelayOptions {
  readonly attemptsMax: number;
  readonly retryFirstMs: number;
  readonly retryLastMs: number;
  /** How often it is looked whether anything is to be done, while nothing happens here. */
  readonly lookMs: number;
}

const RELAY_OPTIONS: RelayOptions = {
  attemptsMax: LIMITS.webhookAttemptsMax,
  retryFirstMs: LIMITS.webhookRetryFirstMs,
  retryLastMs: LIMITS.webhookRetryLastMs,
  lookMs: 200,
};

/** Deliveries of so many records and items failed, and none succeeded between: the receiver itself is away. */
const STRIKES = 5;

/** A receiver that is away is tried this often at least. */
const PAUSE_LAST_MS = 60_000;

/** A pause is up to so much shorter or longer, so that not all tries come at once. */
const JITTER = 0.2;

/** What is known of one webhook while the relay runs. */
interface Lane {
  /** Records and items of which a change is being delivered. */
  readonly inFlight: Set<string>;
  /** Those of which one failed since the last success. */
  readonly failed: Set<string>;
  pauses: number;
  pausedUntil: number;
}

interface Settled {
  readonly lane: Lane;
  readonly subject: string;
  readonly outcome: DeliveryOutcome;
}

export interface Relay {
  /** Ends what is under way, which is delivered again by the next relay. */
  stop(): Promise<void>;
}

/**
 * Delivers changes to webhooks. A change leaves the queue only when what became of it is in the store, and the next one
 * of the same record or item goes only then: whenever the relay ends, each change is delivered at least once and in
 * order.
 */
export function startRelay({ services, send, background }: RelayParts, options: RelayOptions = RELAY_OPTIONS): Relay {
  const lanes = new Map<string, Lane>();
  const stopping = new AbortController();
  let settled: Settled[] = [];

  const settle = async (): Promise<void> => {
    if (settled.length === 0) return;
    const some = settled;
    await services.settleDeliveries(some.map(({ outcome }) => outcome));
    // Until it is in the store it is not tried again.
    settled = settled.slice(some.length);
    for (const { lane, subject } of some) lane.inFlight.delete(subject);
  };

  const deliver = async (webhook: SignedWebhook, lane: Lane, delivery: Delivery): Promise<void> => {
    const subject = subjectOf(delivery);
    lane.inFlight.add(subject);
    const error = await send(webhook, delivery, stopping.signal);
    if (error !== undefined && stopping.signal.aborted) return;
    noteHealth(lane, subject, error !== undefined, options);
    settled = [...settled, { lane, subject, outcome: outcomeOf(delivery, error, options) }];
    wake();
  };

  /** @returns whether there is more to do at once */
  const serve = async (webhook: Webhook): Promise<boolean> => {
    const lane = lanes.get(webhook.id) ?? { inFlight: new Set(), failed: new Set(), pauses: 0, pausedUntil: 0 };
    lanes.set(webhook.id, lane);
    const batch = await services.findBatch(webhook);
    if (batch !== undefined) await services.queueDeliveries(batch);
    const room = roomOf(lane);
    // Without its secret nothing is sent: what is queued waits, and no try of it is counted.
    if (room > 0 && hasSecret(webhook)) {
      const due = await services.findDue(webhook.id, Date.now(), room + lane.inFlight.size);
      const free = due.filter((delivery) => !lane.inFlight.has(subjectOf(delivery)));
      for (const delivery of free.slice(0, room)) void deliver(webhook, lane, delivery);
    }
    return batch !== undefined;
  };

  const look = async (again: () => void): Promise<void> => {
    await settle();
    const webhooks = await services.relayedWebhooks();
    for (const id of lanes.keys()) if (!webhooks.some((webhook) => webhook.id === id)) lanes.delete(id);
    for (const webhook of webhooks) {
      if (stopping.signal.aborted) return;
      if (await serve(webhook)) again();
    }
    background.onBackgroundSuccess("webhooks");
  };

  /** The store is away, say: the next look comes. Anything else ends the thread, which is logged and started again. */
  const reportKnown = (error: unknown): void => {
    if (!(error instanceof BinderyError)) throw error;
    background.onBackgroundError("webhooks", error);
  };
  const { wake, finished } = repeat((again) => look(again).catch(reportKnown), stopping.signal);
  const timer = setInterval(wake, options.lookMs);
  wake();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await finished();
      await settle().catch(reportKnown);
    },
  };
}

/** Runs `look` whenever it was asked for since it last began, one at a time, until the signal. */
function repeat(look: (again: () => void) => Promise<void>, signal: AbortSignal) {
  let isDue = false;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (isDue && !signal.aborted) {
      isDue = false;
      await look(wake);
    }
  };
  const wake = (): void => {
    isDue = true;
    running ??= run().finally(() => {
      running = undefined;
      if (isDue && !signal.aborted) wake();
    });
  };
  return { wake, finished: async () => void (await running) };
}

const hasSecret = (webhook: Webhook): webhook is SignedWebhook => webhook.secret !== undefined;

const subjectOf = ({ change }: Delivery): string => `${change.kind} ${change.place} ${change.id}`;

function roomOf({ inFlight, pauses, pausedUntil }: Lane): number {
  if (pauses === 0) return LIMITS.webhookInFlightMax - inFlight.size;
  return inFlight.size === 0 && Date.now() >= pausedUntil ? 1 : 0;
}

function noteHealth(lane: Lane, subject: string, hasFailed: boolean, options: RelayOptions): void {
  if (!hasFailed) {
    lane.failed.clear();
    lane.pauses = 0;
    return;
  }
  lane.failed.add(subject);
  if (lane.failed.size < STRIKES || Date.now() < lane.pausedUntil) return;
  lane.pauses += 1;
  lane.pausedUntil = Date.now() + pauseMs(lane.pauses, { ...options, retryLastMs: PAUSE_LAST_MS });
}

function outcomeOf({ id, attempts }: Delivery, error: string | undefined, options: RelayOptions): DeliveryOutcome {
  if (error === undefined) return { id, kind: "delivered" };
  const tries = attempts + 1;
  if (tries >= options.attemptsMax) return { id, kind: "dead", error };
  return { id, kind: "retry", error, due: Date.now() + pauseMs(tries, options) };
}

/** The pause after so many failures. */
function pauseMs(failures: number, { retryFirstMs, retryLastMs }: RelayOptions): number {
  const base = Math.min(retryFirstMs * 2 ** (failures - 1), retryLastMs);
  return Math.round(base * (1 - JITTER + 2 * JITTER * Math.random()));
}
