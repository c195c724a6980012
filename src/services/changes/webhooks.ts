import { OPERATOR } from "../../core/actor.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { ChangeFilter, ChangePlace } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { makeWebhookSecret, privateAddressIn, WEBHOOK_SECRET_BYTES } from "../../core/webhook-delivery.js";
import type { Delivery, Webhook } from "../../ports/changes.js";
import type { NewWebhook, WebhookRelayServices, WebhookStatus } from "../api/changes.js";
import type { Deps } from "../context/deps.js";
import { operatorUseCase } from "../context/use-case.js";
import { badParameter } from "../input/issues.js";
import { decodePlace } from "./change-feed.js";

/**
 * Adds a webhook. Only its answer contains the secret.
 * @throws PARAMETER_INVALID, CHANGE_CURSOR_INVALID, CHANGE_CURSOR_GONE
 */
export const addWebhook = operatorUseCase(
  ({ runWrite, store, catalog, random }) =>
    async (input: NewWebhook): Promise<Pick<Webhook, "id" | "url" | "filter"> & { readonly secret: string }> => {
      const url = readUrl(input);
      const filter = readFilter(catalog, input);
      const secret = makeWebhookSecret(random.bytes(WEBHOOK_SECRET_BYTES));
      const place = input.since === "now" ? {} : { place: await findPlace(store, input.since) };
      return runWrite({ actor: OPERATOR }, async (tx, note) => {
        if ((await tx.webhooks.list()).length >= LIMITS.webhooksMax) {
          throw badParameter(
            "url",
            `There are ${LIMITS.webhooksMax} webhooks, which is the maximum; remove one first.`,
          );
        }
        const { id } = await tx.webhooks.add({ url, secret, filter, ...place });
        await note({ action: "webhook.add", kind: "webhook", id });
        return { id, url, secret, filter };
      });
    },
);

/** Returns the place of a cursor in the change feed. @throws CHANGE_CURSOR_INVALID, CHANGE_CURSOR_GONE */
async function findPlace(store: Deps["store"], cursor: string): Promise<ChangePlace> {
  const after = decodePlace(cursor);
  await store.changes.page({ after, limit: 1 });
  return after;
}

function readUrl({ url: text, allowsPrivate }: NewWebhook): string {
  const url = URL.canParse(text) && text.length <= LIMITS.webhookUrlLengthMax ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    const most = `of at most ${LIMITS.webhookUrlLengthMax} characters`;
    throw badParameter(
      "url",
      `A webhook needs a URL that begins with https:// or http://, ${most}.`,
      text.slice(0, 200),
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw badParameter(
      "url",
      "The URL must not contain a user name or a password, because lists show it; deliveries are signed instead.",
    );
  }
  const address = privateAddressIn(url);
  if (!allowsPrivate && address !== undefined) {
    throw badParameter("url", `${address} is a private address; BINDERY_WEBHOOK_PRIVATE=on allows it.`, text);
  }
  url.hash = "";
  return url.href;
}

/** Reads the filter of a webhook. If only models or only vocabularies are named, the other kind is left out. */
function readFilter(catalog: Catalog, { kind, models = [], vocabularies = [] }: NewWebhook): ChangeFilter {
  checkNames("model", models, [...catalog.models.keys()]);
  checkNames("vocabulary", vocabularies, [...catalog.vocabularies.keys()]);
  if (kind === "record" && vocabularies.length > 0)
    throw badParameter("kind", "Records do not belong to a vocabulary; leave one of the two options out.", kind);
  if (kind === "term" && models.length > 0)
    throw badParameter("kind", "Terms do not belong to a model; leave one of the two options out.", kind);
  const only =
    kind ?? (models.length > 0 === vocabularies.length > 0 ? undefined : models.length > 0 ? "record" : "term");
  return {
    ...(only === undefined ? {} : { kind: only }),
    ...(models.length === 0 ? {} : { models: [...new Set(models)] }),
    ...(vocabularies.length === 0 ? {} : { vocabularies: [...new Set(vocabularies)] }),
  };
}

function checkNames(what: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, new Set(known), 1);
  const hint = nearest === undefined ? `there are ${known.join(", ")}` : `did you mean ${nearest}?`;
  throw badParameter(what, `There is no ${what} ${unknown}; ${hint}`, unknown, [...known]);
}

/** Lists all webhooks without their secrets, oldest first. */
export const listWebhooks = operatorUseCase(
  ({ store }) =>
    (): Promise<readonly WebhookStatus[]> =>
      store.webhooks.statuses(),
);

