import { type Config, ConfigSchema } from "./schema.js";

type SettingName = keyof Config;

/** A setting for `bindery config`, the docs and the reader of the environment. */
export interface Setting {
  /** Name in `Config`: `searchTimeoutMs`. */
  readonly name: SettingName;
  /** Name in the environment: `BINDERY_SEARCH_TIMEOUT_MS`. */
  readonly variable: string;
  readonly integer: boolean;
  readonly default: string | number;
  /** Description of the allowed values, as the end of the sentence "It must be ...". */
  readonly allowed: string;
  readonly help: string;
  /** Is its value never shown? */
  readonly secret: boolean;
  /** Does it name a file of certificates, which must exist at startup? */
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
  const variable = variableOf(name);
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

function variableOf(name: string): string {
  return `BINDERY_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function describeAllowed(property: Property): string {
  if (property.enum !== undefined) return `one of ${property.enum.join(", ")}`;
  if (property.type === "integer") return `a whole number from ${property.minimum} to ${property.maximum}`;
  return property.allowed ?? "text";
}
