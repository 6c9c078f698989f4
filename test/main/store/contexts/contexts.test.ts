import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openStore } from '../../../../src/main/store/open-store'
import type { EntryDraft } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { message } from '../../../support/entries'
import { atEveryCall } from '../../../support/every-call'
import type { FaultPlan } from '../../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const startMs = 1_780_000_000_000
/** A minute later any lock that was not given back is stale. */
const laterMs = startMs + 60_000
const fixtures = path.join(__dirname, '../../../fixtures/chibi')

const faults: readonly FaultPlan[] = [
  { fault: 'no-space' },
  { fault: 'io' },
  { fault: 'done-then-io' },
  { fault: 'io', forEver: true },
  { fault: 'short-write', forEver: true },
]

const storeAt = (home: string, disk: Disk = nodeDisk, nowMs = startMs) =>
  openStore({ home, disk, now: () => nowMs })

const answer = (content: string): EntryDraft =>
  message(content, { from: 'garden', to: 'user', role: 'agent' })

async function gardenAt(home: string): Promise<string> {
  const writer = await storeAt(home).openWriter('garden', { create: true })
  await writer.append(message('How do I prune roses?'))
  await writer.append(answer('In March.\n\n[USER]: not a block'))
  await writer.close()
  return home
}

/** Every file below a folder with its bytes, but for locks. */
function bytesIn(folder: string): Record<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile())
  return Object.fromEntries(
    files
      .filter((name) => !path.basename(name).startsWith('.lock'))
      .map((name) => [name, hashOf(path.join(folder, name))]),
  )
}

const hashOf = (file: string) => createHash('sha256').update(fs.readFileSync(file)).digest('hex')
const json = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8'))
const contextsIn = (home: string) => fs.readdirSync(path.join(home, 'contexts')).sort()
const stateNames = (home: string) =>
  json(path.join(home, 'state.json')).contexts.map((one: string | { name: string }) =>
    typeof one === 'string' ? one : one.name,
  )

/** What a process that died holds is let go by its death; here the "dead" process is the test's own. */
function burySelf(home: string): void {
  for (const name of fs.readdirSync(home, { recursive: true, encoding: 'utf8' }))
    if (/\.skein-gate|\.state\.skein/.test(name)) fs.rmSync(path.join(home, name))
}

async function textsOf(home: string, name: string): Promise<string[]> {
  const { rows } = await storeAt(home, nodeDisk, laterMs).readWhole(name)
  const texts: string[] = []
  for await (const row of requireWhole(rows))
    if (row.type === 'entry') texts.push(row.entry.content)
  return texts
}

function foreignLock(home: string, name: string): void {
  fs.writeFileSync(path.join(home, 'contexts', name, '.lock'), String(startMs / 1000))
}

