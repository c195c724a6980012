/** Is this text what an id of a row looks like? */
export const isRowId = (id: string): boolean => /^\d{1,15}$/.test(id);
