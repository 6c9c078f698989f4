import { expect, it } from 'vitest'
import { metadataFactsOf, runFailureOf } from '../../../../src/renderer/transcript/entries/metadata'
import { bytesFromBase64, hexDump } from '../../../../src/renderer/ui/format/bytes'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import type { TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import { answered, type RowDraft, rowsOf } from '../../harness/rows'

function entryOf(draft: RowDraft): Entry {
  const row = rowsOf([draft])[0] as TranscriptRow
  if (row.type !== 'entry') throw new Error('not an entry')
  return row.entry
}

it('reads model, reasoning, interruption and what is not whole', () => {
  const metadata = {
    model: 'm',
    reasoning: 'why',
    interrupted: 'crashed',
    recovered: true,
    damaged: 2,
    deep_fields: { x: '[[]]' },
  }
  expect(metadataFactsOf(entryOf(answered('a', { metadata })))).toEqual({
    model: 'm',
    reasoning: 'why',
    interrupted: 'crashed',
    finish: undefined,
    isRecovered: true,
    isDamaged: true,
    isDeep: true,
  })
})

it('leaves metadata that is no known shape alone', () => {
  const metadata = { model: 4, reasoning: '', interrupted: 'by rain' }
  const { model, reasoning, interrupted } = metadataFactsOf(entryOf(answered('a', { metadata })))
  expect([model, reasoning, interrupted]).toEqual([undefined, undefined, undefined])
})

it('reads a failure, and keeps the words of one that it does not understand', () => {
  const failure = { kind: 'cut', message: 'Cut off', advice: 'Try again', attempts: 2 }
  const entry = (metadata: Record<string, unknown>) =>
    entryOf({ entry_type: 'run_error', content: 'words', metadata })
  expect(runFailureOf(entry(failure))).toEqual(failure)
  expect(runFailureOf(entry({ kind: 'of another kind' })).message).toBe('words')
})

it('shows bytes by offset, in hex and in ASCII', () => {
  const bytes = bytesFromBase64(btoa('{"a":"\x00\xff and more}'))
  expect(hexDump(bytes)).toBe(
    '0000  7b 22 61 22 3a 22 00 ff 20 61 6e 64 20 6d 6f 72  {"a":".. and mor\n' +
      `0010  ${'65 7d'.padEnd(47)}  e}`,
  )
})