describe('renaming a context', () => {
  it('moves every byte of it, and what names it outside follows', async () => {
    const home = await gardenAt(temp())
    const state = json(path.join(home, 'state.json'))
    state.contexts[0].destroy_at = 42
    state.hers = 'kept'
    fs.writeFileSync(path.join(home, 'state.json'), JSON.stringify(state))
    fs.writeFileSync(
      path.join(home, 'session.json'),
      '{\n  "implied_context": "garden",\n  "previous_context": null,\n  "x": 1\n}',
    )
    const before = bytesIn(path.join(home, 'contexts/garden'))
    const store = storeAt(home)
    await store.contexts.rename('garden', 'allotment')
    expect(contextsIn(home)).toEqual(['allotment'])
    expect(bytesIn(path.join(home, 'contexts/allotment'))).toEqual(before)
    expect(json(path.join(home, 'state.json'))).toEqual({
      contexts: [{ ...state.contexts[0], name: 'allotment' }],
      hers: 'kept',
    })
    expect(fs.readFileSync(path.join(home, 'session.json'), 'utf8')).toBe(
      '{\n  "implied_context": "allotment",\n  "previous_context": null,\n  "x": 1\n}',
    )
    expect((await store.listContexts()).map(({ name, lock }) => [name, lock.state])).toEqual([
      ['allotment', 'free'],
    ])
    const writer = await store.openWriter('allotment', { create: false })
    expect(await writer.window('refuse')).toHaveLength(3)
    await writer.append(message('more'))
    await writer.close()
  })

  it.each([
    ['a name that no context can have', 'gar den', 'bad-argument'],
    ['a name that is taken', 'kitchen', 'exists'],
    ['a name that something else has', 'notes', 'exists'],
  ])('refuses %s, and changes nothing', async (_, to, code) => {
    const home = await gardenAt(temp())
    await storeAt(home)
      .openWriter('kitchen', { create: true })
      .then((writer) => writer.close())
    fs.writeFileSync(path.join(home, 'contexts/notes'), 'a file')
    const before = bytesIn(home)
    await expect(storeAt(home).contexts.rename('garden', to)).rejects.toMatchObject({ code })
    await expect(storeAt(home).contexts.rename('none', 'some')).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(bytesIn(home)).toEqual(before)
  })

  it('refuses while anybody works in it', async () => {
    const home = await gardenAt(temp())
    const store = storeAt(home)
    const writer = await store.openWriter('garden', { create: false })
    for (const work of [
      () => store.contexts.rename('garden', 'allotment'),
      () => store.contexts.clear('garden'),
      () => store.contexts.destroy('garden', async () => expect.fail('it was taken away')),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'locked' })
    await writer.close()
    foreignLock(home, 'garden')
    await expect(store.contexts.rename('garden', 'allotment')).rejects.toMatchObject({
      code: 'locked',
      message: 'garden is in use by chibi.',
    })
    await expect(
      store.contexts.destroy('garden', async () => expect.fail('it was taken away')),
    ).rejects.toMatchObject({ code: 'locked' })
    expect(contextsIn(home)).toEqual(['garden'])
  })

  it('moves no folder that another has put in its place at the same moment', async () => {
    const home = await gardenAt(temp())
    const [garden, other] = ['garden', 'orchard'].map((name) => path.join(home, 'contexts', name))
    const disk: Disk = {
      ...nodeDisk,
      async rename(from, to) {
        if (from === garden && path.basename(to) === 'allotment') {
          // Another process renames it too, and somebody makes one of the old name.
          fs.renameSync(garden, other ?? '')
          fs.mkdirSync(path.join(garden, 'transcript'), { recursive: true })
          fs.writeFileSync(path.join(garden, 'todos.md'), '- new')
        }
        await nodeDisk.rename(from, to)
      },
    }
    await expect(storeAt(home, disk).contexts.rename('garden', 'allotment')).rejects.toMatchObject({
      code: 'lock-lost',
    })
    expect(contextsIn(home)).toEqual(['garden', 'orchard'])
    expect(fs.readFileSync(path.join(garden ?? '', 'todos.md'), 'utf8')).toBe('- new')
    expect(await textsOf(home, 'orchard')).toContain('How do I prune roses?')
  })

  it('changes the case alone on a disk to which large and small letters are one', async () => {
    const home = await gardenAt(temp())
    const own = path.join(home, 'contexts/garden')
    const isOwn = (file: string) => file.toLowerCase() === own.toLowerCase()
    // Such a disk finds the folder under both spellings, and lists the one that it has.
    const disk: Disk = {
      ...nodeDisk,
      stat: (file) => nodeDisk.stat(isOwn(file) && fs.existsSync(own) ? own : file),
    }
    await storeAt(home, disk).contexts.rename('garden', 'Garden')
    expect(contextsIn(home)).toEqual(['Garden'])
    expect(stateNames(home)).toEqual(['Garden'])
  })

  it('remembers the names that branches know it by, also when another takes one of them', async () => {
    const home = await gardenAt(temp())
    await storeAt(home, nodeDisk, 2_000_000).contexts.rename('garden', 'allotment')
    await storeAt(home, nodeDisk, 4_000_000).contexts.rename('allotment', 'orchard')
    await storeAt(home, nodeDisk, 5_000_000)
      .openWriter('garden', { create: true })
      .then((writer) => writer.close())
    const { contexts } = storeAt(home)
    expect(await contexts.formerNames('orchard')).toEqual(['allotment', 'garden'])
    expect(await contexts.formerNames('garden')).toEqual([])
    await storeAt(home).contexts.rename('orchard', 'allotment')
    expect(await contexts.formerNames('allotment')).toEqual(['orchard', 'garden'])
  })

  it.each(faults)(
    'cut off at any call ($fault, for ever: $forEver), one whole context is there',
    async (plan) => {
      const base = await gardenAt(temp())
      fs.writeFileSync(path.join(base, 'session.json'), '{"implied_context":"garden"}')
      await storeAt(base).contexts.setArchived('garden', true)
      const before = bytesIn(path.join(base, 'contexts/garden'))
      const tried = await atEveryCall(plan, async (disk) => {
        const home = temp()
        fs.cpSync(base, home, { recursive: true })
        const failed = await storeAt(home, disk)
          .contexts.rename('garden', 'allotment')
          .then(
            () => false,
            () => true,
          )
        burySelf(home)
        const [name = '', ...others] = contextsIn(home)
        expect(others).toEqual([])
        expect(['garden', 'allotment']).toContain(name)
        // Without a crash, what failed is undone, and what is done was told so.
        if (plan.forEver !== true) expect(name).toBe(failed ? 'garden' : 'allotment')
        expect(bytesIn(path.join(home, 'contexts', name))).toEqual(before)
        // chibi keeps what stands under the name that has a folder.
        expect(stateNames(home)).toContain(name)
        const store = storeAt(home, nodeDisk, laterMs)
        expect(await store.contexts.archived()).toContain(name)
        if (name === 'allotment') expect(await store.contexts.formerNames(name)).toEqual(['garden'])
        const writer = await store.openWriter(name, { create: false })
        expect(await writer.window('refuse')).toHaveLength(3)
        await writer.close()
        const next = name === 'garden' ? 'allotment' : 'garden'
        await store.contexts.rename(name, next)
        expect(contextsIn(home)).toEqual([next])
      })
      expect(tried).toBeGreaterThan(15)
    },
  )
})

