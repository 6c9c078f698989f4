import { expect, it } from 'vitest'
import { attachedFilesOf } from '../../../../src/renderer/transcript/entries/attachments'
import { entryAt } from '../../../support/exported'

const named = (metadata: Record<string, unknown>) =>
  attachedFilesOf(entryAt(1, { metadata })).map(({ name, type }) => [name, type])

it('names files and images that the conversation has no bytes of, and no image twice', () => {
  const kept = {
    file: `attachments/${'a'.repeat(64)}.png`,
    mime: 'image/png',
    bytes: 1,
    name: 'kept.png',
    sha256: 'a'.repeat(64),
  }
  const images = [
    { at: 0, name: 'shown.png' },
    kept,
    { url: 'https://example.org/far.png' },
    { name: 'screen.png' },
    'https://example.org/plain.png',
    7,
  ]
  const attachments = [
    { filename: 'notes.pdf', mime_type: 'application/pdf' },
    { name: 'main.py' },
    { size: 3 },
  ]
  expect(named({ images, attachments })).toEqual([
    ['notes.pdf', 'application/pdf'],
    ['main.py', undefined],
    ['https://example.org/far.png', 'image'],
    ['screen.png', 'image'],
    ['https://example.org/plain.png', 'image'],
  ])
})
