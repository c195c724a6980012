/** What a repair makes again: its kind, and how one of the kind is named. @typeParam Units the name of each kind */
export type RepairUnit<Units> = { [K in keyof Units]: readonly [kind: K, name: Units[K]] }[keyof Units];

/** What a repair has to make again. */
export type RepairPlan<Units> = { readonly [K in keyof Units]: Set<Units[K]> };

export const isPlanned = (plan: object): boolean =>
  Object.values(plan as Readonly<Record<string, ReadonlySet<unknown>>>).some(({ size }) => size > 0);
