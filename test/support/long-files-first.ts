import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** Files of src/ last: each is short, so that at the end no worker has a long one left while the others have none. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isShort = ({ moduleId }: TestSpecification): boolean =>
      relative(this.ctx.config.root, moduleId).startsWith("src");
    return [...sorted.filter((file) => !isShort(file)), ...sorted.filter(isShort)];
  }
}
