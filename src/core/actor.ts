/** Scopes of tokens; `write` implies `read`, `admin` implies all. */
export const SCOPES = ["records:read", "records:write", "vocabularies:write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Roles of users, from the fewest rights to the most. */
export const ROLES = ["depositor", "curator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Permissions of a share: to read a draft, or to replace it too. */
export const PERMISSIONS = ["read", "write"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The originator of a call: the first parameter of a service, which checks its rights. */
export type Actor =
  | { readonly kind: "anonymous" }
  /** The user of the command line, who can open the data folder and may do anything. */
  | { readonly kind: "operator" }
  | {
      readonly kind: "user";
      readonly user: string;
      readonly name: string;
      readonly role: Role;
      readonly token: string;
      readonly scopes: readonly Scope[];
    };

/** A caller without a token. */
export const ANONYMOUS: Actor = { kind: "anonymous" };
/** The user of the command line. */
export const OPERATOR: Actor = { kind: "operator" };