/** Lists the failed deliveries of a webhook, latest first. @throws PARAMETER_INVALID if there is no such webhook */
export const listDeadDeliveries = operatorUseCase(({ store }) => async (id: string): Promise<readonly Delivery[]> => {
  if ((await store.webhooks.get(id)) === undefined) throw unknownWebhook(id);
  return store.webhooks.dead(id, LIMITS.webhookDeadMax);
});

function unknownWebhook(id: string): Error {
  return badParameter("id", `There is no webhook with the id ${id}; \`webhook list\` shows the ids.`, id);
}

/** Removes a webhook and its queued deliveries. @throws PARAMETER_INVALID if there is no such webhook */
export const removeWebhook = operatorUseCase(
  ({ runWrite }) =>
    (id: string): Promise<void> =>
      runWrite({ actor: OPERATOR }, async (tx, note) => {
        if (!(await tx.webhooks.remove(id))) throw unknownWebhook(id);
        await note({ action: "webhook.remove", kind: "webhook", id });
      }),
);

/**
 * Sets a new secret of a webhook, if the old one has leaked or cannot be read after a restore. Only the answer contains
 * it. @throws PARAMETER_INVALID if there is no such webhook
 */
export const renewWebhookSecret = operatorUseCase(({ runWrite, random }) => async (id: string): Promise<string> => {
  const secret = makeWebhookSecret(random.bytes(WEBHOOK_SECRET_BYTES));
  return runWrite({ actor: OPERATOR }, async (tx, note) => {
    if (!(await tx.webhooks.setSecret(id, secret))) throw unknownWebhook(id);
    await note({ action: "webhook.secret", kind: "webhook", id });
    return secret;
  });
});

/** Returns advice about a webhook whose secret cannot be read, for example after a restore without the key. */
export function adviseSecret({ id, url, pending }: WebhookStatus): string {
  return (
    `Webhook ${id} (${url}): its secret cannot be read, so nothing is sent (waiting deliveries: ${pending}). Put ` +
    `the file bindery.key back into the data folder, or set a new secret: bindery webhook secret ${id}`
  );
}

/**
 * Delivers changes again: the failed deliveries, or all changes since a cursor of the feed.
 * @returns the number of deliveries that were queued again; undefined for a cursor, whose number is unknown
 * @throws PARAMETER_INVALID
 */
export const replayWebhook = operatorUseCase(
  ({ runWrite, store }) =>
    async (
      id: string,
      what: { readonly kind: "dead" } | { readonly kind: "since"; readonly cursor: string },
    ): Promise<number | undefined> => {
      const place = what.kind === "since" ? await findPlace(store, what.cursor) : undefined;
      return runWrite({ actor: OPERATOR }, async (tx, note) => {
        const webhook = await tx.webhooks.get(id);
        if (webhook === undefined) throw unknownWebhook(id);
        await note({ action: "webhook.replay", kind: "webhook", id });
        if (place === undefined) return await tx.webhooks.reviveDead(id);
        if (isAfter(place, webhook.place)) {
          throw badParameter(
            "since",
            "The webhook has not reached this cursor yet; it will deliver these changes anyway.",
          );
        }
        await tx.webhooks.rewind(id, place);
        return undefined;
      });
    },
);

function isAfter(one: ChangePlace, other: ChangePlace): boolean {
  if (one.seq !== other.seq) return one.seq > other.seq;
  return (one.entry ?? Number.POSITIVE_INFINITY) > (other.entry ?? Number.POSITIVE_INFINITY);
}

/** Maximum number of changes that are queued in one transaction. */
const BATCH_MAX = 500;

/**
 * Creates the services of the webhook relay. The store has the state of every delivery, so no delivery is lost if the
 * relay stops: changes are queued together with the place that the webhook has reached, and leave the queue when they
 * are settled.
 *
 * @param pendingMax maximum number of queued deliveries of one webhook
 */
export function makeRelayServices(
  store: Deps["store"],
  pendingMax: number = LIMITS.webhookPendingMax,
): WebhookRelayServices {
  return {
    hasWebhooks: async () => (await store.webhooks.list()).length > 0,
    relayedWebhooks: () => store.webhooks.list(),
    findBatch: async ({ id, place, filter }) => {
      const isBehind = place.entry !== undefined || (await store.changes.head()).seq > place.seq;
      if (!isBehind) return undefined;
      const room = pendingMax - (await store.webhooks.countPending(id));
      if (room <= 0) return undefined;
      const { changes, next } = await store.changes.page({ after: place, limit: Math.min(room, BATCH_MAX), filter });
      return { webhook: id, from: place, changes, next };
    },
    findDue: (webhook, now, limit) => store.webhooks.due(webhook, now, limit),
    queueDeliveries: (batch) => store.transaction((tx) => tx.webhooks.queue(batch)),
    settleDeliveries: (outcomes) => store.transaction((tx) => tx.webhooks.settle(outcomes)),
  };
}
