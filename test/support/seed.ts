/** The seed of random tests: the variable TEST_SEED, or what `choose-seed.ts` has set it to. */
export const SEED = Number(process.env.TEST_SEED);
