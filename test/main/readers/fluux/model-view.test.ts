import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { fluuxReader } from '../../../../src/main/readers/fluux/fluux'
import { modelView, reactionTargets } from '../../../../src/main/readers/fluux/model-view'
import { readRoot } from '../../../../src/main/readers/read-root'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const fixtures = path.join(__dirname, '../../../fixtures/readers/fluux')
const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal

const cases = [
  'memory/alice@example.org',
  'memory/team@conference.example.org',
  ...fs.readdirSync(path.join(fixtures, 'tricky')).map((name) => `tricky/${name}`),
]

async function entriesOf(file: string): Promise<readonly Entry[]> {
  const { conversations } = await readRoot(fluuxReader, file, nodeDisk, signal)
  return conversations.flatMap(({ entries }) => entries)
}

async function entriesIn(...lines: readonly (object | string | Uint8Array)[]) {
  const file = path.join(temp(), 'history.jsonl')
  const bytes = lines.map((line) =>
    line instanceof Uint8Array
      ? line
      : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)),
  )
  fs.writeFileSync(file, Buffer.concat(bytes.flatMap((line) => [line, Buffer.from('\n')])))
  return entriesOf(file)
}

const said = (content: string, more: object = {}) => ({
  type: 'message',
  role: 'user',
  content,
  ...more,
})
const reactionTo = (message_id: string, more: object = {}) =>
  said('', { reaction: { message_id, emojis: ['👍'] }, ...more })

describe('what the model sees', () => {
  it.each(cases)('of %s is what the fixture expects', async (name) => {
    const folder = path.join(fixtures, name)
    const expected = JSON.parse(fs.readFileSync(path.join(folder, 'expected.json'), 'utf8'))
    expect(modelView(await entriesOf(path.join(folder, 'history.jsonl')))).toEqual(
      expected.llm_messages,
    )
  })

  it('is the last 20 messages that show anything', async () => {
    const lines = Array.from({ length: 25 }, (_, n) => said(`m${n}`))
    const view = modelView(await entriesIn(...lines, said(''), said(' ')))
    expect(view.map(({ content }) => content)).toEqual([
      ...lines.slice(6).map(({ content }) => content),
      ' ',
    ])
  })

  it('has the agent’s keys in the agent’s order, whatever the line’s', async () => {
    const view = modelView(
      await entriesIn(
        said('look', {
          sender: 'host@muc',
          attachments: [{ size: 's', extra: 1, mime_type: 'm', filename: 'é "f"' }],
          reaction: { emojis: [], message_id: 'x', by: 1 },
        }),
      ),
    )
    expect(view).toEqual([
      {
        role: 'user',
        content:
          'host@muc: {"message_id":"x","emojis":[]}\n{"filename":"é \\"f\\"","mime_type":"m","size":"s"}\nlook',
      },
    ])
  })

  it('leaves out the lines that the agent cannot read, and is nothing for a file that it cannot', async () => {
    const lines = [
      said('read'),
      said('bad id', { msg_id: 7 }),
      said('extra', { mood: 1 }),
      said('narrated', { role: 'narrator' }),
      { type: 'summary', content: 'no' },
      `{"torn${JSON.stringify(said('glued'))}`,
    ]
    const view = modelView(await entriesIn(...lines))
    expect(view.map(({ content }) => content)).toEqual(['read', 'extra'])
    const latin = Buffer.from('{"type":"message","role":"user","content":"caf\xe9"}', 'latin1')
    expect(modelView(await entriesIn(...lines, latin))).toEqual([])
  })
})

describe('what a reaction is about', () => {
  it.each(['memory/alice@example.org', 'memory/team@conference.example.org'])(
    'in %s is what the fixture expects',
    async (name) => {
      const folder = path.join(fixtures, name)
      const expected = JSON.parse(fs.readFileSync(path.join(folder, 'expected.json'), 'utf8'))
      const targets = reactionTargets(await entriesOf(path.join(folder, 'history.jsonl')))
      // The fixtures count lines from 0.
      const pairs = [...targets].map(([{ line = 0 }, target]) => [line - 1, (target.line ?? 0) - 1])
      expect(pairs).toEqual(
        expected.resolved_reactions.map((one: Record<string, number>) => [
          one.entry,
          one.targets_entry,
        ]),
      )
    },
  )

  it('is the last entry of that id before it, else the first after it, never itself', async () => {
    const entries = await entriesIn(
      reactionTo('late'),
      said('1', { msg_id: 'a' }),
      said('2', { msg_id: 'a' }),
      reactionTo('a'),
      said('4', { msg_id: 'a' }),
      said('5', { msg_id: 'late' }),
      said('6', { msg_id: 'late' }),
      reactionTo('gone'),
      reactionTo('own', { msg_id: 'own' }),
      reactionTo('__proto__'),
    )
    const pairs = [...reactionTargets(entries)].map(([from, to]) => [from.id, to.id])
    expect(pairs.sort()).toEqual([
      ['L1', 'L6'],
      ['L4', 'L3'],
    ])
  })
})
