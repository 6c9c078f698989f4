import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
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

function read(files: Readonly<Record<string, string>>) {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/exports', name), Buffer.from(text))
  return readRoot(librechatReader, '/exports', historyDisk(disk), signal)
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
