import { defineConfig } from 'vitest/config'

// What needs no browser and no display: quick enough to run before each commit.
export default defineConfig({
  test: {
    include: ['test/{shared,main,cli,renderer,scripts}/**/*.test.ts?(x)', 'config/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
