import type { ComponentChildren } from "preact";

interface TableProps {
  /** Heads of the columns. */
  readonly heads: readonly string[];
  /** Rows of the body. */
  readonly children: ComponentChildren;
}

/** A table with one row of heads. */
export function Table({ heads, children }: TableProps) {
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col" key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
