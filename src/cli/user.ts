import { type Command, Option } from "commander";
import { ROLES, type Role } from "../core/actor.js";
import { withOperator } from "./operator.js";
import { writeJson, writeOut } from "./output.js";
import type { Surroundings } from "./surroundings.js";

/** `bindery user add NAME [--role ROLE]` */
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
}
