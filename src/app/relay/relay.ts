import type { BackgroundReporter } from "../../core/background.js";
import { BinderyError } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { Delivery, DeliveryOutcome, Webhook, WebhookRelayServices } from "../../services/api/changes.js";
import type { Send, SignedWebhook } from "./send-delivery.js";

interface RelayParts {
  readonly services: Omit<WebhookRelayServices, "hasWebhooks">;
  readonly send: Send;
  /** Receives refusals of the store, after which the relay continues with its next poll. */
  readonly background: BackgroundReporter;
}

/** Options of the webhook relay. */
interface WebhookOptions {
  readonly attemptsMax: number;
  readonly retryFirstMs: number;
  readonly retryLastMs: number;
  /** Interval at which an idle relay polls the store, in milliseconds. */
  readonly pollMs: number;
}

const RELAY_OPTIONS: WebhookOptions = {
  attemptsMax: LIMITS.webhookAttemptsMax,
  retryFirstMs: LIMITS.webhookRetryFirstMs,
  retryLastMs: LIMITS.webhookRetryLastMs,
  pollMs: 200,
};

/** Number of records and terms whose deliveries must fail in a row before the receiver counts as unavailable. */
const FAILED_SUBJECTS_MAX = 5;

/** Maximum pause between tries of an unavailable receiver, in milliseconds. */
const PAUSE_LAST_MS = 60_000;

/** Fraction by which a pause is randomly shortened or lengthened, so that not all retries come at once. */
const JITTER = 0.2;

/** The state of one webhook while the relay runs. */
interface WebhookState {
  /** Records and terms of which a change is being delivered. */
  readonly inFlight: Set<string>;
  /** Records and terms of which a delivery has failed since the last success. */
  readonly failed: Set<string>;
  /** Number of pauses since the last success. */
  pauses: number;
  /** End of the current pause, in milliseconds since 1970. */
  pausedUntil: number;
}

/** The outcome of a delivery, which is not in the store yet. */
interface DeliveryResult {
  readonly state: WebhookState;
  readonly subject: string;
  readonly outcome: DeliveryOutcome;
}

/** The running webhook relay. */
export interface Relay {
  /** Aborts current deliveries, which the next relay repeats. */
  stop(): Promise<void>;
}

/**
 * Delivers changes to webhooks. A change leaves the queue only when its outcome is in the store, and only then is the
 * next change of the same record or term sent. Even if the relay ends at any time, each change is delivered at least
 * once and in order.
 */
