import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readExactly } from '../../../../src/main/disk/reading/lines'
import { cutElement } from '../../../../src/main/records/document/cut'
import {
  documentFormat,
  elementsIn,
  recordNameOf,
} from '../../../../src/main/records/document/document-format'
import type { DocumentShape } from '../../../../src/main/records/document/shape'
import { recordPath } from '../../../../src/main/records/interface/record-format'
import { recordDisk } from '../../../../src/main/records/record-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const shape: DocumentShape = {
  id: 'test',
  records: 'messages',
  facts: ['title', 'now'],
  record: { id: ['id'], parent: ['parent'], time: ['time'] },
  leaf: 'now',
}
const disk = recordDisk(nodeDisk, [documentFormat(shape)])
const folder = tempFolders(memoryFolder)
const signal = new AbortController().signal

const put = (text: string | Buffer) => {
  const file = path.join(folder(), 'conversations.json')
  fs.writeFileSync(file, text)
  return file
}

/** The record files of a document: their paths, and the sizes that a list tells. */
async function recordFiles(file: string) {
  const document = await nodeDisk.open(file, 'read')
  try {
    const found: { target: string; size: number; isTorn: boolean }[] = []
    for await (const element of elementsIn(document, shape, signal))
      found.push({
        target: recordPath({ container: file, format: 'test', name: recordNameOf(element) }),
        size: cutElement(shape, element).sizeBytes,
        isTorn: element.isTorn,
      })
    return found
  } finally {
    await document.close()
  }
}

async function textOf(target: string): Promise<string> {
  const file = await disk.open(target, 'read')
  try {
    const { sizeBytes } = await file.stat()
    const bytes = await readExactly(file, 0, sizeBytes + 100)
    expect(bytes.length).toBe(sizeBytes)
    return Buffer.from(bytes).toString('utf8')
  } finally {
    await file.close()
  }
}

const linesOf = (text: string): unknown[] => {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
}

const anyMessage = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  parent: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'gone', null),
  time: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(null)),
  text: fc.string(),
})
const anyConversation = fc.record({
  title: fc.string(),
  messages: fc.array(anyMessage, { maxLength: 8 }),
  now: fc.constantFrom('a', 'b', 'c', 'gone'),
  more: fc.jsonValue(),
})

