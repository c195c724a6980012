import { type Command, Option } from "commander";
import type { Delivery, WebhookStatus } from "../services/api/changes.js";
import { adviseSecret } from "../services/changes/webhooks.js";
import { type CommandContext, withOperator, withReader } from "./operator.js";
import { formatCount, formatNumber, formatTable, writeError, writeJson, writeOut } from "./output.js";

interface AddOptions {
  readonly model?: readonly string[];
  readonly vocabulary?: readonly string[];
  readonly kind?: "record" | "term";
  readonly since: string;
}

/** Adds `bindery webhook add | list | remove | replay | secret`. */
export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhook = program.command("webhook").description("manage URLs that are notified of every change");
  addAdd(webhook, context);
  addList(webhook, context);
  addReplay(webhook, context);
  addSecret(webhook, context);
  webhook
    .command("remove")
    .description("remove a webhook and its queued deliveries")
    .argument("<id>", "the id that `webhook list` shows")
    .action(async (id: string) => {
      await withOperator(context, (services) => services.removeWebhook(id));
      writeOut(`Removed the webhook ${id}.`);
    });
}

function addAdd(webhook: Command, context: CommandContext): void {
  webhook
    .command("add")
    .description(
      "send each change of a published record or of a term to a URL; prints the secret, which is not shown again",
    )
    .argument("<url>", "https://... or http://...")
    .option("--model <model...>", "records of these models only")
    .option("--vocabulary <vocabulary...>", "terms of these vocabularies only")
    .addOption(new Option("--kind <kind>", "changes of this kind only").choices(["record", "term"]))
    .option("--since <since>", "now; 0 for all existing records and terms too; or a cursor of /api/changes", "now")
    .action(async (url: string, { model, vocabulary, kind, since }: AddOptions) => {
      const settings = context.config();
      const input = {
        url,
        since,
        models: model ?? [],
        vocabularies: vocabulary ?? [],
        kind,
        allowsPrivate: settings.webhookPrivate === "on",
      };
      const added = await withOperator(context, (services) => services.addWebhook(input));
      writeOut(added.secret);
      writeError(
        `Webhook ${added.id}: ${added.url}. Keep the secret, which signs the deliveries; it is not shown again.`,
      );
    });
}

function addList(webhook: Command, context: CommandContext): void {
  webhook
    .command("list")
    .description("list the webhooks and their state, or the dead letters of one")
    .option("--dead <id>", "dead letters of this webhook: deliveries that failed for good")
    .option("--json", "print JSON")
    .action(async ({ dead, json }: { dead?: string; json?: boolean }) => {
      if (dead !== undefined) {
        const deliveries = await withReader(context, (services) => services.listDeadDeliveries(dead));
        return json ? writeJson(deliveries) : writeOut(formatDead(deliveries));
      }
      const webhooks = await withReader(context, (services) => services.listWebhooks());
      if (json) writeJson(webhooks.map((each) => ({ ...each, state: webhookState(each) })));
      else writeOut(formatWebhooks(webhooks));
      for (const each of webhooks) if (!each.has_secret) writeError(adviseSecret(each));
    });
}

function addSecret(webhook: Command, context: CommandContext): void {
  webhook
    .command("secret")
    .description("set and print a new secret of a webhook, which signs all later deliveries; it is not shown again")
    .argument("<id>", "the id that `webhook list` shows")
    .action(async (id: string) => {
      writeOut(await withOperator(context, (services) => services.renewWebhookSecret(id)));
      writeError(`Webhook ${id} has a new secret. Give it to the receiver; it is not shown again.`);
    });
}

function addReplay(webhook: Command, context: CommandContext): void {
  webhook
    .command("replay")
    .description("repeat the dead letters, or all deliveries since a cursor")
    .argument("<id>", "the id that `webhook list` shows")
    .addOption(new Option("--dead", "the dead letters").conflicts("since"))
    .option("--since <cursor>", "a cursor of /api/changes; 0: everything")
    .action(async (id: string, { dead, since }: { dead?: boolean; since?: string }, command: Command) => {
      if (dead !== true && since === undefined) command.error("error: --dead or --since <cursor> is required");
      const what = since === undefined ? { kind: "dead" as const } : { kind: "since" as const, cursor: since };
      const count = await withOperator(context, (services) => services.replayWebhook(id, what));
      const deliveries = count === undefined ? "everything since then" : formatCount(count, "delivery", "deliveries");
      writeOut(`Webhook ${id}: ${deliveries} will be delivered again.`);
    });
}

/** Returns the state of a webhook. It is `failing` while a delivery waits for a retry. */
function webhookState({ has_secret, retrying }: WebhookStatus): string {
  if (!has_secret) return "no secret";
  return retrying > 0 ? "failing" : "ok";
}

function formatWebhooks(webhooks: readonly WebhookStatus[]): readonly string[] {
  if (webhooks.length === 0) return ["There are no webhooks."];
  const rows = webhooks.map((each) => [
    each.id,
    each.url,
    formatFilter(each),
    webhookState(each),
    formatNumber(each.pending),
    formatNumber(each.dead),
    each.last_delivered?.slice(0, 19) ?? "-",
    each.last_error === undefined ? "-" : `${each.last_failed?.slice(0, 19)} ${each.last_error}`,
  ]);
  const heading = ["ID", "URL", "OF", "STATE", "PENDING", "DEAD", "LAST DELIVERED", "LAST FAILED"];
  return formatTable([heading, ...rows]);
}

function formatFilter({ filter: { kind, models = [], vocabularies = [] } }: WebhookStatus): string {
  return [...models, ...vocabularies].join(",") || (kind ?? "all");
}

function formatDead(deliveries: readonly Delivery[]): readonly string[] {
  if (deliveries.length === 0) return ["There are no dead letters."];
  const rows = deliveries.map(({ id, change, attempts, failed, error }) => [
    id,
    `${change.kind}.${change.action}`,
    `${change.place}/${change.id}`,
    String(change.seq),
    String(attempts),
    failed?.slice(0, 19) ?? "-",
    error ?? "-",
  ]);
  return formatTable([["DELIVERY", "EVENT", "OF", "SEQ", "TRIES", "LAST TRIED", "ERROR"], ...rows]);
}
