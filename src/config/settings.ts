import { readFileSync } from "node:fs";
import { Value } from "typebox/value";
import { nearestNames } from "../core/nearest.js";
import { readCertificates } from "./derived.js";
import { type Config, ConfigSchema } from "./schema.js";

type SettingName = keyof Config;

/** A setting for `bindery config`, the docs and the reader of the environment. */
interface Setting {
  /** Name in `Config`: `searchTimeoutMs`. */
  readonly name: SettingName;
  /** Name in the environment: `BINDERY_SEARCH_TIMEOUT_MS`. */
  readonly variable: string;
  readonly integer: boolean;
  readonly default: string | number;
  /** Description of the allowed values, as the end of the sentence "It must be ...". */
  readonly allowed: string;
  readonly help: string;
  /** Whether its value is never shown. */
  readonly secret: boolean;
  /** Whether it names a file of certificates, which must exist at startup. */
  readonly certificates: boolean;
  /** For a secret: the variable that names a file with the value, instead of `variable`. */
  readonly fileVariable?: string;
}

interface Property {
  readonly type?: string;
  readonly default: string | number;
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Description of a `pattern`. */
  readonly allowed?: string;
  readonly enum?: readonly string[];
  readonly secret?: boolean;
  readonly certificates?: boolean;
}

/** All settings in the order of their declaration. */
export const SETTINGS: readonly Setting[] = Object.entries(ConfigSchema.properties).map(([name, schema]) => {
  const property = schema as unknown as Property;
  const variable = variableName(name);
  return {
    name: name as SettingName,
    variable,
    integer: property.type === "integer",
    default: property.default,
    allowed: describeAllowed(property),
    help: property.description,
    secret: property.secret === true,
    certificates: property.certificates === true,
    ...(property.secret === true ? { fileVariable: `${variable}_FILE` } : {}),
  };
});

/** Describes a setting, including the variable for a file. */
export function explainSetting({ help, fileVariable }: Setting): string {
  if (fileVariable === undefined) return help;
  return `${help} Can also be read from a file at startup: set \`${fileVariable}\` to its path.`;
}

/** Returns the value of a setting, without secrets. */
export function showValue(setting: Setting, value: string | number): string {
  return setting.secret && value !== "" ? "***" : String(value);
}

function variableName(name: string): string {
  return `BINDERY_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function describeAllowed(property: Property): string {
  if (property.enum !== undefined) return `one of ${property.enum.join(", ")}`;
  if (property.type === "integer") return `a whole number from ${property.minimum} to ${property.maximum}`;
  return property.allowed ?? "text";
}

/** Thrown for an invalid environment. The message lists all problems. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads the variables BINDERY_* and the files of secrets, once at startup. An empty variable counts as not set.
 *
 * @returns all settings including defaults, frozen
 * @throws ConfigError that lists every invalid and every unknown variable, one per line
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const variables = new Set(SETTINGS.flatMap(({ variable, fileVariable = variable }) => [variable, fileVariable]));
  const problems = Object.keys(env)
    .filter((name) => name.startsWith("BINDERY_") && !variables.has(name))
    .sort()
    .map((name) => describeUnknown(name, variables));
  const values: Record<string, string | number> = {};
  for (const setting of SETTINGS) {
    const given = readSettingText(setting, env);
    const value = readValue(setting, given.text);
    const problem = given.problem ?? findProblem(setting, value, given.variable);
    if (problem !== undefined) problems.push(problem);
    values[setting.name] = value;
  }
  if (problems.length > 0) {
    throw new ConfigError(`Bad configuration:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  }
  return Object.freeze(
    Value.Parse(ConfigSchema, { ...values, publicUrl: String(values.publicUrl).replace(/\/+$/, "") }),
  );
}

/** The text of a setting, and its variable. */
interface SettingText {
  readonly variable: string;
  readonly text: string;
  /** Why the text cannot be read. */
  readonly problem?: string;
}

function readSettingText(
  { variable, fileVariable }: Setting,
  env: Readonly<Record<string, string | undefined>>,
): SettingText {
  const text = env[variable]?.trim() ?? "";
  const file = fileVariable === undefined ? "" : (env[fileVariable]?.trim() ?? "");
  if (fileVariable === undefined || file === "") return { variable, text };
  const refuse = (problem: string): SettingText => ({ variable: fileVariable, text: "", problem });
  if (text !== "") return refuse(`${variable} and ${fileVariable} are both set: set only one of them.`);
  const named = `${fileVariable}=${JSON.stringify(file)}`;
  try {
    const content = readFileSync(file, "utf8").trim();
    return content === "" ? refuse(`${named}: the file is empty.`) : { variable: fileVariable, text: content };
  } catch (error) {
    return refuse(`${named}: the file cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function readValue(setting: Setting, text: string): string | number {
  if (text === "") return setting.default;
  return setting.integer && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function findProblem(setting: Setting, value: string | number, variable: string): string | undefined {
  if (setting.certificates && value !== "") return findFileProblem(variable, String(value));
  const isNoUrl =
    setting.name.endsWith("Url") &&
    value !== "" &&
    !String(value)
      .split(",")
      .every((url) => URL.canParse(url));
  if (Value.Check(ConfigSchema.properties[setting.name], value) && !isNoUrl) return undefined;
  const shown = setting.secret ? "***" : JSON.stringify(String(value));
  return `${variable}=${shown}: it must be ${setting.allowed}.`;
}

/** Returns the problem with a file of certificates, so that it is reported with all other problems at startup. */
function findFileProblem(variable: string, file: string): string | undefined {
  try {
    readCertificates(file);
    return undefined;
  } catch (error) {
    return `${variable}=${JSON.stringify(file)}: ${(error as Error).message}.`;
  }
}

function describeUnknown(name: string, known: Iterable<string>): string {
  const [nearest] = nearestNames(
    name.slice("BINDERY_".length),
    [...known].map((each) => each.slice(8)),
    1,
  );
  const hint = nearest === undefined ? "`bindery config` lists the settings" : `did you mean BINDERY_${nearest}?`;
  return `${name}: there is no such setting; ${hint}`;
}
