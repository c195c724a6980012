/** Vitest's global setup: the random tests of a day have one seed, and of the next day another one. */
export default function chooseSeed(): void {
  if (process.env.TEST_SEED !== undefined) return;
  process.env.TEST_SEED = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  process.stdout.write(
    `The seed of the random tests is today's date; TEST_SEED=${process.env.TEST_SEED} repeats them.\n`,
  );
}
