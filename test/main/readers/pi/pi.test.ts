import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { piLine } from '../../../../src/main/readers/pi/line'
import { piReader } from '../../../../src/main/readers/pi/pi'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const header = { type: 'session', version: 3, id: 's', timestamp: '2026-09-10T09:00:00.000Z' }
const record = (type: string, id: string, parentId: string | null, more: object) => ({
  type,
  id,
  parentId,
  timestamp: '2026-09-10T09:01:00.000Z',
  ...more,
})
const say = (id: string, parentId: string | null, role: string, words: string) =>
  record('message', id, parentId, { message: { role, content: [{ type: 'text', text: words }] } })

const read = (records: readonly object[]) =>
  readText(records.map((one) => `${JSON.stringify(one)}\n`).join(''))

async function readText(text: string) {
  const root = temp()
  const file = path.join(root, 'sessions', '--home-ann--', '2026-09-10T09-00-00-000Z_s.jsonl')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  const { conversations } = await readRoot(piReader, root, nodeDisk, new AbortController().signal)
  const [only, ...more] = conversations
  expect(more).toEqual([])
  if (only === undefined) throw new Error('no conversation')
  return only
}

it('is now at its last record, also where that is no message', async () => {
  const talk = [
    header,
    say('a', null, 'user', 'q'),
    say('b', 'a', 'assistant', 'r'),
    say('c', 'b', 'user', 'q2'),
  ]
  expect((await read(talk)).active).toEqual(['a', 'b', 'c'])
  const back = record('model_change', 'd', 'b', { provider: 'x', modelId: 'y' })
  expect((await read([...talk, back])).active).toEqual(['a', 'b'])
})

it('is named by its last name, and known by the id in its file’s name', async () => {
  const named = (name: string, id: string) => record('session_info', id, 'a', { name })
  const talk = [header, say('a', null, 'user', 'graft the pear'), named('Pear', 'n1')]
  expect(await read(talk)).toMatchObject({ key: 's', title: 'Pear' })
  expect((await read([...talk, named('Old pear', 'n2')])).title).toBe('Old pear')
  expect((await read(talk.slice(0, 2))).title).toBe('graft the pear')
})

it('is named by the last record of a line whose line feed was lost', async () => {
  const name = (words: string, id: string) =>
    JSON.stringify(record('session_info', id, 'a', { name: words }))
  const said = [header, say('a', null, 'user', 'graft the pear')].map((one) => JSON.stringify(one))
  const text = `${said.join('\n')}\n${name('Pear', 'n1')}${name('Old pear', 'n2')}\n`
  expect((await readText(text)).title).toBe('Old pear')
})

it('is one line where the oldest version gave no ids', async () => {
  const old = (words: string) => ({ type: 'message', message: { role: 'user', content: words } })
  const { entries, active } = await read([header, old('one'), old('two')])
  expect(active).toEqual(['L2', 'L3'])
  expect(entries.every(({ parent }) => parent === undefined)).toBe(true)
})

it('makes of any record entries or none, and never fails', () => {
  const value = fc.record(
    {
      type: fc.oneof(fc.constantFrom('message', 'label', 'compaction', 'new'), fc.jsonValue()),
      id: fc.jsonValue(),
      parentId: fc.jsonValue(),
      timestamp: fc.jsonValue(),
      message: fc.oneof(
        fc.record({
          role: fc.oneof(fc.constantFrom('user', 'assistant', 'toolResult'), fc.jsonValue()),
          content: fc.jsonValue(),
          usage: fc.jsonValue(),
        }),
        fc.jsonValue(),
      ),
      summary: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  )
  fc.assert(
    fc.property(value, (one) => {
      const text = JSON.stringify(one)
      const made = piLine(JSON.parse(text), text, 'line')
      expect(typeof made).toBe('object')
      if (typeof made === 'object' && made.type === 'entries')
        expect(made.entries.length).toBeGreaterThan(0)
    }),
  )
})
