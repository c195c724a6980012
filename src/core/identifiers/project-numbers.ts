/** Numbers of funded projects, and the forms in which people cite them. */

/**
 * NIH number (`5R01AR065953-03`): type of application, activity (`R01`, `UL1`, `U2C`, `ZIA`), institute, serial number,
 * year and suffixes.
 */
const NIH = new RegExp(
  String.raw`(?<![\p{L}\d])(\d)?[\s-]?([A-Z](?:[A-Z\d]\d|\d[A-Z])|Z[A-Z]{2})[\s-]?((?!OR)[A-Z]{2})[\s-]?(\d{6})` +
    String.raw`(?:[\s-]?(\d{2}[A-Z\d]{0,4}))?(?![\p{L}\d])`,
  "iu",
);

/** Number in groups of three digits: `101 004 806`, `101.004.806`. `101.004` is not one: it may be a decimal. */
const GROUPED = /^\d{1,3}(?:(?:\s\d{3}){1,4}|([.,'\u2019])\d{3}(?:\1\d{3}){1,3})$/u;

/** Maximum length of a project number. */
const NUMBER_LENGTH_MAX = 40;

/**
 * Returns the other forms in which a number is cited: for an NIH number, the activity with the serial number, or the
 * latter alone; for any other number, the number without blanks and signs, or with a blank between letters and digits.
 */
export function numberForms(number: string): readonly string[] {
  if (number.length > NUMBER_LENGTH_MAX || !/\d/.test(number)) return [];
  const [whole, type, activity, institute, serial, suffix] = NIH.exec(number) ?? [];
  if (whole !== undefined && whole.length === number.trim().length) {
    const project = `${institute}${serial}`;
    const [before, behind] = [type === undefined ? "" : `${type} `, suffix === undefined ? "" : ` ${suffix}`];
    const short = [`${activity}${project}`, `${activity} ${project}`, project];
    return [...short, `${before}${activity} ${project}${behind}`, `${activity}${project}${behind}`];
  }
  const parts = number.match(/\p{L}+|\d+/gu) ?? [];
  const joined = parts.join("");
  const forms = parts.length === 2 ? [joined, parts.join(" ")] : [joined];
  return forms.filter((form) => form !== number);
}

/**
 * Returns the number that a text cites: an NIH number without its type and year, which differ from year to year, or a
 * number without the blanks between groups of digits. Undefined for any other text.
 */
export function citedNumber(text: string): string | undefined {
  const [, , activity, institute, serial] = NIH.exec(text) ?? [];
  if (serial !== undefined) return `${activity}${institute}${serial}`;
  return GROUPED.test(text.trim()) ? text.replaceAll(/\D/g, "") : undefined;
}
