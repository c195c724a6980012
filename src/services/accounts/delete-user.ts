import { OPERATOR } from "../../core/actor.js";
import type { AccountOperatorServices, OwnedCounts } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { badParameter } from "../input/issues.js";
import { findUser } from "./find-user.js";

/** Removes a user for good. The audit log keeps the name and the id, which is not given again. */
export function makeDeleteUser({ runWrite }: Deps): AccountOperatorServices["deleteUser"] {
  return (name) =>
    runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await findUser(tx.users, name);
      const owned = await tx.records.countOwned(user.id);
      if (owned.published + owned.drafts > 0) throw badParameter("name", explain(name, owned), name);
      await tx.users.delete(user.id);
      await note({ action: "user.delete", kind: "user", place: name, id: user.id, whom: user.id });
      return user;
    });
}

function explain(name: string, { published, drafts }: OwnedCounts): string {
  const records = `${published} published ${published === 1 ? "record" : "records"}`;
  const owned = `${records} and ${drafts} ${drafts === 1 ? "draft" : "drafts"}`;
  return (
    `${name} owns ${owned}. \`user transfer ${name} NAME\` gives them to another user; ` +
    `\`user disable ${name}\` ends the access of the user and keeps everything.`
  );
}
