import { OPERATOR } from "../../core/actor.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { ChangeFilter, ChangePlace } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { privateAddressIn } from "../../core/private-address.js";
import { makeWebhookSecret, WEBHOOK_SECRET_BYTES } from "../../core/webhook-signature.js";
import type { NewWebhook, WebhookOperatorServices } from "../api/change-services.js";
import type { Deps } from "../context/deps.js";
import { badParameter } from "../input/issues.js";
import { decodePlace } from "./change-cursor.js";

/** Adds a webhook. What it returns is the only time that the secret is seen. */
export function makeAddWebhook({ runWrite, store, catalog, random }: Deps): WebhookOperatorServices["addWebhook"] {
  return async (input) => {
    const url = readUrl(input);
    const filter = readFilter(catalog, input);
    const secret = makeWebhookSecret(random.bytes(WEBHOOK_SECRET_BYTES));
    const place = input.since === "now" ? {} : { place: await findPlace(store, input.since) };
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      if ((await tx.webhooks.list()).length >= LIMITS.webhooksMax) {
        throw badParameter("url", `There are ${LIMITS.webhooksMax} webhooks, which is the maximum; remove one first.`);
      }
      const { id } = await tx.webhooks.add({ url, secret, filter, ...place });
      await note({ action: "webhook.add", kind: "webhook", id });
      return { id, url, secret, filter };
    });
  };
}

/** The place of a cursor. @throws CHANGE_CURSOR_INVALID, CHANGE_CURSOR_GONE */
export async function findPlace(store: Deps["store"], cursor: string): Promise<ChangePlace> {
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

/** Naming models only, or vocabularies only, leaves out the other kind. */
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
