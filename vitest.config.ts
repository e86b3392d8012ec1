import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/random-seed.ts'],
    // Fixture folders may hold anything, test files included.
    exclude: ['test/golden/*/**', 'test/diagnostics/*/**'],
    // Tests that start a compiler, a package manager or a browser set their own, longer limit.
    testTimeout: 20_000,
    // A test that is focused by mistake must not turn a run green; a missing test file must not either.
    allowOnly: false,
    passWithNoTests: false,
  },
});
