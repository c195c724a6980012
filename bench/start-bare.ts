import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What the bare server is told at its start. */
export interface BareAnswers {
  /** It answers `/bytes/<size>` for each of them, and `/hello`. */
  readonly sizes: readonly number[];
}

export interface BareServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startBare(answers: BareAnswers): Promise<BareServer> {
  const child = fork(fileURLToPath(new URL("./bare-server.js", import.meta.url)), {
    env: { ...process.env, NODE_ENV: "production" },
  });
  child.send(answers);
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}
