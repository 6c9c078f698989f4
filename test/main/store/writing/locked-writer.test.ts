import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  defaultRotationPolicy,
  type RotationPolicy,
} from '../../../../src/main/store/core/manifest'
import { encodeForAppend } from '../../../../src/main/store/lines/encoded-entry'
import { openStore, type StoreOptions } from '../../../../src/main/store/open-store'
import type { Store } from '../../../../src/main/store/store'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { message } from '../../../support/entries'
import { faultyDisk } from '../../../support/faulty-disk'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const startMs = 1_780_000_000_000

function storeWith(policy: Partial<RotationPolicy> = {}, more: Partial<StoreOptions> = {}) {
  const home = more.home ?? path.join(temp(), 'home')
  const notices: string[] = []
  const store = openStore({
    disk: nodeDisk,
    now: () => startMs,
    storagePolicy: async () => ({ ...defaultRotationPolicy, ...policy }),
    noticed: (_, notice) => notices.push(notice),
    ...more,
    home,
  })
  const garden = path.join(home, 'contexts/garden')
  const read = (file: string) => fs.readFileSync(path.join(garden, file), 'utf8')
  return { home, garden, store, notices, read }
}

async function contentsOf(store: Store, name = 'garden'): Promise<string[]> {
  const contents: string[] = []
  for await (const row of requireWhole((await store.readWhole(name)).rows))
    contents.push(row.type === 'entry' ? row.entry.content : `damaged: ${row.damaged.reason}`)
  return contents
}

