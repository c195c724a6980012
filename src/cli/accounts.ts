import { Argument, type Command, Option } from "commander";
import { ROLES, type Role, SCOPES, type Scope } from "../core/actor.js";
import type { OperatorServices } from "../services/use-cases.js";
import { type CommandContext, withOperator, withReader } from "./operator.js";
import { formatCount, formatTable, writeError, writeJson, writeOut } from "./output.js";

interface OutputOptions {
  readonly json?: boolean;
}

interface TransferOptions extends OutputOptions {
  readonly record?: string;
  readonly drafts?: boolean;
}

/** Adds `bindery user add | list | role | disable | enable | rename | delete | transfer`. */
export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program.command("user").description("manage users");
  addAddition(user, context);
  addUserList(user, context);
  addChanges(user, context);
  addTransfer(user, context);
}

/** Changes the store and prints the result as JSON or as a sentence. */
async function report<T>(
  context: CommandContext,
  { json }: OutputOptions,
  work: (services: OperatorServices) => Promise<T>,
  describeResult: (result: T) => string | readonly string[],
): Promise<void> {
  const result = await withOperator(context, work);
  if (json) writeJson(result);
  else writeOut(describeResult(result));
}

function addAddition(user: Command, context: CommandContext): void {
  user
    .command("add")
    .description("add a user")
    .argument("<name>", "unique name")
    .addOption(new Option("--role <role>", "what the user may do").choices(ROLES).default("depositor"))
    .option("--json", "print JSON")
    .action((name: string, { role, ...printed }: OutputOptions & { role: Role }) =>
      report(
        context,
        printed,
        (services) => services.addUser(name, role),
        (row) => `Added the user ${row.name} (${row.role}), id ${row.id}.`,
      ),
    );
}

function addUserList(user: Command, context: CommandContext): void {
  user
    .command("list")
    .description("list the users and their roles")
    .option("--json", "print JSON")
    .action(async ({ json }: OutputOptions) => {
      const rows = await withReader(context, (services) => services.listUsers());
      if (json) return writeJson(rows);
      const cells = rows.map((row) => {
        const disabled = row.disabled?.slice(0, 10) ?? "-";
        return [row.id, row.name, row.role, row.created.slice(0, 10), disabled];
      });
      const table = formatTable([["ID", "NAME", "ROLE", "ADDED", "DISABLED"], ...cells]);
      writeOut(rows.length === 0 ? "There are no users." : table);
    });
}

function addChanges(user: Command, context: CommandContext): void {
  user
    .command("role")
    .description("change the role of a user, from their next request on")
    .argument("<name>")
    .addArgument(new Argument("<role>", "what the user may do").choices(ROLES))
    .option("--json", "print JSON")
    .action((name: string, role: Role, printed: OutputOptions) =>
      report(
        context,
        printed,
        (services) => services.setRole(name, role),
        (row) => `${row.name} now has the role ${row.role}.`,
      ),
    );

  for (const command of ["disable", "enable"] as const) {
    const isDisabled = command === "disable";
    const effect = isDisabled
      ? "refuse all tokens of a user from their next request on; nothing is lost"
      : "enable a disabled user again, with the same tokens";
    user
      .command(command)
      .description(effect)
      .argument("<name>")
      .option("--json", "print JSON")
      .action((name: string, printed: OutputOptions) =>
        report(
          context,
          printed,
          (services) => services.setDisabled(name, isDisabled),
          (row) => `${row.name} is now ${command}d.`,
        ),
      );
  }

  user
    .command("rename")
    .description("rename a user, who keeps id, tokens and records")
    .argument("<name>")
    .argument("<new>", "unique name")
    .option("--json", "print JSON")
    .action((name: string, newName: string, printed: OutputOptions) =>
      report(
        context,
        printed,
        (services) => services.renameUser(name, newName),
        (row) => `${name} is now called ${row.name} (id ${row.id}).`,
      ),
    );

  user
    .command("delete")
    .description("delete a user who owns no records or drafts, and the tokens of the user")
    .argument("<name>")
    .option("--json", "print JSON")
    .action((name: string, printed: OutputOptions) =>
      report(
        context,
        printed,
        (services) => services.deleteUser(name),
        (row) => `Deleted the user ${row.name}, id ${row.id}.`,
      ),
    );
}

function addTransfer(user: Command, context: CommandContext): void {
  user
    .command("transfer")
    .description("transfer records and drafts of one user to another: all, or those that the options select")
    .argument("<from>", "the current owner")
    .argument("<to>", "the new owner")
    .option("--record <id>", "this record or draft only, with all its versions")
    .addOption(new Option("--drafts", "only drafts that were never published").conflicts("record"))
    .option("--json", "print JSON")
    .action((from: string, to: string, { record, drafts = false, ...printed }: TransferOptions) =>
      report(
        context,
        printed,
        (services) => services.transferRecords({ from, to, draftsOnly: drafts, record }),
        ({ published, drafts: count }) =>
          `Gave ${formatCount(published, "published record")} and ${formatCount(count, "draft")} of ${from} to ${to}.`,
      ),
    );
}

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

type TokenRows = Awaited<ReturnType<OperatorServices["listTokens"]>>;

/** Adds `bindery token create | list | revoke`. */
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
