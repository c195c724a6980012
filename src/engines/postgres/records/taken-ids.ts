/**
 * A statement that takes ids for ever: the counter of an id only rises, and the id stands under the parent that it was
 * last written with. Writes nothing where nothing changes, so that a parent's row is not written with each version.
 * @param rows SQL, `(id, parent, revision)` each
 */
export function raising(...rows: readonly string[]): string {
  return `INSERT INTO taken AS known (id, family, revision)
    SELECT given.* FROM (VALUES ${rows.join(", ")}) given(id, family, revision) LEFT JOIN taken USING (id)
    WHERE taken.id IS NULL OR taken.revision < given.revision OR taken.family <> given.family
    ON CONFLICT (id) DO UPDATE SET
      family = excluded.family, revision = greatest(known.revision, excluded.revision)`;
}
