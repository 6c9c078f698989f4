import { expect, it } from 'vitest'
import type { ConversationSource } from '../../../../src/main/library/list/conversation-source'
import { openSourceScan } from '../../../../src/main/library/list/source-scan'
import { ConversationKey, LibraryKey } from '../../../../src/shared/model/conversation/conversation'

const key = LibraryKey.parse('garden')

/** A source with one conversation, which is there no more once its list has seen it. */
function vanishing(end: Promise<void>): ConversationSource {
  return {
    holds: () => true,
    async list() {
      await end
      return [
        {
          ...{ source: 'chibi', key, ownKey: ConversationKey.parse('garden'), stamp: '1' },
          ...{ files: [], bytes: 1, updatedAtMs: 1, lock: { state: 'free' }, missing: [] },
          ...{ unreadable: undefined, shownPlace: '' },
          readFacts: async () => expect.unreachable('nothing is read'),
          count: async () => expect.unreachable('nothing is counted'),
          readNotes: async () => ({}),
        },
      ]
    },
    find: async () => undefined,
    watch: () => () => undefined,
  }
}

it('one that has gone while a scan went on is not found by that scan, and may be by the next', async () => {
  let end: () => void = () => undefined
  const isAtEnd = new Promise<void>((resolve) => {
    end = resolve
  })
  const scan = openSourceScan([vanishing(isAtEnd)], Promise.resolve())
  const told: unknown[] = []
  const scanned = scan.all(undefined, (some) => void told.push(...some))
  await scan.one(key)
  end()
  await scanned
  expect([...scan.found.keys()]).toEqual([])
  await scan.all()
  expect([...scan.found.keys()]).toEqual([key])
})
