/** What is made of things with a name, such as the models of one catalog: each when it is first asked for, and kept. */
export function keptByName<Named extends { readonly name: string }, Made>(
  make: (named: Named) => Made,
): (named: Named) => Made {
  const made = new Map<string, Made>();
  return (named) => {
    const known = made.get(named.name);
    if (known !== undefined) return known;
    const fresh = make(named);
    made.set(named.name, fresh);
    return fresh;
  };
}
