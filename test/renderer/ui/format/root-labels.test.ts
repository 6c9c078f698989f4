import { expect, it } from 'vitest'
import {
  fixedRootsText,
  rootStateText,
  rootTotalText,
} from '../../../../src/renderer/ui/format/root-labels'
import { type RootState, RootsFrom } from '../../../../src/shared/model/settings/source-roots'

const counted = {
  counts: [
    { kind: 'conversation' as const, count: 3 },
    { kind: 'database' as const, count: 1 },
  ],
  bytes: 2048,
}
const found = { conversations: 2314, bytes: 3 * 1024 * 1024 }

it.each<[RootState, string]>([
  [{ type: 'off' }, 'Off.'],
  [{ type: 'waiting' }, 'Not scanned yet.'],
  [{ type: 'off', counted }, 'Off: 3 conversations, 1 database, 2.0 KB.'],
  [{ type: 'waiting', counted }, '3 conversations, 1 database, 2.0 KB.'],
  [{ type: 'waiting', counted: { counts: [], bytes: 0 } }, 'No conversations there.'],
  [{ type: 'waiting', isThere: true }, 'Found. Counted when it is read.'],
  [{ type: 'missing' }, 'Not found.'],
  [{ type: 'found', ...found }, '2,314 conversations, 3.0 MB.'],
  [
    { type: 'found', ...found, newestMs: Date.UTC(2026, 8, 10, 12) },
    '2,314 conversations, 3.0 MB, the newest of Sep 10, 2026.',
  ],
  [{ type: 'found', conversations: 0, bytes: 0 }, 'No conversations there.'],
  [{ type: 'looking', ...found }, 'Scanning: 2,314 conversations, 3.0 MB so far.'],
  [
    { type: 'stopped', conversations: 1, bytes: 1 },
    'Stopped: 1 conversation, 1 byte so far, there may be more.',
  ],
  [{ type: 'unreadable', why: 'a\u202eb\u001b' }, 'Cannot be read: a⟨U+202E⟩b␛'],
])('says a state in words: %j', (state, words) => {
  expect(rootStateText(state)).toBe(words)
})

it('sums up what all roots hold, and counts the places that hold something', () => {
  const some: RootState = { type: 'found', conversations: 1, bytes: 1024 }
  expect(rootTotalText([some, { type: 'stopped', ...found }, { type: 'missing' }])).toBe(
    '2,315 conversations, 3.0 MB, in 2 places.',
  )
  expect(rootTotalText([some, { type: 'waiting', counted }, { type: 'off', counted }])).toBe(
    '4 conversations, 1 database, 3.0 KB, in 2 places.',
  )
  expect(rootTotalText([{ type: 'off' }, { type: 'found', conversations: 0, bytes: 0 }])).toBe(
    'No conversations from other systems.',
  )
})

it('says why nothing can be changed wherever the start decided, and nothing where Settings do', () => {
  const words = RootsFrom.options.map((from) => fixedRootsText(from))
  expect(words.filter((text) => text === undefined)).toHaveLength(1)
  expect(fixedRootsText('settings')).toBeUndefined()
  expect(fixedRootsText('root-option')).toContain('--root')
})