describe('a new context', () => {
  it('is made as chibi makes it: anchor, empty window, state.json', async () => {
    const { store, garden, home, read } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    await writer.close()
    expect(JSON.parse(read('transcript/active.jsonl'))).toEqual({
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      timestamp: startMs / 1000,
      from: 'system',
      to: 'garden',
      content: 'Context created',
      entry_type: 'context_created',
    })
    expect(read('context.jsonl')).toBe('')
    expect(fs.readdirSync(garden).sort()).toEqual([
      'context.jsonl',
      'context_meta.json',
      'transcript',
    ])
    expect(fs.readdirSync(path.join(garden, 'transcript'))).toEqual(['active.jsonl'])
    expect(JSON.parse(fs.readFileSync(path.join(home, 'state.json'), 'utf8'))).toEqual({
      contexts: [
        {
          name: 'garden',
          created_at: startMs / 1000,
          last_activity_at: startMs / 1000,
          destroy_after_seconds_inactive: 0,
          destroy_at: 0,
        },
      ],
    })
  })

  it('is refused where one is, and opening is refused where none is', async () => {
    const { store } = storeWith()
    await expect(store.openWriter('garden', { create: false })).rejects.toMatchObject({
      code: 'not-found',
    })
    await (await store.openWriter('garden', { create: true })).close()
    await expect(store.openWriter('garden', { create: true })).rejects.toMatchObject({
      code: 'exists',
    })
    await expect(store.openWriter('../x', { create: true })).rejects.toMatchObject({
      code: 'bad-argument',
    })
    await expect(store.openWriter('../x', { create: false })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('may be made where only an empty folder was left', async () => {
    const { store, garden } = storeWith()
    fs.mkdirSync(garden, { recursive: true })
    await (await store.openWriter('garden', { create: true })).close()
    expect(await contentsOf(store)).toEqual(['Context created'])
  })
})

describe('an append', () => {
  it('writes the line in the key order and escaping of chibi, to transcript and window', async () => {
    const { store, read } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    const id = EntryId.parse('id-1')
    const { entry } = await writer.append({
      flow_control: true,
      role: 'user',
      tool_call_id: 'call_1',
      metadata: { model: 'm\ud800', nested: [{ 'k\udc00': 'v' }] },
      entry_type: 'message',
      content: 'é \u2028 \u0001 \ud83d\ude00 lone \ud83d',
      to: 'garden',
      from: 'mira',
      timestamp: 1_780_000_001.9,
      id,
    })
    const line =
      '{"id":"id-1","timestamp":1780000001,"from":"mira","to":"garden","content":"é \u2028 \\u0001 \ud83d\ude00 lone \ufffd",' +
      '"entry_type":"message","metadata":{"model":"m\ufffd","nested":[{"k\ufffd":"v"}]},"tool_call_id":"call_1","role":"user","flow_control":true}\n'
    expect(read('transcript/active.jsonl').split('\n').slice(1).join('\n')).toBe(line)
    expect(entry).toMatchObject({
      timestamp: 1780000001,
      content: 'é \u2028 \u0001 \ud83d\ude00 lone \ufffd',
      line: 2,
    })
    const raw = await store.readLine('garden', entry.file, entry.offset, entry.length)
    expect([`${Buffer.from(raw.bytes).toString()}\n`, raw.line]).toEqual([line, 2])
    await writer.close()
    expect(read('context.jsonl')).toBe(line)
  })

  it('leaves flow_control away unless it is true, and empty metadata', async () => {
    const { store, read } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    await writer.append(message('x', { flow_control: false, metadata: {} }))
    await writer.close()
    expect(Object.keys(JSON.parse(read('context.jsonl')))).toEqual([
      'id',
      'timestamp',
      'from',
      'to',
      'content',
      'entry_type',
      'role',
    ])
  })

  it('begins a line of its own after torn bytes, which stay', async () => {
    const { store, garden, read } = storeWith()
    await (await store.openWriter('garden', { create: true })).close()
    fs.appendFileSync(path.join(garden, 'transcript/active.jsonl'), '{"id":"torn","ti')
    const writer = await store.openWriter('garden', { create: false })
    const { entry } = await writer.append(message('after the tear'))
    await writer.close()
    expect(await contentsOf(store)).toEqual([
      'Context created',
      'damaged: the text ends inside a string',
      'after the tear',
    ])
    expect(read('transcript/active.jsonl').split('\n')[1]).toBe('{"id":"torn","ti')
    const raw = await store.readLine('garden', entry.file, entry.offset, entry.length)
    expect([JSON.parse(Buffer.from(raw.bytes).toString()).content, raw.line]).toEqual([
      'after the tear',
      3,
    ])
    expect(entry.line).toBe(3)
  })

  it('notices what another program appended or tore while the context was open', async () => {
    const { store, garden, read } = storeWith({ maxEntries: 5 })
    const writer = await store.openWriter('garden', { create: true })
    await writer.append(message('one'))
    const foreign = JSON.stringify(message('by chibi'))
    fs.appendFileSync(path.join(garden, 'transcript/active.jsonl'), `${foreign}\n{"torn`)
    await writer.append(message('two'))
    await writer.append(message('three'))
    await writer.close()
    expect(await contentsOf(store)).toEqual([
      'Context created',
      'one',
      'by chibi',
      'damaged: the text ends inside a string',
      'two',
      'three',
    ])
    // Five of them parse, so this was a rotation's count.
    expect(JSON.parse(read('transcript/manifest.json')).partitions).toMatchObject([
      { entry_count: 5 },
    ])
    expect(
      read('context.jsonl')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).content),
    ).toEqual(['Context created', 'one', 'by chibi', 'two', 'three'])
  })

  it('goes on in a new file when another program has archived the active one', async () => {
    const { store, garden } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    await writer.append(message('one'))
    const partitions = path.join(garden, 'transcript/partitions')
    fs.mkdirSync(partitions)
    fs.renameSync(
      path.join(garden, 'transcript/active.jsonl'),
      path.join(partitions, '1780000000-1780000000.jsonl'),
    )
    await writer.append(message('two'))
    await writer.close()
    expect(await contentsOf(store)).toEqual(['Context created', 'one', 'two'])
  })

  it('runs calls one after the other, in their order', async () => {
    const { store } = storeWith({ maxEntries: 7 })
    const writer = await store.openWriter('garden', { create: true })
    const texts = Array.from({ length: 40 }, (_, i) => `text ${i}`)
    await Promise.all(texts.map((text) => writer.append(message(text))))
    await writer.close()
    expect(await contentsOf(store)).toEqual(['Context created', ...texts])
  })

  it('gives a position from which exactly the later rows are read, also across a rotation', async () => {
    const { store } = storeWith({ maxEntries: 3 })
    const writer = await store.openWriter('garden', { create: true })
    const { after } = await writer.append(message('one'))
    for (const text of ['two', 'three', 'four']) await writer.append(message(text))
    await writer.close()
    const page = await store.readPage('garden', { after }, 10)
    expect(page.rows.map((row) => row.type === 'entry' && row.entry.content)).toEqual([
      'two',
      'three',
      'four',
    ])
  })
})

describe('the lock of a writer', () => {
  it('is held from open to close, and shown', async () => {
    const { store, garden } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    expect(await store.lockState('garden')).toEqual({ state: 'ours' })
    expect(fs.readFileSync(path.join(garden, '.lock'), 'utf8')).toBe(String(startMs / 1000))
    await expect(store.openWriter('garden', { create: false, waitMs: 30 })).rejects.toMatchObject({
      code: 'locked',
      message: 'garden is in use by this Skein.',
    })
    await writer.close()
    await writer.close()
    expect(await store.lockState('garden')).toEqual({ state: 'free' })
    await (await store.openWriter('garden', { create: false })).close()
  })

  it('keeps a writer from writing once another has it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, garden } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    fs.rmSync(path.join(garden, '.lock'))
    fs.writeFileSync(path.join(garden, '.lock'), String(startMs / 1000 + 1))
    // In a burst of appends the lock's file is looked at every 20 ms.
    vi.advanceTimersByTime(21)
    await expect(writer.append(message('x'))).rejects.toMatchObject({ code: 'lock-lost' })
    expect(writer.lost.aborted).toBe(true)
    await writer.close()
    // It is the other's: closing leaves it.
    expect(fs.readFileSync(path.join(garden, '.lock'), 'utf8')).toBe(String(startMs / 1000 + 1))
    expect(await contentsOf(store)).toEqual(['Context created'])
  })
})

