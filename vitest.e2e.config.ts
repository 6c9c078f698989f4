import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const displays = (process.env.SKEIN_TEST_DISPLAYS ?? '').split(' ').filter(Boolean)

// The same language on every machine, in Electron and in the browser too.
process.env.LC_ALL = 'C.UTF-8'

/** Starts the files with the most tests first: those that drive the window alone. What is started last ends alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /[\\/]test[\\/]renderer[\\/]/.test(moduleId)
    return [...files.filter(isLong), ...files.filter((file) => !isLong(file))]
  }
}

// End-to-end: the built app in a real Electron, and the window alone in a browser. As many files side by side as
// displays were started for them; one after the other on a person's own.
export default defineConfig({
  test: {
    include: [
      'test/e2e/**/*.spec.ts',
      'test/renderer/*.spec.ts',
      // Those of the package need one that is installed (npm run test:package).
      ...(process.env.SKEIN_INSTALLED === undefined ? [] : ['test/packaged/*.spec.ts']),
    ],
    // Vitest starts it in each run; the page is built when a browser asks for it.
    globalSetup: ['test/renderer/harness/page-server.ts'],
    maxWorkers: Math.max(1, displays.length),
    sequence: { sequencer: LongestFirst },
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // A busy machine takes its time; what is waited for comes, or the test fails by what it shows then.
    expect: { poll: { timeout: 240_000 } },
  },
})
