import { expect, it } from 'vitest'
import { shapedEntry } from '../../../../src/main/home/export/redacted-shape'
import { keptTextFiles, messageParts } from '../../../../src/shared/model/attachments/text-files'
import { Entry } from '../../../../src/shared/model/conversation/entry'
import { framedMessage } from '../../../renderer/harness/framed-message'

it('the places of text files in a message go where its text is another one, and only there', () => {
  const notes = { name: 'notes.txt', bytes: Buffer.from('Rain: 3 mm') }
  const { content, metadata } = framedMessage('I am mallory.', [notes])
  const entry = Entry.parse({
    id: 'e1',
    file: 'active.jsonl',
    offset: 0,
    length: 1,
    timestamp: 7,
    from: 'user',
    to: 'garden',
    content,
    entry_type: 'message',
    metadata,
  })
  const shaped = (name: string) => {
    const replace = (value: unknown): unknown =>
      typeof value === 'string' ? value.replaceAll(name, '[redacted]') : value
    return shapedEntry(entry, { text: <T>(value: T) => replace(value) as T, link: (text) => text })
  }
  const partsOf = ({ content: words, metadata: told }: Entry) =>
    messageParts(words, keptTextFiles(told)).map(({ type }) => type)
  expect(partsOf(shaped('nobody'))).toEqual(['words', 'file'])
  const redacted = shaped('mallory')
  expect(partsOf(redacted)).toEqual(['words'])
  const { start: _, end: __, ...file } = metadata.files?.[0] ?? {}
  expect(redacted.metadata?.files).toEqual([file])
  expect(shaped('utf-8').metadata?.files).toEqual(metadata.files)
})
