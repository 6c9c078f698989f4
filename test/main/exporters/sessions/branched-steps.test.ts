import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { countLosses } from '../../../../src/main/exporters/losses'
import { toExportable } from '../../../../src/main/exporters/parts/exporter'
import { piExporter } from '../../../../src/main/exporters/sessions/pi'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { piReader } from '../../../../src/main/readers/pi/pi'
import { readRoot } from '../../../../src/main/readers/read-root'
import {
  type Entry,
  EntryId,
  isWrittenByPerson,
} from '../../../../src/shared/model/conversation/entry'
import { entryAt, type ReadShape, readShape, written } from '../../../support/exported'
import { piTreeFaults } from '../../../support/session-checker'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const signal = new AbortController().signal
const all = { branches: 'all' } as const

/** The session of pi with every branch, and what pi's reader makes of it. */
async function treeOf(conversation: ReadShape) {
  const exportable = toExportable(conversation, [])
  const text = await written(piExporter, exportable, all)
  expect(piTreeFaults(text)).toEqual([])
  const root = temp()
  fs.mkdirSync(path.join(root, 'sessions/--garden--'), { recursive: true })
  const id = JSON.parse(text.slice(0, text.indexOf('\n'))).id
  fs.writeFileSync(
    path.join(root, `sessions/--garden--/2026-11-29T00-00-00-000Z_${id}.jsonl`),
    text,
  )
  const [copy] = (await readRoot(piReader, root, disk, signal)).conversations
  const report = await countLosses(piExporter, toExportable(conversation, []), all, signal)
  return { copy, report }
}

/** For each message of a person: the words of all persons up to it along its branch. */
function waysOf(entries: readonly Entry[], isAsked: (entry: Entry) => boolean): readonly string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const before = new Map(entries.map((entry, at) => [entry.id, entries[at - 1]]))
  return entries
    .filter(isAsked)
    .map((asked) => {
      const words: string[] = []
      let at: Entry | undefined = asked
      for (let steps = 0; at !== undefined && steps <= entries.length; steps++) {
        if (isAsked(at)) words.unshift(at.content)
        const { parent }: Entry = at
        // What names no parent, or one that is missing, goes on from the entry above.
        if (parent === null) break
        at = parent === undefined ? before.get(at.id) : (byId.get(parent) ?? before.get(at.id))
      }
      return words.join(' > ')
    })
    .sort()
}

const isAsked = (entry: Entry) => isWrittenByPerson(entry) && entry.content.trim() !== ''

const fixtures = path.join(__dirname, '../../../fixtures/readers')

it('a session of pi holds every branch of the fixtures of all systems, each entry once', async () => {
  let branches = 0
  for (const reader of readers) {
    const root = path.join(fixtures, reader.id, 'input')
    if (reader.forkRule === undefined || !fs.existsSync(root)) continue
    for (const one of (await readRoot(reader, root, disk, signal)).conversations) {
      const { copy, report } = await treeOf(one)
      const left = report.losses.filter(({ kind }) => kind === 'other-branch' || kind === 'fork')
      expect(left).toEqual([])
      expect(copy?.entries.length ?? 0, one.key).toBe(report.written)
      const inOwn = waysOf(one.entries, isAsked)
      expect(waysOf(copy?.entries ?? [], isAsked), one.key).toEqual(inOwn)
      if (one.active.length < one.entries.length) branches += 1
    }
  }
  expect(branches).toBeGreaterThan(5)
})

describe('a branch', () => {
  const at = (line: number, parent: number | null, fields: Partial<Entry> = {}) =>
    entryAt(line, { parent: parent === null ? null : EntryId.parse(`e${parent}`), ...fields })
  const agent = { role: 'agent', from: 'pi', to: 'user' } as const
  const call = (id: string) =>
    ({
      entry_type: 'tool_call',
      role: undefined,
      to: 'look',
      tool_call_id: id,
      content: '{}',
    }) as const
  const result = (id: string) =>
    ({ entry_type: 'tool_result', role: undefined, from: 'look', tool_call_id: id }) as const
  const system = { role: 'system' } as const

  it('begins where its parent is, past what the session has no place for and past the calls of a round', async () => {
    const entries = [
      at(1, null),
      at(2, 1, system),
      at(3, 2, { content: 'left' }),
      at(4, 3, call('a')),
      at(5, 4, call('b')),
      at(6, 4, result('a')),
      at(7, 5, result('b')),
      at(8, 7, agent),
      at(9, 2, { content: 'right' }),
      at(10, 9, agent),
      at(11, 8, { content: 'left again' }),
    ]
    const { copy, report } = await treeOf(readShape(entries, { active: [] }))
    expect(report.losses.map(({ kind }) => kind)).toEqual(['system'])
    expect(waysOf(copy?.entries ?? [], isAsked)).toEqual([
      'text 1',
      'text 1 > left',
      'text 1 > left > left again',
      'text 1 > right',
    ])
  })

  it('that a model began anew with a call is one, and its time is no later than it was', async () => {
    const entries = [
      at(1, null),
      at(2, 1, { ...agent, timestamp: 1_780_000_500 }),
      at(3, 1, { ...call('c'), timestamp: 1_780_000_100 }),
      at(4, 3, { ...result('c'), timestamp: 1_780_000_101 }),
    ]
    const { copy, report } = await treeOf(readShape(entries))
    expect(report.losses).toEqual([])
    const [asked, ...rest] = copy?.entries ?? []
    expect(rest.filter(({ parent }) => parent === asked?.id)).toHaveLength(2)
    expect(rest.find(({ entry_type: type }) => type === 'tool_call')?.timestamp).toBe(1_780_000_100)
  })

  it('is the one that pi goes on with where the conversation was', async () => {
    const entries = [at(1, null), at(2, 1, agent), at(3, 1, { ...agent, content: 'other' })]
    const active = entries.slice(0, 2).map(({ id }) => id)
    const { copy } = await treeOf(readShape(entries, { active }))
    const now = new Set<string>(copy?.active)
    expect(copy?.entries.filter(({ id }) => now.has(id)).map(({ content }) => content)).toEqual([
      'text 1',
      'text 2',
    ])
  })
})
