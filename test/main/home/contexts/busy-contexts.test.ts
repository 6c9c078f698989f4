import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openBusyContexts } from '../../../../src/main/home/contexts/busy-contexts'
import type { Home } from '../../../../src/main/home/home'
import { openStore } from '../../../../src/main/store/open-store'
import { createLiveKeys } from '../../../../src/renderer/state/library/live'
import { ConversationSummary } from '../../../../src/shared/model/conversation/conversation'
import { handClock } from '../../../renderer/state/support/hand-clock'
import { jsonLine, message } from '../../../support/entries'
import { openTestHome } from '../../../support/home'
import { tempFolders } from '../../../support/temp-folder'

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
  const shown = new Map<string, ConversationSummary>()
  const told: ConversationSummary[] = []
  const everLive = new Set<string>()
  const live = createLiveKeys(handClock(Date.now()), (keys) => {
    for (const key of keys) everLive.add(key)
  })
  const notes: string[] = []
  const session = await openTestHome(root, {
    events: {
      conversationsChanged({ conversations, gone }) {
        const rows = conversations.map((row) => ConversationSummary.parse(row))
        live.fold(shown, rows, gone)
        for (const row of rows) shown.set(row.key, row)
        told.push(...rows)
      },
    },
    note: (words) => notes.push(words),
  })
  closers.push(() => session.close())
  const { conversations } = await session.library.list(undefined, 100)
  for (const row of conversations) shown.set(row.key, row)
  const [garden] = conversations
  if (garden === undefined) throw new Error('garden is not listed')
  return { home, session, told, everLive, garden, notes }
}

async function compactByHand(session: Home): Promise<string> {
  return (await session.compactions.compact({ context: 'garden', mode: 'drop' })).type
}

describe('a conversation that grows', () => {
  it.each<[string, (session: Home) => Promise<unknown>, unknown]>([
    ['its window is compacted', compactByHand, 'compacted'],
    [
      'its window is cleared',
      (session) => session.contexts.clear('garden'),
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
    const busy = openBusyContexts(async (key) => void told.push(busy.has(key)))
    await expect(
      busy.during('garden', async () => {
        expect(busy.has('garden')).toBe(true)
        expect(busy.has('shed')).toBe(false)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(told).toEqual([true, false])
  })

  it('stays ours while something else of ours goes on there', async () => {
    const busy = openBusyContexts(async () => {})
    let end = () => {}
    const first = busy.during('garden', () => new Promise<void>((resolve) => (end = resolve)))
    await busy.during('garden', async () => {})
    expect(busy.has('garden')).toBe(true)
    end()
    await first
    expect(busy.has('garden')).toBe(false)
  })

  it('is ours no more when whoever takes its steps leaves', async () => {
    const busy = openBusyContexts(async () => {})
    async function* steps(): AsyncGenerator<number, void, void> {
      yield 1
      yield 2
    }
    for await (const step of busy.through('garden', steps())) {
      expect(busy.has('garden')).toBe(true)
      if (step === 1) break
    }
    expect(busy.has('garden')).toBe(false)
  })
})
