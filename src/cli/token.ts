import { type Command, Option } from "commander";
import { SCOPES, type Scope } from "../core/actor.js";
import type { AccountOperatorServices } from "../services/api/account-services.js";
import type { CommandContext } from "./command-context.js";
import { withOperator, withReader } from "./operator.js";
import { formatCount, formatTable, writeError, writeJson, writeOut } from "./output.js";

interface CreateOptions {
  readonly user: string;
  readonly scope: readonly Scope[];
  readonly expires?: string;
  readonly name?: string;
}

interface RevokeOptions {
  readonly all?: boolean;
  readonly user?: string;
  readonly json?: boolean;
}

type TokenRows = Awaited<ReturnType<AccountOperatorServices["listTokens"]>>;

/** `bindery token create | list | revoke` */
export function addTokenCommands(program: Command, context: CommandContext): void {
  const token = program.command("token").description("manage the tokens that scripts and people authenticate with");

  token
    .command("create")
    .description("create a token and print it; it is not shown again")
    .requiredOption("--user <name>", "the user of the token")
    .addOption(
      new Option("--scope <scope...>", "what the token may do; several scopes, or repeat the option")
        .choices(SCOPES)
        .makeOptionMandatory(),
    )
    .option("--expires <when>", "when it expires: 90d, 12h, or a date (default: never)")
    .option("--name <name>", "what it is for, shown in lists")
    .action(async ({ user, scope, expires, name }: CreateOptions) => {
      const input = { user, scopes: [...new Set(scope)], ...(expires ? { expires } : {}), ...(name ? { name } : {}) };
      const { token, row } = await withOperator(context, (services) => services.createToken(input));
      writeOut(token);
      const end = row.expires === undefined ? "never expires" : `expires ${row.expires}`;
      writeError(`Token ${row.id} of ${user} (${row.scopes.join(", ")}) ${end}. Keep it; it is not shown again.`);
    });

  token
    .command("list")
    .description("list the tokens, without their secrets")
    .option("--user <name>", "only those of one user")
    .option("--json", "print JSON")
    .action(async ({ user, json }: { user?: string; json?: boolean }) => {
      const rows = await withReader(context, (services) => services.listTokens(user));
      if (json) writeJson(rows);
      else writeOut(formatTokens(rows));
    });

  token
    .command("revoke")
    .description("revoke a token, and the tokens that were created with it")
    .argument("[id]", "the id that `token list` shows")
    .option("--all", "all tokens of the user that --user names, or of all users")
    .option("--user <name>", "with --all: only those of one user")
    .option("--json", "print JSON")
    .action(async (id: string | undefined, options: RevokeOptions, command: Command) => {
      const { all = false, user, json } = options;
      if (all === (id !== undefined)) command.error("error: name the id of a token, or --all (see --help)");
      if (!all && user !== undefined) command.error("error: --user goes with --all (see --help)");
      const revoked = await withOperator(context, async (services) => {
        if (id === undefined) return services.revokeTokens(user);
        return services.revokeToken(id);
      });
      if (json) writeJson({ revoked });
      else writeOut(id === undefined ? `Revoked ${formatCount(revoked, "token")}.` : `Revoked the token ${id}.`);
    });
}

function formatTokens(rows: TokenRows): readonly string[] {
  if (rows.length === 0) return ["There are no tokens."];
  const day = (time: string | undefined): string => time?.slice(0, 10) ?? "-";
  const cells = rows.map((row) => [
    row.id,
    row.userName,
    row.name,
    row.scopes.join(","),
    day(row.created),
    day(row.expires),
    row.parent ?? "-",
    day(row.lastUsed),
    day(row.revoked),
  ]);
  return formatTable([
    ["ID", "USER", "NAME", "SCOPES", "CREATED", "EXPIRES", "MADE BY", "LAST USED", "REVOKED"],
    ...cells,
  ]);
}
