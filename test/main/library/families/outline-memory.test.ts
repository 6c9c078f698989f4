import { expect, it } from 'vitest'
import type { FamilyCache } from '../../../../src/main/library/families/family-cache'
import { OutlineMemory } from '../../../../src/main/library/families/outline-memory'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { type Outline, outlineOf } from '../../../../src/shared/model/family/outline'
import { conversation, message } from '../../../support/outlined'

/** A conversation of so many messages, as the memory has it. */
function outlineWith(name: string, messages: number): { key: LibraryKey; outline: Outline } {
  const said = Array.from({ length: messages }, (_, at) =>
    message(at % 2 === 0 ? 'user' : 'agent', `${name} ${at}`),
  )
  return { key: LibraryKey.parse(`cycod:${name}`), outline: outlineOf(conversation(name, said)) }
}

/** A cache in memory whose outlines are there once `go` was called. */
function slowCache() {
  const kept = new Map<LibraryKey, { stamp: string; outline: Outline }>()
  let go: () => void = () => undefined
  const goes = new Promise<void>((resolve) => {
    go = resolve
  })
  const cache: FamilyCache = {
    load: async () => new Map(),
    save: async () => undefined,
    async loadOutline(key, stamp) {
      const found = kept.get(key)
      return found?.stamp === stamp ? found.outline : undefined
    },
    async saveOutline(key, stamp, outline) {
      await goes
      kept.set(key, { stamp, outline })
    },
    dropOutline: async (key) => void kept.delete(key),
  }
  return { cache, kept, go: () => go() }
}

it('what has no room is found on the disk, also while it is on its way there', async () => {
  const { cache, kept, go } = slowCache()
  const memory = new OutlineMemory(cache, 10)
  const [one, two, three] = [outlineWith('one', 6), outlineWith('two', 6), outlineWith('three', 20)]
  for (const { key, outline } of [one, two, three]) memory.put(key, 's', outline)
  const asked = memory.get(one.key, 's')
  const settled = memory.settled()
  go()
  await settled
  expect(await asked).toBe(one.outline)
  await memory.settled()
  // The third has left as well, for the one that was asked for.
  expect([...kept.keys()]).toEqual([one.key, two.key, three.key])
  expect(await memory.get(two.key, 's')).toBe(two.outline)
  expect(await memory.get(two.key, 'another')).toBeUndefined()
})

it('what was read anew has no room for what it was before', async () => {
  const { cache, kept, go } = slowCache()
  go()
  const memory = new OutlineMemory(cache, 10)
  const [one, two] = [outlineWith('one', 6), outlineWith('two', 8)]
  memory.put(one.key, 'old', one.outline)
  memory.put(one.key, 'new', one.outline)
  await memory.settled()
  expect(kept.size).toBe(0)
  memory.put(two.key, 's', two.outline)
  await memory.settled()
  expect(kept.get(one.key)?.stamp).toBe('new')
})