describe('clearing a window', () => {
  it("appends chibi's anchor, keeps every line, and skips a window that is empty", async () => {
    const home = await gardenAt(temp())
    const folder = path.join(home, 'contexts/garden')
    fs.writeFileSync(path.join(folder, 'summary.md'), 'Roses, mostly.')
    const active = path.join(folder, 'transcript/active.jsonl')
    const before = fs.readFileSync(active, 'utf8')
    const heard: unknown[] = []
    const store = storeAt(home)
    const hooks = async (point: string, data: unknown) => void heard.push([point, data])
    expect(await store.contexts.clear('garden', { hooks })).toEqual({ cleared: true, messages: 2 })
    const after = fs.readFileSync(active, 'utf8')
    expect(after.startsWith(before)).toBe(true)
    const added = after.slice(before.length).trim().split('\n')
    expect(added).toHaveLength(1)
    expect(JSON.parse(added[0] ?? '')).toMatchObject({
      from: 'system',
      to: 'garden',
      content: 'Context archived/cleared',
      entry_type: 'archival',
      metadata: { cleared_summary: 'Roses, mostly.' },
    })
    const data = { context_name: 'garden', message_count: 2, summary: 'Roses, mostly.' }
    expect(heard).toEqual([
      ['pre_clear', data],
      ['post_clear', data],
    ])
    expect(fs.existsSync(path.join(folder, 'summary.md'))).toBe(false)
    expect(fs.existsSync(path.join(folder, '.dirty'))).toBe(true)
    expect(fs.existsSync(path.join(folder, 'transcript.md'))).toBe(false)
    expect(await store.contexts.clear('garden', { hooks })).toEqual({ cleared: false, messages: 0 })
    expect(heard).toHaveLength(2)
    expect(fs.readFileSync(active, 'utf8')).toBe(after)
    const writer = await store.openWriter('garden', { create: false })
    expect((await writer.window('refuse')).map(({ entry_type }) => entry_type)).toEqual([
      'archival',
    ])
    await writer.close()
  })

  it('counts the calls of a turn as one message', async () => {
    const home = await gardenAt(temp())
    const writer = await storeAt(home).openWriter('garden', { create: false })
    const tool = { from: 'garden', to: 'file_head', role: undefined }
    for (const id of ['a', 'b'])
      await writer.append(message('{}', { ...tool, entry_type: 'tool_call', tool_call_id: id }))
    for (const id of ['a', 'b'])
      await writer.append(message('text', { ...tool, entry_type: 'tool_result', tool_call_id: id }))
    await writer.close()
    expect((await storeAt(home).contexts.clear('garden')).messages).toBe(5)
  })

  it('keeps transcript.md up where there is one, and makes one where it is asked for', async () => {
    const home = await gardenAt(temp())
    const page = path.join(home, 'contexts/garden/transcript.md')
    const store = storeAt(home)
    await store.contexts.clear('garden', { withPage: true })
    const first =
      '[USER]: How do I prune roses?\n\n[ASSISTANT]: In March.\n\n[USER]: not a block\n\n'
    expect(fs.readFileSync(page, 'utf8')).toBe(first)
    fs.appendFileSync(page, 'her own words, torn')
    const writer = await store.openWriter('garden', { create: false })
    await writer.append(message('And tulips?'))
    await writer.close()
    await store.contexts.clear('garden')
    expect(fs.readFileSync(page, 'utf8')).toBe(
      `${first}her own words, torn\n\n[USER]: And tulips?\n\n`,
    )
  })

  it('says that its summary cannot be read, and clears nothing', async () => {
    const home = await gardenAt(temp())
    const folder = path.join(home, 'contexts/garden')
    const active = path.join(folder, 'transcript/active.jsonl')
    const before = fs.readFileSync(active, 'utf8')
    fs.writeFileSync(path.join(folder, 'summary.md'), 'Roses, mostly.')
    fs.truncateSync(path.join(folder, 'summary.md'), 17 * 1024 * 1024)
    await expect(storeAt(home).contexts.clear('garden')).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('The summary of "garden" cannot be read'),
    })
    expect(fs.readFileSync(active, 'utf8')).toBe(before)
  })

  it('takes away no summary that was written after it', async () => {
    const home = await gardenAt(temp())
    const file = path.join(home, 'contexts/garden/summary.md')
    fs.writeFileSync(file, 'Roses, mostly.')
    await storeAt(home).contexts.clear('garden')
    fs.writeFileSync(file, 'Tulips, from now on.')
    expect((await storeAt(home).contexts.clear('garden')).cleared).toBe(false)
    expect(fs.readFileSync(file, 'utf8')).toBe('Tulips, from now on.')
  })

  it('that was cut off before its summary went is ended by whoever writes next', async () => {
    const home = await gardenAt(temp())
    const folder = path.join(home, 'contexts/garden')
    await storeAt(home).contexts.clear('garden')
    const file = path.join(folder, 'transcript/active.jsonl')
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
    const anchor = JSON.parse(lines.pop() ?? '')
    const kept = { ...anchor, metadata: { cleared_summary: 'Roses, mostly.' } }
    fs.writeFileSync(file, `${[...lines, JSON.stringify(kept)].join('\n')}\n`)
    fs.writeFileSync(path.join(folder, 'summary.md'), 'Roses, mostly.')
    fs.writeFileSync(path.join(folder, '.dirty'), '')
    const writer = await storeAt(home).openWriter('garden', { create: false })
    await writer.close()
    expect(fs.existsSync(path.join(folder, 'summary.md'))).toBe(false)
  })

  it('that had no summary keeps nobody from writing behind it where one stands that cannot be read', async () => {
    const home = await gardenAt(temp())
    const folder = path.join(home, 'contexts/garden')
    await storeAt(home).contexts.clear('garden')
    expect(fs.existsSync(path.join(folder, '.dirty'))).toBe(true)
    fs.mkdirSync(path.join(folder, 'summary.md'))
    const writer = await storeAt(home).openWriter('garden', { create: false })
    await writer.close()
    expect(fs.existsSync(path.join(folder, '.dirty'))).toBe(false)
    expect(fs.existsSync(path.join(folder, 'summary.md'))).toBe(true)
  })

  it.each(faults)(
    'cut off at any call ($fault, for ever: $forEver), nothing is lost or doubled',
    async (plan) => {
      const base = await gardenAt(temp())
      const inBase = path.join(base, 'contexts/garden')
      fs.writeFileSync(path.join(inBase, 'summary.md'), 'Roses, mostly.')
      fs.writeFileSync(path.join(inBase, 'transcript.md'), '[USER]: long ago\n\n')
      const said = ['Context created', 'How do I prune roses?', 'In March.\n\n[USER]: not a block']
      const tried = await atEveryCall(plan, async (disk) => {
        const home = temp()
        fs.cpSync(base, home, { recursive: true })
        await storeAt(home, disk)
          .contexts.clear('garden')
          .catch(() => undefined)
        burySelf(home)
        const store = storeAt(home, nodeDisk, laterMs)
        await store.contexts.clear('garden')
        expect(await textsOf(home, 'garden')).toEqual([...said, 'Context archived/cleared'])
        const folder = path.join(home, 'contexts/garden')
        expect(fs.existsSync(path.join(folder, 'summary.md'))).toBe(false)
        // Where the lock was taken by its time alone, what stood there is a partition now.
        const transcript = fs.readdirSync(path.join(folder, 'transcript'), {
          recursive: true,
          encoding: 'utf8',
        })
        const lines = transcript
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => fs.readFileSync(path.join(folder, 'transcript', name), 'utf8'))
        expect(lines.join('')).toContain('"cleared_summary":"Roses, mostly."')
        const page = fs.readFileSync(path.join(folder, 'transcript.md'), 'utf8')
        expect(page.endsWith('[ASSISTANT]: In March.\n\n[USER]: not a block\n\n')).toBe(true)
        if (plan.fault !== 'short-write')
          expect(page.match(/How do I prune roses/g)).toHaveLength(1)
      })
      expect(tried).toBeGreaterThan(20)
    },
  )
})

