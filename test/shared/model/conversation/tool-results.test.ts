import { expect, it } from 'vitest'
import { isFailedResult } from '../../../../src/shared/model/conversation/tool-results'

it.each([
  ['Error: no such file', undefined, true],
  ['  error 2', undefined, true],
  ['errors: none', undefined, false],
  ['all is well', { is_error: true }, true],
  ['Error in the text that was asked for', { is_error: false }, false],
])('knows whether %j failed', (content, metadata, isFailed) => {
  expect(isFailedResult({ content, metadata })).toBe(isFailed)
})
