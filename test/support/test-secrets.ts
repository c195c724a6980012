import { join } from "node:path";
import { makeSecretBox, type SecretBox } from "../../src/engines/files/secret-box.js";
import { runFolder } from "./services/run-once.js";

/** A box whose key is the same in all processes of the test run, as nodes of one service have it. */
export const testSecrets = (): SecretBox => makeSecretBox(join(runFolder(), "webhooks.key"));
