import { defineConfig } from 'vitest/config'

// End-to-end: the built app in a real Electron, and the window alone in a browser; one scenario after the other, since
// they share one display and two cores.
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.spec.ts', 'test/renderer/browser.spec.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A busy machine takes its time; what is waited for comes, or the test fails by what it shows then.
    expect: { poll: { timeout: 20_000 } },
  },
})
