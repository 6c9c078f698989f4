import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DiskError } from '../../../../src/main/disk/interface/disk'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { librechatReader } from '../../../../src/main/readers/librechat/librechat'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const noParent = '00000000-0000-0000-0000-000000000000'

interface Node {
  readonly text: string
  readonly children: readonly Node[]
}

const head = { conversationId: 'c1', title: 'T', exportAt: '11:20:00', endpoint: 'openAI' }

/** @param denied the name of a file that cannot be opened */
function read(files: Readonly<Record<string, string | Buffer>>, denied?: string) {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/exports', name), Buffer.from(text))
  const open: typeof disk.open = async (place, mode) => {
    if (path.basename(place) === denied) throw new DiskError('denied', place, 'denied')
    return disk.open(place, mode)
  }
  return readRoot(librechatReader, '/exports', historyDisk({ ...disk, open }), signal)
}

/** Messages as a tree of children, and as a list, with the path of each as its id. */
function messagesOf(nodes: readonly Node[], parent = noParent, above = ''): readonly object[] {
  return nodes.map(({ text, children }, at) => {
    const messageId = `${above}${at}`
    const message = { messageId, parentMessageId: parent, text, isCreatedByUser: above === '' }
    return { ...message, children: messagesOf(children, messageId, `${messageId}.`) }
  })
}
function listOf(messages: readonly object[]): readonly object[] {
  return messages.flatMap((message) => {
    const { children = [], ...own } = message as { children?: readonly object[] }
    return [own, ...listOf(children)]
  })
}

const text = fc.string({ unit: 'grapheme' })
const leaves = fc.array(fc.record({ text, children: fc.constant([]) }), { maxLength: 3 })
const nodesOf = (children: fc.Arbitrary<readonly Node[]>) =>
  fc.array(fc.record({ text, children }), { maxLength: 3 })
const tree = nodesOf(nodesOf(nodesOf(leaves)))

it('reads a tree of children as the list of the same messages, wherever their members stand', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.boolean(), fc.boolean(), async (nodes, isFirst, isSpaced) => {
      const messages = messagesOf(nodes)
      const turned = (all: readonly object[]): readonly object[] =>
        all.map((one) => {
          const { children = [], ...own } = one as { children?: readonly object[] }
          return isFirst
            ? { children: turned(children), ...own }
            : { ...own, children: turned(children) }
        })
      const json = (value: unknown) => JSON.stringify(value, null, isSpaced ? 1 : 0)
      const asTree = await read({ 'a.json': json({ ...head, messagesTree: turned(messages) }) })
      const asList = await read({ 'a.json': json({ ...head, messages: listOf(messages) }) })
      const told = ({ conversations }: typeof asTree) =>
        conversations.map(({ key, title, entries, active }) => [
          key,
          title,
          entries.map(({ id, parent, content, role }) => [id, parent, content, role]),
          active,
        ])
      expect(told(asTree)).toEqual(told(asList))
      expect(asTree.conversations[0]?.entries).toHaveLength(listOf(messages).length)
      for (const { lines, entryLines, control, blank, damaged } of asTree.files)
        expect([lines, damaged]).toEqual([entryLines + control + blank, []])
    }),
    { numRuns: 60 },
  )
})

it('reads a conversation of thousands of turns, each inside of the one before', async () => {
  const text = `{"conversationId":"c1","exportAt":"x","title":"Long","messagesTree":${nested(5000)}}`
  const { conversations } = await read({ 'long.json': text })
  expect(conversations[0]?.entries).toHaveLength(5000)
  expect(conversations[0]?.active).toHaveLength(5000)
})

function nested(turns: number): string {
  const open = Array.from(
    { length: turns },
    (_, n) =>
      `[{"messageId":"m${n}","parentMessageId":"${n === 0 ? noParent : `m${n - 1}`}","text":"t","children":`,
  )
  return `${open.join('')}[]${'}]'.repeat(turns)}`
}

it('lists of a conversation that was exported twice the copy with more in it, and nothing of other programs', async () => {
  const one = [{ messageId: 'a', parentMessageId: noParent, text: 'first' }]
  const two = [...one, { messageId: 'b', parentMessageId: 'a', text: 'second' }]
  const { conversations } = await read({
    'a.json': JSON.stringify({ ...head, messages: two }),
    'b.json': JSON.stringify({ ...head, messages: one }),
    'c.json': JSON.stringify({ conversationId: 'x', messages: [{ role: 'user' }] }),
    'd.json': JSON.stringify([{ id: 1 }]),
    'e.json': '',
  })
  expect(conversations.map(({ entries }) => entries.length)).toEqual([2])
})

