import type { ResultList } from "../catalog/description.js";
import { isObject, type Json, own } from "../json.js";
import type { Result } from "./citable.js";
import { labelOf, textAt, valuesAt } from "./values-at.js";

/** What was measured: each element of the declared list that says its kind. */
export function resultsOf(metadata: Json, list: ResultList | undefined): readonly Result[] {
  if (list === undefined) return [];
  return valuesAt({ metadata }, list.path).flatMap((element): readonly Result[] => {
    const kind = textAt(element, list.kind);
    if (kind === undefined || !isObject(element)) return [];
    const value = own(element, list.value);
    const unit = textAt(element, list.unit);
    const name = textAt(element, "name");
    const error = errorOf(own(element, list.error));
    const of = valuesAt(element, list.of).flatMap((each) => labelOf(each) ?? []);
    return [
      {
        kind,
        ...(name === undefined ? {} : { name }),
        ...(typeof value === "number" ? { value } : {}),
        ...(unit === undefined ? {} : { unit }),
        ...(error === undefined ? {} : { error }),
        of,
      },
    ];
  });
}

/** The error of a number, where its bounds are there. */
export function errorOf(value: Json | undefined): Result["error"] {
  if (!isObject(value)) return undefined;
  const [lower, upper] = [own(value, "lower"), own(value, "upper")];
  if (typeof lower !== "number" || typeof upper !== "number") return undefined;
  return { lower, upper, isRelative: own(value, "is_relative") === true };
}

/** A number with its unit and error as deposited. Each of them may be missing. */
export type Measured = { readonly [Name in "value" | "unit" | "error"]?: Result[Name] | undefined };

/**
 * Writes a number with its error and unit: `2.4 ± 0.3 nM`, `2.4 (−0.1, +0.3) nM`. A relative error follows the unit,
 * because the unit does not apply to it: `2.4 nM (± 10 %)`.
 *
 * @returns undefined if there is no number
 */
export function writeResult({ value, unit, error }: Measured): string | undefined {
  if (value === undefined) return undefined;
  const bounds = error && writeError(error);
  const parts =
    error?.isRelative === true
      ? [String(value), unit, bounds?.startsWith("(") === true ? bounds : `(${bounds})`]
      : [String(value), bounds, unit];
  return parts.filter((part) => part !== undefined).join(" ");
}

function writeError({ lower, upper, isRelative }: NonNullable<Result["error"]>): string {
  const amount = (bound: number): string => (isRelative ? `${Number((bound * 100).toPrecision(12))} %` : String(bound));
  const [down, up] = [amount(Math.abs(lower)), amount(Math.abs(upper))];
  return down === up ? `± ${up}` : `(−${down}, +${up})`;
}