describe('archiving a context', () => {
  it('touches no file of it, and is undone', async () => {
    const home = await gardenAt(temp())
    const before = bytesIn(path.join(home, 'contexts'))
    const { contexts } = storeAt(home)
    foreignLock(home, 'garden')
    await contexts.setArchived('garden', true)
    expect(await contexts.archived()).toEqual(['garden'])
    await contexts.setArchived('garden', true)
    await contexts.setArchived('garden', false)
    expect(await contexts.archived()).toEqual([])
    expect(bytesIn(path.join(home, 'contexts'))).toEqual(before)
    await expect(contexts.setArchived('none', true)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('keeps unknown keys, and a damaged file beside the new one', async () => {
    const home = await gardenAt(temp())
    const file = path.join(home, 'contexts.skein.json')
    const { contexts } = storeAt(home)
    fs.writeFileSync(file, '{"archived":["other"],"later":{"a":1}}')
    await contexts.setArchived('garden', true)
    expect(json(file)).toEqual({
      archived: ['garden', 'other'],
      archived_created: [{ name: 'garden', created_at: startMs / 1000 }],
      later: { a: 1 },
      renamed: [],
    })
    fs.writeFileSync(file, '{torn')
    expect(await contexts.archived()).toEqual([])
    await contexts.setArchived('garden', true)
    expect(fs.readFileSync(`${file}.damaged-1`, 'utf8')).toBe('{torn')
  })

  it.each(faults)(
    'cut off at any call ($fault, for ever: $forEver), it is or it is not',
    async (plan) => {
      const base = await gardenAt(temp())
      const before = bytesIn(path.join(base, 'contexts'))
      await atEveryCall(plan, async (disk) => {
        const home = temp()
        fs.cpSync(base, home, { recursive: true })
        await storeAt(home, disk)
          .contexts.setArchived('garden', true)
          .catch(() => undefined)
        burySelf(home)
        expect(bytesIn(path.join(home, 'contexts'))).toEqual(before)
        const { contexts } = storeAt(home)
        expect([[], ['garden']]).toContainEqual(await contexts.archived())
        await contexts.setArchived('garden', true)
        expect(await contexts.archived()).toEqual(['garden'])
      })
    },
  )
})

describe('a mark of a context that is gone', () => {
  /** As chibi removes one: it knows nothing of the marks. */
  async function goneAt(home: string, marks?: object): Promise<void> {
    await gardenAt(home)
    await storeAt(home).contexts.setArchived('garden', true)
    fs.rmSync(path.join(home, 'contexts/garden'), { recursive: true })
    const file = path.join(home, 'contexts.skein.json')
    if (marks !== undefined) fs.writeFileSync(file, JSON.stringify(marks))
  }

  // Also one of which it is not known when its context was made.
  it.each([undefined, { archived: ['garden', 'other'] }])(
    'stays while nobody has its name, and is cleared by whoever gets it (%j)',
    async (marks) => {
      const beginning = { metadata: {}, entries: [message('Begun.')] }
      for (const make of ['create', 'beginning', 'rename'] as const) {
        const home = temp()
        await goneAt(home, marks)
        const { contexts, openWriter } = storeAt(home)
        expect(await contexts.archived()).toContain('garden')
        if (make === 'rename') {
          await (await openWriter('bed', { create: true })).close()
          await contexts.rename('bed', 'garden')
        } else {
          const more = make === 'beginning' ? { beginning } : {}
          await (await openWriter('garden', { create: true, ...more })).close()
        }
        const others = (marks?.archived ?? []).filter((name) => name !== 'garden')
        expect([make, await contexts.archived()]).toEqual([make, others])
        expect(json(path.join(home, 'contexts.skein.json')).archived).toEqual(others)
      }
    },
  )

  it('does not hit one that chibi makes under its name, nor follows that one to another name', async () => {
    const home = temp()
    await goneAt(home)
    const state = json(path.join(home, 'state.json'))
    for (const one of state.contexts) one.created_at += 100
    fs.writeFileSync(path.join(home, 'state.json'), JSON.stringify(state))
    fs.mkdirSync(path.join(home, 'contexts/garden'))
    const { contexts } = storeAt(home)
    expect(await contexts.archived()).toEqual([])
    await contexts.rename('garden', 'bed')
    expect(await contexts.archived()).toEqual([])
    await contexts.setArchived('bed', true)
    await contexts.rename('bed', 'pond')
    expect(await contexts.archived()).toEqual(['pond'])
  })
})

describe('removing a context', () => {
  const toTrash = (trash: string) => async (folder: string) =>
    fs.renameSync(folder, path.join(trash, path.basename(folder)))

  it('takes its folder to the trash whole, then forgets it', async () => {
    const [home, trash] = [await gardenAt(temp()), temp()]
    fs.writeFileSync(
      path.join(home, 'session.json'),
      '{"implied_context":"garden","previous_context":"kitchen"}',
    )
    const store = storeAt(home)
    await store.contexts.setArchived('garden', true)
    const before = bytesIn(path.join(home, 'contexts/garden'))
    await store.contexts.destroy('garden', toTrash(trash))
    expect(bytesIn(path.join(trash, 'garden'))).toEqual(before)
    expect(stateNames(home)).toEqual([])
    expect(await store.contexts.archived()).toEqual([])
    expect(json(path.join(home, 'session.json'))).toEqual({
      implied_context: 'kitchen',
      previous_context: null,
    })
  })

  it.runIf(process.platform === 'linux')(
    'leaves its lock behind: what is put back is free at once, for chibi too',
    async () => {
      const [home, trash] = [await gardenAt(temp()), temp()]
      await storeAt(home).contexts.destroy('garden', toTrash(trash))
      const names = fs.readdirSync(path.join(trash, 'garden'))
      expect(names.filter((name) => name.startsWith('.lock'))).toEqual([])
      fs.renameSync(path.join(trash, 'garden'), path.join(home, 'contexts/garden'))
      const writer = await storeAt(home).openWriter('garden', { create: false, waitMs: 0 })
      await writer.close()
    },
  )

  it('leaves everything as it was where the trash does not take it', async () => {
    const home = await gardenAt(temp())
    const before = bytesIn(home)
    const { contexts } = storeAt(home)
    await expect(
      contexts.destroy('garden', async () => {
        throw new Error('the trash is full')
      }),
    ).rejects.toMatchObject({
      code: 'io',
      message: '"garden" was not removed: the trash is full.',
    })
    await expect(contexts.destroy('garden', async () => undefined)).rejects.toMatchObject({
      message: '"garden" was not removed: the folder is still there.',
    })
    expect(bytesIn(home)).toEqual(before)
    expect(fs.existsSync(path.join(home, 'contexts/garden/.lock'))).toBe(false)
  })

  it.each(faults)(
    'cut off at any call ($fault, for ever: $forEver), it is here or in the trash',
    async (plan) => {
      const base = await gardenAt(temp())
      const before = bytesIn(path.join(base, 'contexts/garden'))
      await atEveryCall(plan, async (disk) => {
        const [home, trash] = [temp(), temp()]
        fs.cpSync(base, home, { recursive: true })
        await storeAt(home, disk)
          .contexts.destroy('garden', (folder) => disk.rename(folder, path.join(trash, 'garden')))
          .catch(() => undefined)
        burySelf(home)
        const isHere = contextsIn(home).length > 0
        const at = isHere ? path.join(home, 'contexts/garden') : path.join(trash, 'garden')
        expect(bytesIn(at)).toEqual(before)
        if (isHere) expect(stateNames(home)).toEqual(['garden'])
      })
    },
  )

  it('is never what reading a home does, however long a context was idle', async () => {
    const home = path.join(temp(), 'home')
    fs.cpSync(path.join(fixtures, 'home-v010'), home, { recursive: true })
    const before = bytesIn(home)
    const store = storeAt(home, nodeDisk, Date.now())
    await store.listContexts()
    await store.readBeside('ember')
    await store.contexts.archived()
    await store.contexts.setArchived('ember', true)
    await store.contexts.rename('spark', 'flame')
    expect(contextsIn(home)).toEqual(['ember', 'flame'])
    const { 'state.json': _, ...others } = bytesIn(home)
    for (const [name, hash] of Object.entries(before))
      if (name.startsWith('contexts/ember/')) expect(others[name]).toBe(hash)
  })
})

describe.each(['home-v05', 'home-v09', 'home-v010'])("the contexts of chibi's %s", (era) => {
  // chibi refuses names with a dot, and so do we.
  const names = fs
    .readdirSync(path.join(fixtures, era, 'contexts'))
    .filter((name) => !name.includes('.'))

  it.each(names)(
    '%s keep every byte of their transcripts when they are renamed, cleared and archived',
    async (name) => {
      const home = path.join(temp(), 'home')
      fs.cpSync(path.join(fixtures, era), home, { recursive: true })
      fs.rmSync(path.join(home, 'contexts', name, '.lock'), { force: true })
      const { contexts } = storeAt(home)
      const transcripts = () =>
        Object.entries(bytesIn(path.join(home, 'contexts'))).filter(([file]) =>
          /transcript/.test(file),
        )
      const before = transcripts()
      const shape = typeof json(path.join(home, 'state.json')).contexts[0]
      await contexts.setArchived(name, true)
      await contexts.rename(name, 'another')
      expect(
        transcripts()
          .map(([file, hash]) => [file.replace('another/', `${name}/`), hash])
          .sort(),
      ).toEqual(before.sort())
      const { contexts: listed } = json(path.join(home, 'state.json'))
      expect(listed.every((one: unknown) => typeof one === shape)).toBe(true)
      expect(stateNames(home)).toContain('another')
      expect(stateNames(home)).not.toContain(name)
      const texts = await textsOf(home, 'another')
      const cleared = await contexts.clear('another').catch((error: { code: string }) => error.code)
      if (cleared === 'read-only') return
      // The oldest ones were brought to today's layout, which begins with an anchor.
      expect(await textsOf(home, 'another')).toEqual(expect.arrayContaining(texts))
    },
  )
})

describe("a context's own texts", () => {
  it('are replaced as a whole, but not over what somebody else wrote meanwhile', async () => {
    const home = await gardenAt(temp())
    const { contexts } = storeAt(home)
    const file = path.join(home, 'contexts/garden/todos.md')
    expect(await contexts.readText('garden', 'todos.md')).toBe(null)
    await contexts.writeText('garden', 'todos.md', '- [ ] prune', null)
    fs.writeFileSync(file, '- [x] prune')
    await expect(
      contexts.writeText('garden', 'todos.md', '- [ ] prune, mulch', '- [ ] prune'),
    ).rejects.toMatchObject({ code: 'busy' })
    expect(fs.readFileSync(file, 'utf8')).toBe('- [x] prune')
    await contexts.writeText('garden', 'todos.md', null, '- [x] prune')
    expect(fs.existsSync(file)).toBe(false)
    await expect(
      contexts.writeText('garden', 'goals.md', 'x'.repeat(1024 * 1024 + 1), null),
    ).rejects.toMatchObject({ code: 'bad-argument' })
    await expect(contexts.writeText('none', 'goals.md', 'x', null)).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
