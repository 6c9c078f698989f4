/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/** @type {Counts} */
export const noTests = { passed: 0, failed: 0, skipped: 0 }

/**
 * The parts of Vitest's JSON report that are counted.
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests skipped
 * @property {number} numTodoTests
 * @property {readonly { status: string, assertionResults: readonly unknown[] }[]} testResults by file
 */

/**
 * Counts one run. What failed outside of a test counts as a failure as well: a file that could not be loaded, an error
 * that nobody caught, a run that left no report.
 * @param {Report | undefined} report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countTests(report, exitCode) {
  if (report === undefined) return { ...noTests, failed: exitCode === 0 ? 0 : 1 }
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  const failed = report.numFailedTests + unloaded
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/**
 * @param {Counts[]} all
 * @returns {Counts}
 */
export function addCounts(...all) {
  return all.reduce(
    (sum, each) => ({
      passed: sum.passed + each.passed,
      failed: sum.failed + each.failed,
      skipped: sum.skipped + each.skipped,
    }),
    noTests,
  )
}

/**
 * The last line of a test run.
 * @param {Counts} counts
 */
export function closingLine({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`
  return skipped === 0 ? line : `${line}, ${skipped} skipped`
}
