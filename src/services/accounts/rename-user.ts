import { OPERATOR } from "../../core/actor.js";
import type { AccountOperatorServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { checkNewName, findUser } from "./find-user.js";

/** Gives a user another name. Records, tokens and the audit log know users by their ids, which stay. */
export function makeRenameUser({ runWrite }: Deps): AccountOperatorServices["renameUser"] {
  return (name, newName) =>
    runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await findUser(tx.users, name);
      if (user.name === newName) return user;
      const kept = await checkNewName(tx.users, newName, user);
      await tx.users.rename(user.id, kept);
      await note({ action: "user.rename", kind: "user", place: `${user.name} -> ${kept}`, id: user.id, whom: user.id });
      return { ...user, name: kept };
    });
}
