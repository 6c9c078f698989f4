import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()

async function gardenHome() {
  const home = path.join(temp(), 'home')
  const notices: string[] = []
  const store = openStore({
    home,
    disk: nodeDisk,
    now: () => 1_780_000_000_000,
    storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries: 3 }),
    noticed: (_, notice) => notices.push(notice),
  })
  const writer = await store.openWriter('garden', { create: true })
  for (const text of ['one', 'two', 'three'])
    await writer.append(message(text, { timestamp: 1_780_000_000 }))
  await writer.close()
  const folder = path.join(home, 'contexts/garden')
  return { home, store, folder, notices, upkeep: store.upkeep }
}

const waiting = (id: string, content: string) =>
  `${JSON.stringify({ id, timestamp: 7, from: 'zoo', to: 'garden', content })}\n`

describe('the partitions of a context', () => {
  it('have what the manifest and the seals say, and what the active one holds', async () => {
    const { upkeep, folder } = await gardenHome()
    const archived = 'transcript/partitions/1780000000-1780000000.jsonl'
    const size = (file: string) => fs.statSync(path.join(folder, file)).size
    const both = { start: 1_780_000_000, end: 1_780_000_000 }
    expect(await upkeep.partitions('garden')).toEqual({
      rows: [
        {
          ...both,
          file: archived,
          isActive: false,
          entries: 3,
          tokens: 7,
          bytes: size(archived),
          seal: 'sealed',
          hasFilter: true,
          isStray: false,
        },
        {
          ...both,
          file: 'transcript/active.jsonl',
          isActive: true,
          entries: 1,
          tokens: 2,
          bytes: size('transcript/active.jsonl'),
          seal: 'none',
          hasFilter: false,
          isStray: false,
        },
      ],
      thresholds: { entries: 3, tokens: 100_000, ageSeconds: 2_592_000 },
    })
  })

  it('of a context that is not there are refused', async () => {
    const { upkeep } = await gardenHome()
    await expect(upkeep.partitions('zoo')).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('transcript.md', () => {
  it('is read from its end, from the start of a line', async () => {
    const { upkeep, folder } = await gardenHome()
    expect(await upkeep.page('garden')).toBe(null)
    fs.writeFileSync(path.join(folder, 'transcript.md'), `[USER]: ${'x'.repeat(50)}\n`)
    expect(await upkeep.page('garden')).toMatchObject({ bytes: 59, leftOut: 0 })
    const line = `${'y'.repeat(1023)}\n`
    fs.writeFileSync(path.join(folder, 'transcript.md'), `first\n${line.repeat(1024)}`)
    const page = await upkeep.page('garden')
    expect([page?.leftOut, page?.text.startsWith('yyy'), page?.text.length]).toEqual([
      6 + 1024,
      true,
      1023 * 1024,
    ])
  })
})

describe('the current context of chibi', () => {
  it('is noted in session.json, with the one before and all other keys', async () => {
    const { upkeep, home, store } = await gardenHome()
    const session = path.join(home, 'session.json')
    await upkeep.makeCurrent('garden')
    expect(await store.contexts.session()).toEqual({ current: 'garden', previous: undefined })
    fs.writeFileSync(session, '{"implied_context": "zoo", "x": [1]}')
    await upkeep.makeCurrent('garden')
    expect(JSON.parse(fs.readFileSync(session, 'utf8'))).toEqual({
      implied_context: 'garden',
      previous_context: 'zoo',
      x: [1],
    })
    const before = fs.readFileSync(session, 'utf8')
    await upkeep.makeCurrent('garden')
    expect(fs.readFileSync(session, 'utf8')).toBe(before)
    await expect(upkeep.makeCurrent('nobody')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('is noted beside a damaged session.json, which is kept', async () => {
    const { upkeep, home, notices } = await gardenHome()
    fs.writeFileSync(path.join(home, 'session.json'), '{"implied_')
    await upkeep.makeCurrent('garden')
    expect(fs.readFileSync(path.join(home, 'session.json.damaged-1'), 'utf8')).toBe('{"implied_')
    expect(notices).toContain('session.json was damaged; it is kept as session.json.damaged-1.')
  })
})

describe('the summary', () => {
  it('is written under the lock, over nothing that changed meanwhile', async () => {
    const { upkeep, store, folder } = await gardenHome()
    const file = path.join(folder, 'summary.md')
    await upkeep.writeSummary('garden', 'roses', null)
    expect(fs.readFileSync(file, 'utf8')).toBe('roses')
    await expect(upkeep.writeSummary('garden', 'mine', null)).rejects.toMatchObject({
      code: 'busy',
    })
    const writer = await store.openWriter('garden', { create: false })
    await expect(upkeep.writeSummary('garden', 'mine', 'roses')).rejects.toMatchObject({
      code: 'locked',
    })
    await writer.close()
    await upkeep.writeSummary('garden', null, 'roses')
    expect(fs.existsSync(file)).toBe(false)
    expect(fs.existsSync(path.join(folder, '.lock'))).toBe(false)
  })
})

describe('a message that waits', () => {
  const meant = { id: 'm1', timestamp: 7, from: 'zoo', content: 'Rain.' }

  it('gets other words, is taken away and put back, and all other lines stay', async () => {
    const { upkeep, store, folder } = await gardenHome()
    const inbox = path.join(folder, 'inbox.jsonl')
    fs.writeFileSync(inbox, `${waiting('m1', 'Rain.')}not json\n${waiting('m2', 'Sun.')}`)
    const texts = async () => (await store.readBeside('garden')).inbox.map(({ text }) => text)
    await upkeep.changeInbox('garden', meant, 'Snow.')
    expect((await texts()).sort()).toEqual(['Snow.', 'Sun.'])
    expect(fs.readFileSync(path.join(folder, 'inbox.damaged.skein.jsonl'), 'utf8')).toBe(
      'not json\n',
    )
    await expect(upkeep.changeInbox('garden', meant, null)).rejects.toMatchObject({ code: 'busy' })
    await upkeep.changeInbox('garden', { ...meant, id: 'm2', content: 'Sun.' }, null)
    expect(await texts()).toEqual(['Snow.'])
    await upkeep.putInbox('garden', { ...meant, id: 'm2', content: 'Sun.' })
    expect((await texts()).sort()).toEqual(['Snow.', 'Sun.'])
  })

  it('is not changed while somebody writes to the context', async () => {
    const { upkeep, store, folder } = await gardenHome()
    fs.writeFileSync(path.join(folder, 'inbox.jsonl'), waiting('m1', 'Rain.'))
    const writer = await store.openWriter('garden', { create: false })
    await expect(upkeep.changeInbox('garden', meant, null)).rejects.toMatchObject({
      code: 'locked',
    })
    await writer.close()
    expect(fs.readFileSync(path.join(folder, 'inbox.jsonl'), 'utf8')).toBe(waiting('m1', 'Rain.'))
  })
})