describe('a partial answer', () => {
  const answer = message('', {
    from: 'garden',
    to: 'user',
    role: 'agent',
    metadata: { model: 'm' },
  })

  it('becomes an entry marked interrupted when it was not discarded', async () => {
    const { store, garden } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    const partial = await writer.startPartial(answer)
    partial.update('Half an ans')
    // Closing writes what is not written yet, as a crash a second later would find it.
    await writer.close()
    expect(fs.existsSync(path.join(garden, 'partial.skein.jsonl'))).toBe(true)
    for (let i = 0; i < 2; i++) await (await store.openWriter('garden', { create: false })).close()
    const page = await store.readPage('garden', 'end', 10)
    expect(page.rows.map((row) => row.type === 'entry' && row.entry)).toMatchObject([
      { content: 'Context created' },
      { id: answer.id, content: 'Half an ans', metadata: { model: 'm', interrupted: 'crashed' } },
    ])
    expect(fs.existsSync(path.join(garden, 'partial.skein.jsonl'))).toBe(false)
  })

  it('is kept with its thoughts, also where it came to no word', async () => {
    const { store } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    const partial = await writer.startPartial(answer)
    partial.update('', 'Half a thou')
    await writer.close()
    await (await store.openWriter('garden', { create: false })).close()
    const page = await store.readPage('garden', 'end', 10)
    expect(page.rows.map((row) => row.type === 'entry' && row.entry).at(-1)).toMatchObject({
      id: answer.id,
      content: '',
      metadata: { model: 'm', reasoning: 'Half a thou', interrupted: 'crashed' },
    })
  })

  it('is forgotten once its entry stands in the transcript, even in an archived partition', async () => {
    const { store } = storeWith({ maxEntries: 2 })
    const writer = await store.openWriter('garden', { create: true })
    const partial = await writer.startPartial(answer)
    partial.update('Half an ans')
    await writer.append({ ...answer, content: 'The whole answer' })
    await writer.append(message('more'))
    await writer.close()
    await (await store.openWriter('garden', { create: false })).close()
    expect(await contentsOf(store)).toEqual(['Context created', 'The whole answer', 'more'])
  })

  it('leaves nothing behind when it is discarded, also when it could not be written', async () => {
    const disk = faultyDisk(nodeDisk)
    const { store, garden, notices } = storeWith({}, { disk })
    const writer = await store.openWriter('garden', { create: true })
    const partial = await writer.startPartial(answer)
    disk.plan({ at: 1, fault: 'no-space' })
    partial.update('text')
    await expect.poll(() => disk.calls()).toBeGreaterThan(1)
    await partial.discard()
    await writer.close()
    expect(fs.existsSync(path.join(garden, 'partial.skein.jsonl'))).toBe(false)
    expect(notices).toMatchObject([expect.stringContaining('A partial answer could not be kept')])
  })

  it('is set aside, and said, when it is damaged', async () => {
    const { store, garden, notices } = storeWith()
    await (await store.openWriter('garden', { create: true })).close()
    fs.writeFileSync(path.join(garden, 'partial.skein.jsonl'), '{"id":"x","con')
    await (await store.openWriter('garden', { create: false })).close()
    expect(fs.readFileSync(path.join(garden, 'partial.skein.jsonl.damaged-1'), 'utf8')).toBe(
      '{"id":"x","con',
    )
    expect(await contentsOf(store)).toEqual(['Context created'])
    expect(notices).toEqual([
      expect.stringMatching(
        /^The answer that was cut off cannot be read: .+\. It is kept as partial\.skein\.jsonl\.damaged-1\.$/,
      ),
    ])
  })

  it('is set aside, and said, where no reader would take its entry: others are written all the same', async () => {
    const { store, garden, notices } = storeWith()
    await (await store.openWriter('garden', { create: true })).close()
    const file = path.join(garden, 'partial.skein.jsonl')
    const lineOf = (values: number) =>
      encodeForAppend({ ...answer, content: 'Half', metadata: { a: new Array(values).fill(0) } }, 5)
    // As many values as one entry may have, nine of them around the list: the mark of the crash is one more.
    let values = 500_000 - 9
    let most = await lineOf(values).catch(() => undefined)
    while (most === undefined) most = await lineOf(--values).catch(() => undefined)
    fs.writeFileSync(file, most.line)
    const writer = await store.openWriter('garden', { create: false })
    await writer.append(message('more'))
    await writer.close()
    expect(fs.existsSync(file)).toBe(false)
    expect(fs.readFileSync(`${file}.damaged-1`).equals(most.line)).toBe(true)
    expect(await contentsOf(store)).toEqual(['Context created', 'more'])
    expect(notices).toEqual([
      'The message entry was not saved: its metadata has more values than can be read again. It is kept as partial.skein.jsonl.damaged-1.',
    ])
  })
})

