import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openStore } from '../../../../src/main/store/open-store'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { jsonLine, message } from '../../../support/entries'
import { faultyDisk } from '../../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const fixtures = path.join(__dirname, '../../../fixtures/chibi')

function homeWith(files: Readonly<Record<string, string>>) {
  const home = temp()
  const garden = path.join(home, 'contexts/garden')
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(garden, name)), { recursive: true })
    fs.writeFileSync(path.join(garden, name), content)
  }
  const store = openStore({ home, disk: nodeDisk, now: () => 10_000 })
  const contents = async () => {
    const found: string[] = []
    for await (const row of requireWhole((await store.readWhole('garden')).rows))
      found.push(row.type === 'entry' ? row.entry.content : 'damaged')
    return found
  }
  const append = async (text: string) => {
    const writer = await store.openWriter('garden', { create: false })
    await writer.append(message(text, { timestamp: 10 }))
    await writer.close()
  }
  return { home, garden, store, contents, append }
}

const line = (content: string, timestamp = 5) => jsonLine({ id: content, content, timestamp })

describe('a legacy transcript.jsonl', () => {
  it('is read in place, and copied before its name goes', async () => {
    // The last line has no end, and one is damaged: both stay as they are.
    const legacy = `${line('one')}\nrubbish\n${line('two')}`
    const { garden, contents, append } = homeWith({ 'transcript.jsonl': legacy })
    expect(await contents()).toEqual(['one', 'damaged', 'two'])
    expect(fs.readdirSync(garden)).toEqual(['transcript.jsonl'])
    await append('three')
    expect(await contents()).toEqual(['one', 'damaged', 'two', 'three'])
    expect(
      fs
        .readFileSync(path.join(garden, 'transcript/active.jsonl'), 'utf8')
        .startsWith(`${legacy}\n`),
    ).toBe(true)
    expect(fs.readFileSync(path.join(garden, 'transcript.jsonl.migrated'), 'utf8')).toBe(legacy)
    expect(fs.existsSync(path.join(garden, 'transcript.jsonl'))).toBe(false)
  })

  it('becomes the oldest partition where a transcript stands already, and replaces nothing', async () => {
    const { garden, contents, append } = homeWith({
      'transcript.jsonl': `${line('old', 1)}\n`,
      'transcript/active.jsonl': `${line('new', 9)}\n`,
    })
    expect(await contents()).toEqual(['old', 'new'])
    await append('newer')
    expect(await contents()).toEqual(['old', 'new', 'newer'])
    const manifest = JSON.parse(
      fs.readFileSync(path.join(garden, 'transcript/manifest.json'), 'utf8'),
    )
    expect(manifest.partitions).toMatchObject([{ file: 'partitions/1-1.jsonl', entry_count: 1 }])
    expect(fs.readFileSync(path.join(garden, 'transcript.jsonl.migrated'), 'utf8')).toBe(
      `${line('old', 1)}\n`,
    )
  })

  it('is neither lost nor doubled when the migration is cut off anywhere', async () => {
    for (const more of [{}, { 'transcript/active.jsonl': `${line('new', 9)}\n` }]) {
      const expected = ['old', ...Object.keys(more).map(() => 'new')]
      for (let at = 1; ; at++) {
        const { home, contents, append } = homeWith({
          'transcript.jsonl': `${line('old', 1)}\n`,
          ...more,
        })
        const disk = faultyDisk(nodeDisk, { at, fault: 'io', forEver: true })
        const cut = openStore({ home, disk, now: () => 10_000 }).openWriter('garden', {
          create: false,
        })
        await cut.then((writer) => writer.close()).catch(() => {})
        if (disk.calls() < at) break
        for (const name of fs.readdirSync(home, { recursive: true, encoding: 'utf8' }))
          if (/\.skein-gate|\.state\.skein|\.lock/.test(name)) fs.rmSync(path.join(home, name))
        expect(await contents()).toEqual(expected)
        await append('after')
        expect(await contents()).toEqual([...expected, 'after'])
      }
    }
  })
})

describe('a context.json of before 0.5', () => {
  it('becomes a transcript at the first writing, and is kept', async () => {
    const home = temp()
    fs.cpSync(path.join(fixtures, 'home-v05'), home, { recursive: true })
    const folder = path.join(home, 'contexts/default')
    const original = fs.readFileSync(path.join(folder, 'context.json'), 'utf8')
    const store = openStore({ home, disk: nodeDisk })
    await (await store.openWriter('default', { create: false })).close()
    const reading = await store.readPage('default', 'start', 10)
    expect(reading.rows.map((row) => row.type === 'entry' && row.entry)).toMatchObject([
      { content: 'Context created', timestamp: 1769299900 },
      {
        id: 'a57619c6-8e64-489c-91db-dffee3a0aa49',
        content: 'very old',
        role: 'user',
        from: 'user',
        to: 'default',
      },
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        content: 'indeed',
        role: 'agent',
        from: 'default',
        to: 'user',
      },
    ])
    expect(fs.readFileSync(path.join(folder, 'context.json.migrated'), 'utf8')).toBe(original)
    expect(fs.existsSync(path.join(folder, 'context.json'))).toBe(false)
  })
})

