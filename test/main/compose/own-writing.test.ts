import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type HomeSession, openHome } from '../../../src/main/compose/home'
import { openOwnWriting } from '../../../src/main/compose/own-writing'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openSettings } from '../../../src/main/settings/settings'
import { environmentVault } from '../../../src/main/settings/stored/key-vault'
import { openStore } from '../../../src/main/store/open-store'
import { createLiveKeys } from '../../../src/renderer/state/library/live'
import { ConversationSummary } from '../../../src/shared/model/conversation/conversation'
import { handClock } from '../../renderer/state/support/hand-clock'
import { jsonLine, message } from '../../support/entries'
import { allowedAll } from '../../support/permissions'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A home with the context `garden`, and what the window makes of what it is told: which conversations are live. */
async function watched() {
  const root = folder('home')
  const home = path.join(root, 'chibi')
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })
  // These entries are long ago: whatever is appended makes it newer.
  for (let n = 1; n <= 6; n++) await writer.append(message(`word ${n}`))
  await writer.close()
  const settings = openSettings({
    disk: nodeDisk,
    home,
    folder: path.join(root, 'settings'),
    vault: environmentVault,
    environment: {},
  })
  const shown = new Map<string, ConversationSummary>()
  const told: ConversationSummary[] = []
  const everLive = new Set<string>()
  const live = createLiveKeys(handClock(Date.now()), (keys) => {
    for (const key of keys) everLive.add(key)
  })
  const notes: string[] = []
  const session: HomeSession = openHome({
    permissions: allowedAll,
    disk: nodeDisk,
    home,
    roots: [],
    readers: [],
    isPartial: () => false,
    cacheFolder: path.join(root, 'cache'),
    userFolder: path.join(root, 'settings'),
    settings,
    library: {
      changed({ conversations, gone }) {
        const rows = conversations.map((row) => ConversationSummary.parse(row))
        live.fold(shown, rows, gone)
        for (const row of rows) shown.set(row.key, row)
        told.push(...rows)
      },
    },
    completion: {
      delta: () => {},
      state: () => {},
      consentAsked: () => {},
      consentEnded: () => {},
    },
    branches: { changed: () => {} },
    search: { found: () => {}, progress: () => {}, index: () => {} },
    familiesWorker: path.join(root, 'not-built'),
    searchWorker: path.join(root, 'not-built'),
    countWorker: path.join(root, 'not-built'),
    tokensWorker: path.join(root, 'not-built'),
    poke: async () => {},
    note: (words) => notes.push(words),
  })
  closers.push(() => session.close())
  const { conversations } = await session.library.list(undefined, 100)
  for (const row of conversations) shown.set(row.key, row)
  const [garden] = conversations
  if (garden === undefined) throw new Error('garden is not listed')
  return { home, session, told, everLive, garden, notes }
}

async function compactByHand(session: HomeSession): Promise<string> {
  const steps = session.compact({ context: 'garden', mode: 'drop' }, new AbortController().signal)
  let step = await steps.next()
  while (!step.done) step = await steps.next()
  return step.value.type
}

describe('a conversation that grows', () => {
  it.each<[string, (session: HomeSession) => Promise<unknown>, unknown]>([
    ['its window is compacted', compactByHand, 'compacted'],
    [
      'its window is cleared',
      (session) => session.store.contexts.clear('garden', {}),
      { cleared: true, messages: 6 },
    ],
  ])('is not taken for somebody else’s when %s', async (_, act, done) => {
    const { session, told, everLive, garden, notes } = await watched()
    expect(await act(session)).toEqual(done)
    await session.library.refresh('garden')
    const last = told.at(-1)
    expect(last?.bytes).toBeGreaterThan(garden.bytes)
    expect(last?.updated).not.toBe(garden.updated)
    expect(last?.running).toBe(false)
    expect([...everLive]).toEqual([])
    expect(notes).toEqual([])
  })

  it('is taken for somebody else’s when another program writes it', async () => {
    const { home, session, everLive } = await watched()
    expect(await compactByHand(session)).toBe('compacted')
    const line = jsonLine({ id: randomUUID(), timestamp: Math.floor(Date.now() / 1000) + 1 })
    fs.appendFileSync(path.join(home, 'contexts/garden/transcript/active.jsonl'), `${line}\n`)
    await session.library.refresh('garden')
    expect([...everLive]).toEqual(['garden'])
  })
})

describe('what we write', () => {
  it('is ours until its growth was told, and not after it; also where it fails', async () => {
    const told: boolean[] = []
    const own = openOwnWriting(async (key) => void told.push(own.isWritten(key)))
    await expect(
      own.during('garden', async () => {
        expect(own.isWritten('garden')).toBe(true)
        expect(own.isWritten('shed')).toBe(false)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(told).toEqual([true, false])
  })

  it('stays ours while something else of ours goes on there', async () => {
    const own = openOwnWriting(async () => {})
    let end = () => {}
    const first = own.during('garden', () => new Promise<void>((resolve) => (end = resolve)))
    await own.during('garden', async () => {})
    expect(own.isWritten('garden')).toBe(true)
    end()
    await first
    expect(own.isWritten('garden')).toBe(false)
  })

  it('is ours no more when whoever takes its steps leaves', async () => {
    const own = openOwnWriting(async () => {})
    async function* steps(): AsyncGenerator<number, void, void> {
      yield 1
      yield 2
    }
    for await (const step of own.through('garden', steps())) {
      expect(own.isWritten('garden')).toBe(true)
      if (step === 1) break
    }
    expect(own.isWritten('garden')).toBe(false)
  })
})
