import os from 'node:os'
import { defineConfig } from 'vitest/config'
import { mutantPlugins } from './scripts/mutants/plugin.mjs'

// Numbers and dates are shown as in the person's language: for tests it is the same on every machine.
process.env.LC_ALL = 'C.UTF-8'
// Some histories have the time of the place where they were written.
process.env.TZ = 'UTC'

// All threads draw alike, and what failed can be drawn again.
if (process.env.SKEIN_SEED === 'random') {
  process.env.SKEIN_SEED = String(Date.now() % 2 ** 31)
  console.info(`SKEIN_SEED=${process.env.SKEIN_SEED}`)
}

// What needs no browser and no display: quick enough to run before each commit.
export default defineConfig({
  plugins: mutantPlugins(),
  test: {
    include: ['test/{shared,main,cli,renderer,scripts}/**/*.test.ts?(x)', 'config/**/*.test.ts'],
    globalSetup: ['test/support/bundles.ts'],
    setupFiles: ['test/support/drawn-alike.ts', 'test/support/files-in-turn.ts'],
    // What hangs ends in the end; nothing that goes on does, however busy the machine is. See config/wavering.test.ts.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // Files share their worker's modules, which take longer to load than most files take to run: a test leaves nothing
    // behind, neither in them nor in the process.
    isolate: false,
    // Vitest would leave one core to itself, which is half of the usual two.
    maxWorkers: os.availableParallelism(),
  },
})
