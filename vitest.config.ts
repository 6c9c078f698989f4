import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/{shared,main,cli,renderer,scripts}/**/*.test.ts?(x)', 'config/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
