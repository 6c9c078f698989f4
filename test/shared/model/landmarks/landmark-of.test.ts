import { describe, expect, it } from 'vitest'
import type { TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import { TranscriptRow as Row } from '../../../../src/shared/model/conversation/transcript'
import { landmarkOf } from '../../../../src/shared/model/landmarks/landmark-of'

function row(entry: Readonly<Record<string, unknown>>): TranscriptRow {
  const base = { id: 'e', timestamp: 1, from: 'me', to: 'tide', content: '', entry_type: 'message' }
  const place = { file: 'f', offset: 0, length: 1 }
  return Row.parse({ type: 'entry', entry: { ...base, ...place, ...entry } })
}

describe('a landmark', () => {
  it('is a message that a person wrote, by its first words and as it was typed', () => {
    expect(landmarkOf(row({ content: '\n  When is\n the tide?  ' }))).toEqual({
      kind: 'prompt',
      words: 'When is the tide?',
    })
    const typed = { typed: 'short', sent: true }
    expect(landmarkOf(row({ content: 'short, with a file', metadata: typed }))?.words).toBe('short')
    expect(landmarkOf(row({ content: 'a '.repeat(500) }))?.words.length).toBeLessThanOrEqual(160)
  })

  it('is no message of a model, none that a tool put into a person’s mouth, and no thought', () => {
    expect(landmarkOf(row({ role: 'agent' }))).toBeUndefined()
    expect(landmarkOf(row({ content: 'x', metadata: { injected: true } }))).toBeUndefined()
    expect(landmarkOf(row({ entry_type: 'reasoning' }))).toBeUndefined()
    expect(landmarkOf(row({ entry_type: 'context_created' }))).toBeUndefined()
  })

  it('is a failed answer, the failed result of a tool, and a damaged line that nobody writes', () => {
    const failure = { kind: 'server', message: 'It closed the stream', advice: '', attempts: 1 }
    expect(landmarkOf(row({ entry_type: 'run_error', metadata: failure }))).toEqual({
      kind: 'error',
      words: 'It closed the stream',
    })
    const failed = { entry_type: 'tool_result', from: 'bash', content: ' no such file' }
    expect(landmarkOf(row({ ...failed, metadata: { is_error: true } }))).toEqual({
      kind: 'error',
      words: 'bash: no such file',
    })
    expect(landmarkOf(row(failed))).toBeUndefined()
    const damaged = { file: 'f', offset: 0, length: 1, reason: 'text ends', bytes: '' }
    expect(landmarkOf({ type: 'damaged', damaged })).toEqual({
      kind: 'error',
      words: 'Damaged line: text ends',
    })
    expect(landmarkOf({ type: 'damaged', damaged: { ...damaged, torn: true } })).toBeUndefined()
  })

  it('is a compaction, by its summary', () => {
    const metadata = { summary: 'They measured\nthe tide.' }
    expect(landmarkOf(row({ entry_type: 'compaction', content: 'x', metadata }))).toEqual({
      kind: 'compaction',
      words: 'They measured the tide.',
    })
    expect(landmarkOf(row({ entry_type: 'archival', content: 'x' }))?.words).toBe('')
  })
})
