/** What a token may be used for; `write` implies `read`, `admin` implies all. */
export const SCOPES = ["records:read", "records:write", "vocabularies:write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ["depositor", "curator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** What somebody may do with a draft that is shared with them: see it, or replace it too. */
export const PERMISSIONS = ["read", "write"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Who asks. A service takes the actor first and decides by it. */
export type Actor =
  | { readonly kind: "anonymous" }
  /** Whoever runs the command line: who can open the data folder may do anything. */
  | { readonly kind: "operator" }
  | {
      readonly kind: "user";
      readonly user: string;
      readonly name: string;
      readonly role: Role;
      readonly token: string;
      readonly scopes: readonly Scope[];
    };

export const ANONYMOUS: Actor = { kind: "anonymous" };
export const OPERATOR: Actor = { kind: "operator" };
