import { Argument, type Command, Option } from "commander";
import { ROLES, type Role } from "../core/actor.js";
import { withOperator } from "./operator.js";
import { formatTable, writeJson, writeOut } from "./output.js";
import type { Surroundings } from "./surroundings.js";

/** `bindery user add | list | role` */
export function addUserCommands(program: Command, { config }: Surroundings): void {
  const user = program.command("user").description("the people who deposit");
  user
    .command("add")
    .description("add a user")
    .argument("<name>", "unique name")
    .addOption(new Option("--role <role>", "what the user may do").choices(ROLES).default("depositor"))
    .option("--json", "print JSON")
    .action(async (name: string, { role, json }: { role: Role; json?: boolean }) => {
      const row = await withOperator(config(), (services) => services.addUser(name, role));
      if (json) writeJson(row);
      else writeOut(`Added the user ${row.name} (${row.role}), id ${row.id}.`);
    });

  user
    .command("list")
    .description("list the users and their roles")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const rows = await withOperator(config(), (services) => services.listUsers());
      if (json) return writeJson(rows);
      const cells = rows.map(({ id, name, role, created }) => [id, name, role, created.slice(0, 10)]);
      writeOut(rows.length === 0 ? "There are no users." : formatTable([["ID", "NAME", "ROLE", "ADDED"], ...cells]));
    });

  user
    .command("role")
    .description("give a user another role, from their next request on")
    .argument("<name>")
    .addArgument(new Argument("<role>", "what the user may do").choices(ROLES))
    .action(async (name: string, role: Role) => {
      const row = await withOperator(config(), (services) => services.setRole(name, role));
      writeOut(`${row.name} is ${row.role} now.`);
    });
}
