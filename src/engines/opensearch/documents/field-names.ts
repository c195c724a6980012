/**
 * The name of a field of its own for a path: OpenSearch reads dots as objects, and a path may be a value and an object
 * at once.
 */
export function fieldName(path: string): string {
  return path.replace(/[^A-Za-z0-9]/gu, (sign) => `_${sign.codePointAt(0)!.toString(16)}_`);
}