export function startRelay({ services, send, background }: RelayParts, options: WebhookOptions = RELAY_OPTIONS): Relay {
  const states = new Map<string, WebhookState>();
  const stopping = new AbortController();
  let results: DeliveryResult[] = [];

  const saveOutcomes = async (): Promise<void> => {
    if (results.length === 0) return;
    const batch = results;
    await services.settleDeliveries(batch.map(({ outcome }) => outcome));
    // A subject stays in flight until its outcome is in the store, so that the delivery is not repeated.
    results = results.slice(batch.length);
    for (const { state, subject } of batch) state.inFlight.delete(subject);
  };

  const deliver = async (webhook: SignedWebhook, state: WebhookState, delivery: Delivery): Promise<void> => {
    const subject = deliverySubject(delivery);
    state.inFlight.add(subject);
    const error = await send(webhook, delivery, stopping.signal);
    if (error !== undefined && stopping.signal.aborted) return;
    noteHealth(state, subject, error !== undefined, options);
    results = [...results, { state, subject, outcome: deliveryOutcome(delivery, error, options) }];
    wake();
  };

  /** Queues and sends changes for one webhook. @returns whether more may wait to be queued */
  const serve = async (webhook: Webhook): Promise<boolean> => {
    const state = states.get(webhook.id) ?? { inFlight: new Set(), failed: new Set(), pauses: 0, pausedUntil: 0 };
    states.set(webhook.id, state);
    const batch = await services.findBatch(webhook);
    if (batch !== undefined) await services.queueDeliveries(batch);
    const slots = freeSlots(state);
    // Without its secret nothing is sent. Queued changes wait, and no tries are counted.
    if (slots > 0 && hasSecret(webhook)) {
      const due = await services.findDue(webhook.id, Date.now(), slots + state.inFlight.size);
      const startable = due.filter((delivery) => !state.inFlight.has(deliverySubject(delivery)));
      for (const delivery of startable.slice(0, slots)) void deliver(webhook, state, delivery);
    }
    return batch !== undefined;
  };

  const poll = async (pollAgain: () => void): Promise<void> => {
    await saveOutcomes();
    const webhooks = await services.relayedWebhooks();
    for (const id of states.keys()) if (!webhooks.some((webhook) => webhook.id === id)) states.delete(id);
    for (const webhook of webhooks) {
      if (stopping.signal.aborted) return;
      if (await serve(webhook)) pollAgain();
    }
    background.onBackgroundSuccess("webhooks");
  };

  /** Reports an error of the catalogue, after which the next poll tries again. Any other error ends the thread. */
  const reportRefusal = (error: unknown): void => {
    if (!(error instanceof BinderyError)) throw error;
    background.onBackgroundError("webhooks", error);
  };
  const { wake, finished } = repeat((pollAgain) => poll(pollAgain).catch(reportRefusal), stopping.signal);
  const timer = setInterval(wake, options.pollMs);
  wake();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await finished();
      await saveOutcomes().catch(reportRefusal);
    },
  };
}

/** Runs `poll` once for all calls of `wake` since its last start, one run at a time, until the signal. */
function repeat(poll: (pollAgain: () => void) => Promise<void>, signal: AbortSignal) {
  let isDue = false;
  let currentRun: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (isDue && !signal.aborted) {
      isDue = false;
      await poll(wake);
    }
  };
  const wake = (): void => {
    isDue = true;
    currentRun ??= run().finally(() => {
      currentRun = undefined;
      if (isDue && !signal.aborted) wake();
    });
  };
  return { wake, finished: async () => void (await currentRun) };
}

const hasSecret = (webhook: Webhook): webhook is SignedWebhook => webhook.secret !== undefined;

const deliverySubject = ({ change }: Delivery): string => `${change.kind} ${change.place} ${change.id}`;

/** Returns how many deliveries may start now. During pauses only one is sent, when a pause has ended. */
function freeSlots({ inFlight, pauses, pausedUntil }: WebhookState): number {
  if (pauses === 0) return LIMITS.webhookInFlightMax - inFlight.size;
  return inFlight.size === 0 && Date.now() >= pausedUntil ? 1 : 0;
}

function noteHealth(state: WebhookState, subject: string, hasFailed: boolean, options: WebhookOptions): void {
  if (!hasFailed) {
    state.failed.clear();
    state.pauses = 0;
    return;
  }
  state.failed.add(subject);
  if (state.failed.size < FAILED_SUBJECTS_MAX || Date.now() < state.pausedUntil) return;
  state.pauses += 1;
  state.pausedUntil = Date.now() + pauseMs(state.pauses, { ...options, retryLastMs: PAUSE_LAST_MS });
}

function deliveryOutcome(
  { id, attempts }: Delivery,
  error: string | undefined,
  options: WebhookOptions,
): DeliveryOutcome {
  if (error === undefined) return { id, kind: "delivered" };
  const tries = attempts + 1;
  if (tries >= options.attemptsMax) return { id, kind: "dead", error };
  return { id, kind: "retry", error, due: Date.now() + pauseMs(tries, options) };
}

/** Returns the pause after a number of failures, in milliseconds. */
function pauseMs(failures: number, { retryFirstMs, retryLastMs }: WebhookOptions): number {
  const base = Math.min(retryFirstMs * 2 ** (failures - 1), retryLastMs);
  return Math.round(base * (1 - JITTER + 2 * JITTER * Math.random()));
}