describe('the window', () => {
  const windowOf = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).content)

  it('holds what follows the last anchor, without changes of the system prompt', async () => {
    const { store, read } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    await writer.append(message('old'))
    await writer.append(message('Context compacted', { entry_type: 'compaction', from: 'system' }))
    await writer.append(
      message('new prompt', { entry_type: 'system_prompt_changed', from: 'system' }),
    )
    await writer.append(message('new'))
    expect((await writer.window('refuse')).map(({ content }) => content)).toEqual([
      'Context compacted',
      'new',
    ])
    await writer.close()
    expect(windowOf(read('context.jsonl'))).toEqual(['Context compacted', 'new'])
  })

  it('is rebuilt when its last id is another, is torn, or .dirty stands; else its bytes stay', async () => {
    const { store, garden, read } = storeWith()
    const writer = await store.openWriter('garden', { create: true })
    await writer.append(message('one'))
    await writer.append(message('two'))
    await writer.close()
    const window = path.join(garden, 'context.jsonl')
    const right = read('context.jsonl')
    const reopen = async () => (await store.openWriter('garden', { create: false })).close()
    const inode = fs.statSync(window).ino
    await reopen()
    expect([fs.statSync(window).ino, read('context.jsonl')]).toEqual([inode, right])
    for (const bytes of [
      right.slice(0, right.indexOf('\n') + 1),
      right.slice(0, -9),
      '',
      'rubbish\n',
    ]) {
      fs.writeFileSync(window, bytes)
      await reopen()
      expect(windowOf(read('context.jsonl'))).toEqual(['Context created', 'one', 'two'])
    }
    fs.writeFileSync(window, `rubbish\n${right}`)
    fs.writeFileSync(path.join(garden, '.dirty'), '')
    await reopen()
    expect(windowOf(read('context.jsonl'))).toEqual(['Context created', 'one', 'two'])
    expect(fs.existsSync(path.join(garden, '.dirty'))).toBe(false)
  })

  it('gets an anchor made up where the transcript has none, as in chibi', async () => {
    const { store, garden, read } = storeWith()
    fs.mkdirSync(path.join(garden, 'transcript'), { recursive: true })
    const first = message('no anchor before me')
    fs.writeFileSync(path.join(garden, 'transcript/active.jsonl'), `${JSON.stringify(first)}\n`)
    const writer = await store.openWriter('garden', { create: false })
    expect((await writer.window('refuse')).map(({ id }) => id)).toEqual([first.id])
    await writer.close()
    expect(windowOf(read('context.jsonl'))).toEqual(['Context created', 'no anchor before me'])
  })
})
