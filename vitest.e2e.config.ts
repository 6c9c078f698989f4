import { defineConfig } from 'vitest/config'

// End-to-end: the built app in a real Electron, one scenario after the other (two cores, one display).
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.spec.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
