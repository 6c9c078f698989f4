import { describe, expect, it } from 'vitest'
import { addCounts, closingLine, countTests, noTests } from '../../scripts/test/counts.mjs'

const report = {
  numPassedTests: 40,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{}] }],
}

describe('the counts of a test run', () => {
  it('are the report where everything passed', () => {
    expect(countTests(report, 0)).toEqual({ passed: 40, failed: 0, skipped: 0 })
  })

  it('hold skipped tests and those that are only planned', () => {
    const skipping = { ...report, numPendingTests: 2, numTodoTests: 1 }
    expect(countTests(skipping, 0)).toEqual({ passed: 40, failed: 0, skipped: 3 })
  })

  it('hold a file that could not be loaded as one failure', () => {
    const broken = {
      ...report,
      numFailedTests: 2,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [{}, {}] },
      ],
    }
    expect(countTests(broken, 1)).toEqual({ passed: 40, failed: 3, skipped: 0 })
  })

  it('hold a failure outside of all tests', () => {
    expect(countTests(report, 1)).toEqual({ passed: 40, failed: 1, skipped: 0 })
  })

  it('hold a run that left no report', () => {
    expect(countTests(undefined, 134)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  it('add up', () => {
    const some = { passed: 3, failed: 1, skipped: 2 }
    expect(addCounts(noTests, some, some)).toEqual({ passed: 6, failed: 2, skipped: 4 })
  })
})

describe('the closing line', () => {
  it('names passed and failed tests', () => {
    expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  })

  it('names skipped tests where there are any', () => {
    expect(closingLine({ passed: 12, failed: 1, skipped: 2 })).toBe(
      '12 passed, 1 failed, 2 skipped',
    )
  })
})