describe('the record file of a conversation', () => {
  it('has all of it on lines: its members, each record once, and what is behind them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyConversation, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(0, '\t', '\n '),
        async (conversations, indent) => {
          const file = put(JSON.stringify(conversations, undefined, indent))
          const files = await recordFiles(file)
          expect(files).toHaveLength(conversations.length)
          for (const [at, { target, size }] of files.entries()) {
            const { title, messages, now, more } = JSON.parse(JSON.stringify(conversations[at]))
            const text = await textOf(target)
            expect(Buffer.byteLength(text)).toBe(size)
            expect((await disk.stat(target))?.sizeBytes).toBe(size)
            const lines = linesOf(text)
            expect(lines[0]).toEqual({ title })
            expect(lines.at(-1)).toEqual({ now, more })
            const sorted = (list: unknown[]) => list.map((one) => JSON.stringify(one)).sort()
            expect(sorted(lines.slice(1, -1))).toEqual(sorted(messages))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('has members around its records on the first line and behind them on the last, both whole JSON', async () => {
    const nested: DocumentShape = { ...shape, id: 'nested', records: 'chat.history.messages' }
    const nestedDisk = recordDisk(nodeDisk, [documentFormat(nested)])
    const messages = [{ id: 'a' }, { id: 'b', parent: 'a' }]
    for (const [history, chat, whole, last] of [
      [{ messages, more: 1 }, { title: 't' }, { z: 2 }, { chat: { history: { more: 1 } }, z: 2 }],
      [{ messages }, { more: 1 }, { z: 2 }, { chat: { more: 1 }, z: 2 }],
      [{ messages }, {}, { z: 2 }, { z: 2 }],
      [{ messages }, {}, {}, undefined],
    ] as const) {
      // What is around the records comes before them but for the title.
      const file = put(JSON.stringify([{ y: 0, chat: { history, ...chat }, ...whole }]))
      const document = await nodeDisk.open(file, 'read')
      const names: string[] = []
      for await (const element of elementsIn(document, nested, signal))
        names.push(recordPath({ container: file, format: 'nested', name: recordNameOf(element) }))
      await document.close()
      const opened = await nestedDisk.open(names[0] ?? '', 'read')
      const text = Buffer.from(await readExactly(opened, 0, 10_000)).toString('utf8')
      await opened.close()
      const lines = linesOf(text)
      const tail = 'title' in chat ? [{ chat: { history: { more: 1 }, title: 't' }, z: 2 }] : []
      const expected = tail.length > 0 ? tail : last === undefined ? [] : [last]
      expect(lines).toEqual([{ y: 0, chat: { history: {} } }, ...messages, ...expected])
      expect((await nestedDisk.stat(names[0] ?? ''))?.sizeBytes).toBe(Buffer.byteLength(text))
    }
  })

  it('reads at any position as the whole of it would', async () => {
    const messages = Array.from({ length: 50 }, (_, at) => ({
      id: `${at}`,
      parent: at === 0 ? null : `${at - 1 - (at % 3)}`,
      text: 'grüße\n'.repeat(at * 40),
    }))
    const [one] = await recordFiles(put(JSON.stringify([{ title: 't', messages }], undefined, 1)))
    if (one === undefined) throw new Error('the conversation was not found')
    const whole = Buffer.from(await textOf(one.target))
    const file = await disk.open(one.target, 'read')
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(whole.length + 20),
          fc.integer({ min: 1, max: 70_000 }),
          async (at, length) => {
            const bytes = await readExactly(file, at, length)
            expect(Buffer.from(bytes).equals(whole.subarray(at, at + length))).toBe(true)
          },
        ),
      )
    } finally {
      await file.close()
    }
  })

  it('has each record behind the one that it goes on from, and the present branch last', async () => {
    const messages = [
      { id: 'b2', parent: 'b', time: 5 },
      { id: 'root', parent: null, time: 1 },
      { id: 'b', parent: 'root', time: 3 },
      { id: 'a', parent: 'root', time: 2 },
      { id: 'a2', parent: 'a', time: 6 },
      { id: 'lost', parent: 'nowhere', time: 0 },
    ]
    const order = async (now?: string) => {
      const [one] = await recordFiles(put(JSON.stringify([{ messages, now }])))
      return linesOf(await textOf(one?.target ?? ''))
        .flatMap((line) => (line as { id?: string }).id ?? [])
        .join(' ')
    }
    expect(await order('a2')).toBe('lost root b b2 a a2')
    expect(await order('b2')).toBe('lost root a a2 b b2')
    // The newest, where nothing names one.
    expect(await order()).toBe('lost root b b2 a a2')
  })

  it('keeps records that go on from each other in a circle', async () => {
    const messages = [
      { id: 'a', parent: 'c' },
      { id: 'b', parent: 'a' },
      { id: 'c', parent: 'b' },
      { id: 'd', parent: 'd' },
    ]
    const [one] = await recordFiles(put(JSON.stringify([{ messages }])))
    const ids = linesOf(await textOf(one?.target ?? '')).flatMap(
      (line) => (line as { id?: string }).id ?? [],
    )
    expect(ids.sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gives what is there of a document that ends anywhere, and no line feed behind a torn line', async () => {
    const text = JSON.stringify([
      {
        title: 'one',
        messages: [
          { id: 'a', text: 'x' },
          { id: 'b', parent: 'a' },
        ],
        now: 'b',
      },
    ])
    const ids = ['a', 'b']
    const ends = ids.map((id) => text.indexOf('}', text.indexOf(`"id":"${id}"`)) + 1)
    for (let end = 2; end < text.length - 1; end++) {
      const [one] = await recordFiles(put(text.slice(0, end)))
      if (one === undefined) throw new Error(`nothing found at ${end}`)
      expect(one.isTorn).toBe(true)
      const found = await textOf(one.target)
      expect(found.length).toBe(one.size)
      const seen = ids.filter((id) => new RegExp(`^\\{"id":"${id}".*\\}\n`, 'm').test(found))
      expect(seen).toEqual(ids.filter((_, at) => end >= (ends[at] ?? 0)))
    }
  })

  it('puts another value among conversations on a line of its own, in brackets', async () => {
    const values = [{ title: 'no messages' }, 'text', 12, [{ messages: [] }], null]
    const files = await recordFiles(put(JSON.stringify(values)))
    const texts = await Promise.all(files.map(({ target }) => textOf(target)))
    expect(texts.map((text) => JSON.parse(text))).toEqual(values.map((value) => [value]))
  })

  it('is not there where its document changed under it, or is gone', async () => {
    const file = put(JSON.stringify([{ title: 'one', messages: [{ id: 'a' }] }]))
    const [one] = await recordFiles(file)
    const { target = '' } = one ?? {}
    const before = await disk.stat(target)
    fs.writeFileSync(file, JSON.stringify([{ title: 'another one', messages: [{ id: 'a' }] }]))
    expect(await disk.stat(target)).toBeUndefined()
    await expect(disk.open(target, 'read')).rejects.toMatchObject({ code: 'not-found' })
    fs.rmSync(file)
    expect(await disk.stat(target)).toBeUndefined()
    expect(before?.identity).toContain('-')
  })

  it('is another file once its document was written, also with the same bytes', async () => {
    const text = JSON.stringify([{ title: 'one', messages: [] }])
    const file = put(text)
    const [one] = await recordFiles(file)
    const before = await disk.stat(one?.target ?? '')
    fs.writeFileSync(file, text)
    fs.utimesSync(file, 1_000_000, 1_000_000)
    expect((await disk.stat(one?.target ?? ''))?.identity).not.toBe(before?.identity)
  })

  it('gives way to real files below a folder of such a name', async () => {
    const real = path.join(folder(), 'conversations.json', '!test')
    fs.mkdirSync(real, { recursive: true })
    fs.writeFileSync(path.join(real, '0-10'), 'real')
    expect((await disk.stat(path.join(real, '0-10')))?.sizeBytes).toBe(4)
  })
})
