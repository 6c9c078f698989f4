import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { crushReader } from '../../../../src/main/readers/crush/crush'
import { crushLine } from '../../../../src/main/readers/crush/line'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { allowGaps } from '../../../../src/shared/model/conversation/reading'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const fixture = path.join(__dirname, '../../../fixtures/readers/crush/input')
const parent = '0b6f1c1e-6b1c-4b0e-9d51-0c5a3f1d7a01'
const keys = [parent, 'm-2$$call_7']

async function refsUnder(root: string): Promise<readonly SourceRef[]> {
  const refs: SourceRef[] = []
  for await (const ref of crushReader.list(root, disk, signal)) refs.push(ref)
  return refs
}

async function firstFactOf(ref: SourceRef | undefined) {
  if (ref === undefined) throw new Error('nothing is listed')
  for await (const fact of allowGaps(crushReader.read(ref, disk, signal), () => undefined))
    if (fact.type === 'conversation') return fact.conversation
  throw new Error('it has no conversation')
}

it('sessions are found from a folder of projects, a project, its folder of data, and a database', async () => {
  const places = ['', 'orchard', 'orchard/.crush', 'orchard/.crush/crush.db']
  for (const place of places)
    expect((await refsUnder(path.join(fixture, place))).map(({ key }) => key)).toEqual(keys)
})

it("Crush's list of projects leads to the databases of each project once, wherever it keeps its data", async () => {
  const home = temp()
  const [orchard, hedge] = [path.join(temp(), 'orchard'), path.join(temp(), 'hedge')]
  fs.cpSync(path.join(fixture, 'orchard'), orchard, { recursive: true })
  fs.cpSync(path.join(fixture, 'orchard/.crush'), path.join(hedge, 'data'), { recursive: true })
  const projects = [
    {
      path: orchard,
      data_dir: path.join(orchard, '.crush'),
      last_accessed: '2026-09-10T09:00:00Z',
    },
    { path: orchard },
    { path: hedge, data_dir: 'data' },
    { path: path.join(home, 'gone'), data_dir: '.crush' },
    { path: 7 },
    null,
  ]
  const list = path.join(home, 'projects.json')
  fs.writeFileSync(list, JSON.stringify({ projects }))
  const refs = await refsUnder(home)
  expect(refs.map(({ root, key }) => [root, key])).toEqual([
    ...keys.map((key) => [path.join(orchard, '.crush'), key]),
    ...keys.map((key) => [path.join(hedge, 'data'), key]),
  ])
  expect((await firstFactOf(refs[0])).project).toBe(orchard)
  expect((await refsUnder(list)).map(({ key }) => key)).toEqual([...keys, ...keys])
  fs.writeFileSync(list, '{"projects":[{"pa')
  expect(await refsUnder(home)).toEqual([])
})

it('a database that cannot be read is reported, and those of other projects are listed', async () => {
  const root = temp()
  fs.cpSync(path.join(fixture, 'orchard'), path.join(root, 'orchard'), { recursive: true })
  fs.mkdirSync(path.join(root, 'barn/.crush'), { recursive: true })
  fs.writeFileSync(path.join(root, 'barn/.crush/crush.db'), 'no database '.repeat(100))
  fs.utimesSync(path.join(root, 'barn/.crush/crush.db'), 1_790_000_000, 1_790_000_000)
  const refs: string[] = []
  const listed = (async () => {
    for await (const { key } of crushReader.list(root, disk, signal)) refs.push(key)
  })()
  await expect(listed).rejects.toThrow(AppError)
  expect(refs).toEqual(keys)
})

it('a subagent is below the call that began it, also where older versions name only the call', async () => {
  const [, subagent] = await refsUnder(fixture)
  expect((await firstFactOf(subagent)).subagentOf).toEqual({ key: parent, call: 'call_7' })
  const originOf = (id: string) => {
    const line = crushLine({ record: 'sessions', row: { id, parent_session_id: parent } })
    return typeof line === 'string' ? line : line.head?.subagentOf
  }
  expect(originOf('call_7')).toEqual({ key: parent, call: 'call_7' })
  expect(originOf(`title-${parent}`)).toEqual({ key: parent })
})

it('a line of any shape gives entries, a control line or a reason', () => {
  const kinds = ['text', 'binary', 'tool_call', 'tool_result', 'finish', 'shell_command', 'x']
  const data = fc.dictionary(
    fc.constantFrom('text', 'Data', 'MIMEType', 'id', 'name', 'input', 'content', 'message', 'url'),
    fc.jsonValue(),
  )
  const part = fc.oneof(
    fc.jsonValue(),
    fc.record({ type: fc.constantFrom(...kinds), data: fc.oneof(data, fc.jsonValue()) }),
  )
  const line = fc.record(
    {
      record: fc.oneof(fc.constantFrom('sessions', 'messages'), fc.jsonValue()),
      row: fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('role', 'id'), fc.jsonValue())),
      data: fc.oneof(fc.jsonValue(), fc.array(part)),
      sums: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(line, (value) => {
      const meaning = crushLine(value)
      if (typeof meaning === 'string') return
      if (meaning.type === 'entries')
        for (const { content, entry_type } of meaning.entries)
          expect([typeof content, typeof entry_type]).toEqual(['string', 'string'])
    }),
    { seed: 21, numRuns: 500 },
  )
})