describe('an export that is not as it should be', () => {
  const message = (messageId: string, more: object = {}) => ({
    messageId,
    parentMessageId: noParent,
    text: `words of ${messageId}`,
    isCreatedByUser: true,
    ...more,
  })
  const told = async (text: string) => {
    const { conversations, files, unread } = await read({ 'a.json': text })
    const [one] = conversations
    for (const { lines, entryLines, control, blank, damaged } of files)
      expect(lines).toBe(entryLines + control + blank + damaged.length)
    const said = one?.entries.map(({ content }) => content)
    return { said, damaged: files.flatMap((file) => file.damaged), unread: unread.length }
  }

  it('is told where it cannot be read, and hides no other', async () => {
    const whole = JSON.stringify({ ...head, messages: [message('m')] })
    const files = {
      'a.json': whole,
      'b.json': JSON.stringify({ ...head, conversationId: 'c2', messages: [message('n')] }),
      'c.json': Buffer.from(`\ufeff${whole}`, 'utf16le'),
    }
    const { conversations, unread } = await read(files, 'a.json')
    expect(conversations.map(({ key }) => key)).toEqual(['c2'])
    expect(JSON.stringify(unread)).toContain('a.json cannot be read')
  })

  it('is there where it ends before its messages, has none, or has them far behind', async () => {
    const whole = JSON.stringify({ ...head, options: { promptPrefix: 'x'.repeat(2_000_000) } })
    const cut = await read({ 'a.json': whole.slice(0, 1_500_000) })
    expect(cut.conversations.map(({ key }) => key)).toEqual(['c1'])
    expect(cut.unread).toHaveLength(1)
    const none = await read({ 'a.json': whole })
    expect(none.conversations.map(({ key }) => key)).toEqual(['c1'])
    const far = `${whole.slice(0, -1)},"messages":[${JSON.stringify(message('m'))}]}`
    expect(await told(far)).toMatchObject({ said: ['words of m'], damaged: [], unread: 0 })
  })

  it('keeps what stands behind its end, and takes nothing of that for its own', async () => {
    const whole = JSON.stringify({ ...head, messages: [message('m')] })
    const other = JSON.stringify({ ...head, conversationId: 'c2', messages: [message('n')] })
    for (const behind of [other, ' words', '\0\0\0', ']}']) {
      const { conversations, files } = await read({ 'a.json': `${whole}${behind}` })
      expect(conversations.map(({ key }) => key)).toEqual(['c1'])
      expect(conversations[0]?.entries.map(({ content }) => content)).toContain('words of m')
      expect(files[0]?.damaged).toHaveLength(1)
    }
    expect((await told(`${whole}\n`)).damaged).toEqual([])
  })

  it('keeps what stands among its messages and is none', async () => {
    const messages = [message('m', { children: ['lost words', null] }), 7, [message('n')]]
    const { said, damaged } = await told(JSON.stringify({ ...head, messagesTree: messages }))
    expect(said).toContain('words of m')
    expect(damaged).toHaveLength(3)
  })

  it('says every word before its end, wherever it is cut', async () => {
    const inner = { children: [message('b', { children: [] })], ...message('a') }
    const outer = { ...message('r'), children: [inner, message('c')], note: 'last words' }
    const text = JSON.stringify({ ...head, messagesTree: [outer], options: { model: 'm' } })
    const words = [...text.matchAll(/words of \w|last words/g)]
    // Of the words that are whole, those in the one damaged line at the end alone are in no entry.
    for (let end = text.indexOf('messagesTree') + 20; end < text.length; end++) {
      const { conversations, files, unread } = await read({ 'a.json': text.slice(0, end) })
      expect(unread).toHaveLength(1)
      const place = files[0]
      const all = JSON.stringify([conversations[0]?.entries, place])
      const whole = words.filter(({ index, 0: one }) => index + one.length < end)
      const isTorn = (place?.damaged.length ?? 0) > 0 || place?.torn !== undefined
      const missing = whole.filter(({ 0: one }) => !all.includes(one))
      expect(missing.length).toBeLessThanOrEqual(isTorn ? 1 : 0)
    }
  })
})
