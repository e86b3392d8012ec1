/**
 * Random tests try the same on each run, so that a red build is the work of the change under test.
 * `PROPERTY_SEED=42 npm test` tries something else; fast-check prints the seed of what fails.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_130) });
