import { type Config, ConfigSchema } from "./schema.js";

type SettingName = keyof Config;

/** One setting, as `bindery config`, the docs and the reader of the environment need it. */
export interface Setting {
  /** Name in `Config`: `searchTimeoutMs`. */
  readonly name: SettingName;
  /** Name in the environment: `BINDERY_SEARCH_TIMEOUT_MS`. */
  readonly variable: string;
  readonly integer: boolean;
  readonly default: string | number;
  /** What a value may be, as the end of the sentence "It must be ...". */
  readonly allowed: string;
  readonly help: string;
  /** Never shown as it stands. */
  readonly secret: boolean;
  /** Names a file of certificates, which has to be there at start. */
  readonly certificates: boolean;
  /** Of a secret: names the file that has the value, in place of `variable`. */
  readonly fileVariable?: string;
}

interface Property {
  readonly type?: string;
  readonly default: string | number;
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What a `pattern` means. */
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

/** What a setting is for, with the other way to give it. */
export function explainSetting({ help, fileVariable }: Setting): string {
  if (fileVariable === undefined) return help;
  return `${help} Can also stand in a file, which \`${fileVariable}\` names and which is read once at startup.`;
}

/** A setting's value as it may be shown. */
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
