import type { Command } from "commander";
import { explainSetting, SETTINGS, showValue } from "../config/settings.js";
import type { CommandContext } from "./command-context.js";
import { formatTable, writeJson, writeOut } from "./output.js";

/** `bindery config`: every setting with the value that it has here. Passwords are not shown. */
export function addConfigCommand(program: Command, { config }: CommandContext): void {
  program
    .command("config")
    .description("print every setting and its value; --help explains each")
    .option("--json", "print JSON")
    .addHelpText("after", `\n${explainSettings()}`)
    .action(({ json }: { json?: boolean }) => {
      const values = config();
      const shown = SETTINGS.map((setting) => [setting.variable, showValue(setting, values[setting.name])] as const);
      if (json) writeJson(Object.fromEntries(shown));
      else writeOut(formatTable(shown));
    });
}

function explainSettings(): string {
  const blocks = SETTINGS.map((setting) => {
    const { variable, allowed, default: value } = setting;
    return `${variable}\n    ${explainSetting(setting)}\n    ${allowed}; default: ${value === "" ? "empty" : value}`;
  });
  return `Settings, read from the environment:\n\n${blocks.join("\n\n")}`;
}
