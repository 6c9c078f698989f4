import { describe, expect, it } from 'vitest'
import { runAtOnce, sliceBytes } from '../../../../src/main/disk/pacing/slices'
import { digestEntry } from '../../../../src/main/store/files/entry-digests'
import { message } from '../../../support/entries'

const keysOf = (content: string, metadata?: Record<string, unknown>) =>
  runAtOnce(digestEntry(message(content, { metadata })))

describe('what an entry is found by', () => {
  it('does not depend on the order of keys, at any depth', () => {
    const one = keysOf('x', { usage: { in: 1, out: { a: [1, 2], b: null } }, model: 'm' })
    const other = keysOf('x', { model: 'm', usage: { out: { b: null, a: [1, 2] }, in: 1 } })
    expect(one).toEqual(other)
    expect(keysOf('x', { usage: { in: 1, out: { a: [2, 1], b: null } }, model: 'm' })).not.toEqual(
      one,
    )
  })

  it('tells texts apart that differ in the second half of a pair, wherever a slice ends', () => {
    for (const before of [0, sliceBytes - 1, sliceBytes])
      expect(keysOf(`${'x'.repeat(before)}🙂`)).not.toEqual(keysOf(`${'x'.repeat(before)}🙃`))
    // As a line has them: a half alone stands for any.
    expect(keysOf('\ud83d', { note: '\ud83d' })).toEqual(keysOf('\ufffd', { note: '\ufffd' }))
  })

  it('has no details where chibi alone has put them there', () => {
    expect(keysOf('x', { summary: 'y', hash: 'z' })).toEqual(keysOf('x'))
    expect(keysOf('x').withDetails).toBeUndefined()
  })

  it('is made of long words and metadata in slices', () => {
    const long = 'wörd '.repeat(sliceBytes)
    const runs = [...digestEntry(message(long, { metadata: { raw: long } }))]
    expect(Math.max(...runs)).toBeLessThan(2 * sliceBytes)
    expect(runs.length).toBeGreaterThanOrEqual((2 * long.length) / sliceBytes - 1)
  })
})
