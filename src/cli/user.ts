import { Argument, type Command, Option } from "commander";
import { ROLES, type Role } from "../core/actor.js";
import type { OperatorServices } from "../services/api/services.js";
import type { CommandContext } from "./command-context.js";
import { withOperator, withReader } from "./operator.js";
import { formatCount, formatTable, writeJson, writeOut } from "./output.js";

interface Printed {
  readonly json?: boolean;
}

interface TransferOptions extends Printed {
  readonly record?: string;
  readonly drafts?: boolean;
}

/** `bindery user add | list | role | disable | enable | rename | delete | transfer` */
export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program.command("user").description("manage users");
  addAddition(user, context);
  addList(user, context);
  addChanges(user, context);
  addTransfer(user, context);
}

/** Changes the store, and prints the result: as JSON, or as a sentence. */
async function report<T>(
  context: CommandContext,
  { json }: Printed,
  work: (services: OperatorServices) => Promise<T>,
  say: (result: T) => string | readonly string[],
): Promise<void> {
  const result = await withOperator(context, work);
  if (json) writeJson(result);
  else writeOut(say(result));
}

function addAddition(user: Command, context: CommandContext): void {
  user
    .command("add")
    .description("add a user")
    .argument("<name>", "unique name")
    .addOption(new Option("--role <role>", "what the user may do").choices(ROLES).default("depositor"))
    .option("--json", "print JSON")
    .action((name: string, { role, ...printed }: Printed & { role: Role }) =>
      report(
        context,
        printed,
        (services) => services.addUser(name, role),
        (row) => `Added the user ${row.name} (${row.role}), id ${row.id}.`,
      ),
    );
}

function addList(user: Command, context: CommandContext): void {
  user
    .command("list")
    .description("list the users and their roles")
    .option("--json", "print JSON")
    .action(async ({ json }: Printed) => {
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
    .action((name: string, role: Role, printed: Printed) =>
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
      .action((name: string, printed: Printed) =>
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
    .action((name: string, newName: string, printed: Printed) =>
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
    .action((name: string, printed: Printed) =>
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
        (services) =>
          services.transferRecords({ from, to, draftsOnly: drafts, ...(record === undefined ? {} : { record }) }),
        ({ published, drafts: count }) =>
          `Gave ${formatCount(published, "published record")} and ${formatCount(count, "draft")} of ${from} to ${to}.`,
      ),
    );
}