describe('a context.json', () => {
  const document = JSON.stringify({
    name: 'garden',
    messages: [
      { id: 'a', role: 'user', content: 'very old' },
      { role: 'assistant', content: 'indeed' },
    ],
    created_at: 5,
    summary: 'They agreed.',
  })

  it('is neither lost nor doubled, nor its summary, when the migration is cut off anywhere', async () => {
    for (let at = 1; ; at++) {
      const { home, garden, contents, append } = homeWith({ 'context.json': document })
      const disk = faultyDisk(nodeDisk, { at, fault: 'io', forEver: true })
      const cut = openStore({ home, disk, now: () => 10_000 }).openWriter('garden', {
        create: false,
      })
      await cut.then((writer) => writer.close()).catch(() => {})
      if (disk.calls() < at) break
      for (const name of fs.readdirSync(home, { recursive: true, encoding: 'utf8' }))
        if (/\.skein-gate|\.state\.skein|\.lock/.test(name)) fs.rmSync(path.join(home, name))
      const spoken = async () => (await contents()).filter((text) => text !== 'Context created')
      expect(await spoken()).toEqual(['very old', 'indeed'])
      await append('after')
      expect(await contents()).toEqual(['Context created', 'very old', 'indeed', 'after'])
      expect(fs.readFileSync(path.join(garden, 'summary.md'), 'utf8')).toBe('They agreed.')
      expect(fs.readFileSync(path.join(garden, 'context.json.migrated'), 'utf8')).toBe(document)
      expect(fs.existsSync(path.join(garden, 'context.json'))).toBe(false)
    }
  })

  it('beside a transcript of other words is left as it is', async () => {
    const active = `${line('one')}\n`
    const { garden, contents, append } = homeWith({
      'context.json': document,
      'summary.md': 'Another.',
      'transcript/active.jsonl': active,
    })
    await append('two')
    expect(await contents()).toEqual(['one', 'two'])
    expect(fs.readFileSync(path.join(garden, 'context.json'), 'utf8')).toBe(document)
    expect(fs.readFileSync(path.join(garden, 'summary.md'), 'utf8')).toBe('Another.')
    const bytes = fs.readFileSync(path.join(garden, 'transcript/active.jsonl'), 'utf8')
    expect(bytes.startsWith(active)).toBe(true)
  })
})

describe('state.json', () => {
  const stateOf = (home: string) =>
    JSON.parse(fs.readFileSync(path.join(home, 'state.json'), 'utf8'))

  it('keeps unknown keys, the order of names and the form of its era', async () => {
    const { home, store, append } = homeWith({ 'transcript/active.jsonl': `${line('one')}\n` })
    const other = { name: 'zoo', created_at: 1, cwd: '/x', x: [1] }
    fs.writeFileSync(
      path.join(home, 'state.json'),
      JSON.stringify({ contexts: [other], current_context: 'zoo' }),
    )
    await append('two')
    const added = {
      name: 'garden',
      created_at: 10,
      last_activity_at: 10,
      destroy_after_seconds_inactive: 0,
      destroy_at: 0,
      cwd: null,
    }
    expect(stateOf(home)).toEqual({ contexts: [added, other], current_context: 'zoo' })
    fs.writeFileSync(
      path.join(home, 'state.json'),
      JSON.stringify({ contexts: ['zoo'], current_context: 'zoo' }),
    )
    await append('three')
    expect(stateOf(home)).toEqual({ contexts: ['garden', 'zoo'], current_context: 'zoo' })
    expect((await store.findContext('garden'))?.createdAt).toBeUndefined()
  })

  it('notes that a context is used, so that chibi does not remove it as idle', async () => {
    const { home, append } = homeWith({ 'transcript/active.jsonl': `${line('one')}\n` })
    const idle = {
      name: 'garden',
      created_at: 1,
      last_activity_at: -100,
      destroy_after_seconds_inactive: 60,
      destroy_at: 0,
    }
    fs.writeFileSync(path.join(home, 'state.json'), JSON.stringify({ contexts: [idle] }))
    await append('two')
    expect(stateOf(home).contexts).toEqual([{ ...idle, last_activity_at: 10 }])
  })

  it('with items that name no context tells of the others, and keeps these as they are', async () => {
    const { home, append, store } = homeWith({ 'transcript/active.jsonl': `${line('one')}\n` })
    const odd = [null, 7, { nom: 'zoo', n: [1] }, { name: 5 }, ['garden']]
    const zoo = { name: 'zoo', created_at: 3, last_activity_at: 'yesterday' }
    const garden = { name: 'garden', created_at: '1', last_activity_at: null }
    const contexts = [odd[0], zoo, odd[1], garden, ...odd.slice(2)]
    fs.writeFileSync(path.join(home, 'state.json'), JSON.stringify({ contexts, extra: 1 }))
    expect((await store.findContext('garden'))?.createdAt).toBeUndefined()
    await append('two')
    const active = { ...garden, last_activity_at: 10 }
    expect(stateOf(home)).toEqual({
      contexts: [odd[0], zoo, odd[1], active, ...odd.slice(2)],
      extra: 1,
    })
    await store.contexts.rename('garden', 'allotment')
    expect(stateOf(home)).toEqual({
      contexts: [{ ...active, name: 'allotment' }, zoo, ...odd],
      extra: 1,
    })
    expect(fs.readdirSync(home).filter((name) => name.includes('damaged'))).toEqual([])
  })

  it('is kept beside when it is damaged, every time', async () => {
    const { home, append, store } = homeWith({ 'transcript/active.jsonl': `${line('one')}\n` })
    for (const [n, bytes] of ['{"contexts": [', '[]'].entries()) {
      fs.writeFileSync(path.join(home, 'state.json'), bytes)
      expect((await store.listContexts()).map(({ name }) => name)).toEqual(['garden'])
      await append('more')
      expect(fs.readFileSync(path.join(home, `state.json.damaged-${n + 1}`), 'utf8')).toBe(bytes)
      expect(stateOf(home).contexts).toMatchObject([{ name: 'garden' }])
    }
  })
})
