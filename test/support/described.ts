import { ANONYMOUS } from "../../src/core/actor.js";
import type { Citable } from "../../src/core/citable/citable.js";
import { describeRecord } from "../../src/core/citable/describe-record.js";
import type { RecordBody } from "../../src/core/record.js";
import { builtInCatalog } from "./catalog.js";
import { openServices } from "./open-services.js";

/** The examples of the built-in models, deposited and published, as a store gives them back. */
export async function publishedExamples(): Promise<readonly RecordBody[]> {
  const bindery = await openServices();
  try {
    const actor = await bindery.actor("alice", "records:write");
    const bodies: RecordBody[] = [];
    for (const { name, example } of builtInCatalog().models.values()) {
      const { record } = await bindery.createDraft(actor, name, JSON.stringify(example));
      await bindery.publishDraft(actor, { model: name, id: record.id });
      bodies.push(JSON.parse((await bindery.readRecord(ANONYMOUS, { id: record.id })).json) as RecordBody);
    }
    return bodies;
  } finally {
    await bindery.dispose();
  }
}

/** The description of a body that does not change from run to run: with fixed ids and instants. */
export function describedAlike(body: RecordBody): Citable {
  const instant = "2026-11-22T10:00:00.123456+00:00";
  const fixed: RecordBody = {
    ...body,
    ...{ id: `abcde-${body.model}01`, created: instant, updated: instant },
    parent: { ...body.parent, id: `fghjk-${body.model}01` },
  };
  const model = builtInCatalog().models.get(body.model)!;
  return describeRecord(fixed, model, { previous: `abcde-${body.model}00` });
}
