import { type Command, InvalidArgumentError, Option } from "commander";
import { AUDIT_ACTIONS } from "../core/audit-entry.js";
import type { AuditLine } from "../services/api/admin.js";
import { type CommandContext, withReader } from "./operator.js";
import { formatTable, writeJsonLine, writeOut } from "./output.js";

interface AuditOptions {
  readonly who?: string;
  readonly token?: string;
  readonly action?: string;
  readonly target?: string;
  readonly done?: boolean;
  readonly refused?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000_000;

/** Adds `bindery audit`, which prints the audit log. */
export function addAuditCommand(program: Command, context: CommandContext): void {
  program
    .command("audit")
    .description("print the audit log: actions and refused actions of all users; the newest line comes last")
    .option("--who <name>", "name of a user, operator (the command line) or anonymous")
    .option("--token <id>", "the id that `token list` shows")
    .option("--action <action>", `one of ${AUDIT_ACTIONS.join(", ")}`)
    .option("--target <id>", "id of a record, term, token or user")
    .addOption(new Option("--refused", "only refused actions").conflicts("done"))
    .option("--done", "only actions that were carried out")
    .option("--since <when>", "start: 2h or 7d ago, a date or an instant")
    .option("--until <when>", "end; a date includes the whole day")
    .option("--limit <n>", "the newest n lines", readLimit, LIMIT_DEFAULT)
    .option("--json", "print a JSON object per line")
    .action(async ({ done, refused, json, ...filter }: AuditOptions) => {
      const outcome = done ? ({ outcome: "done" } as const) : refused ? ({ outcome: "refused" } as const) : {};
      const lines = await withReader(context, (services) => services.listAudit({ ...filter, ...outcome }));
      if (json) for (const line of lines) writeJsonLine(line);
      else writeOut(lines.length === 0 ? "There are no matching lines." : formatLines(lines));
    });
}

function readLimit(text: string): number {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${LIMIT_MAX}.`);
}

function formatLines(lines: readonly AuditLine[]): readonly string[] {
  const cells = lines.map((line) => [
    `${line.time.slice(0, 19)}Z`,
    line.who_now === undefined ? line.who : `${line.who} (now ${line.who_now})`,
    line.token ?? "-",
    line.action,
    describeTarget(line),
    line.whom_name ?? "-",
    line.times === 1 ? line.outcome : `${line.outcome} (${line.times} times)`,
  ]);
  return formatTable([["TIME", "WHO", "TOKEN", "ACTION", "TARGET", "WHOM", "OUTCOME"], ...cells]);
}

/** Describes the target of an action: `record mst zv0gv-btp27 (3)`. */
function describeTarget({ kind, place, target, revision }: AuditLine): string {
  const words = kind === "path" ? [place, target] : [kind, place, target];
  const text = words.filter((word) => word !== undefined).join(" ");
  return revision === undefined ? text : `${text} (${revision})`;
}
