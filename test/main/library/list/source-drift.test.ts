import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { type Library, openLibrary } from '../../../../src/main/library/library'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { readers } from '../../../../src/main/readers/index'
import { readRoot } from '../../../../src/main/readers/read-root'
import type { SourceId } from '../../../../src/shared/model/conversation/sources'
import type { SourceDrift } from '../../../../src/shared/model/drift/drift'
import {
  answer,
  event,
  head,
  jsonLines,
  rolloutOf,
  threadIds,
} from '../../../support/codex-rollouts'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/readers')
const { signal } = new AbortController()
const opened: Library[] = []
afterEach(async () => {
  for (const library of opened.splice(0)) await library.close()
})

function open(source: SourceId, root: string, cacheFolder?: string): Library {
  const library = openLibrary({
    disk: nodeDisk,
    store: undefined,
    shownHome: '~/.chibi',
    histories: openHistories(nodeDisk, [{ source, path: root }]),
    isRunning: () => false,
    changed: () => undefined,
    watched: false,
    ...(cacheFolder === undefined ? {} : { cacheFolder }),
  })
  opened.push(library)
  return library
}

async function driftIn(source: SourceId, root: string): Promise<SourceDrift> {
  const library = open(source, root)
  await library.all(true)
  const [drift, ...others] = await library.drift()
  if (drift === undefined || others.length > 0) throw new Error(`not one source in ${root}`)
  return drift
}

function copyOf(source: SourceId): string {
  const root = path.join(temp(), source)
  fs.cpSync(path.join(fixtures, source, 'input'), root, { recursive: true })
  return root
}

function transcriptsIn(root: string): readonly string[] {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && name !== 'session_index.jsonl')
    .map((name) => path.join(root, name))
    .sort()
}

type Json = { [name: string]: unknown }
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Objects of a line that a person who knows the format would look at, with the path of a new field there. */
const placesOf = {
  codex(line: Json): readonly (readonly [Json, string])[] {
    const { type, payload } = line
    if (!isObject(payload) || typeof type !== 'string') return []
    const places: [Json, string][] = [[line, '']]
    if (type === 'session_meta') places.push([payload, 'session_meta.payload.'])
    if (payload.type === 'message') places.push([payload, 'response_item.payload/message.'])
    // The text of a line of an unknown type is its entry's.
    return JSON.stringify(line).includes('some_new') ? [] : places
  },
  'claude-code'(line: Json): readonly (readonly [Json, string])[] {
    const { type, message } = line
    if (type !== 'user' && type !== 'assistant') return []
    const places: [Json, string][] = [[line, '']]
    if (!isObject(message)) return places
    places.push([message, 'message.'])
    const blocks = Array.isArray(message.content) ? message.content : []
    for (const block of blocks)
      if (isObject(block)) places.push([block, `message.content/${String(block.type)}.`])
    return places
  },
}

interface Plant {
  readonly line: number
  readonly place: number
  readonly name: string
  readonly value: unknown
}

/** Plants fields in whole lines; returns, by path, in how many lines of how many files they are. */
function plant(source: keyof typeof placesOf, root: string, plants: readonly Plant[]) {
  const found = new Map<string, { lines: Set<string>; files: Set<string> }>()
  for (const [fileAt, file] of transcriptsIn(root).entries()) {
    const lines = fs.readFileSync(file, 'utf8').split('\n')
    for (const [at, text] of lines.entries()) {
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        continue
      }
      if (!isObject(value)) continue
      const places = placesOf[source](value)
      let isPlanted = false
      for (const { line, place, name, value: planted } of plants) {
        if ((at + fileAt) % 7 !== line || places.length === 0) continue
        const [object, before] = places[place % places.length] ?? [{}, '']
        object[name] = planted
        isPlanted = true
        const one = found.get(before + name) ?? { lines: new Set(), files: new Set() }
        found.set(before + name, one)
        one.lines.add(`${file} ${at}`)
        one.files.add(file)
      }
      if (isPlanted) lines[at] = JSON.stringify(value)
    }
    fs.writeFileSync(file, lines.join('\n'))
  }
  return found
}

async function accountOf(source: SourceId, root: string) {
  const reader = readers.find(({ id }) => id === source)
  if (reader === undefined) throw new Error(`no reader of ${source}`)
  const { conversations, files } = await readRoot(reader, root, nodeDisk, signal)
  return {
    // A beginning in another thread's file ends at a byte, which planting moves.
    entries: conversations.map(({ entries }) =>
      entries.filter(({ inherited }) => inherited !== true).map(({ content }) => content),
    ),
    ledgers: files.map(({ damaged, ...ledger }) => ({ ...ledger, damaged: damaged.length })),
  }
}

it.each(['codex', 'claude-code'] as const)(
  'whatever fields are planted in files of %s, they are counted as they were planted, and nothing is lost',
  async (source) => {
    const untouched = copyOf(source)
    plant(source, untouched, [])
    const before = await accountOf(source, untouched)
    const known = await driftIn(source, untouched)
    const plants = fc.array(
      fc.record({
        line: fc.nat(6),
        place: fc.nat(3),
        name: fc.string({ maxLength: 8, unit: 'binary' }).map((name) => `~${name}`),
        value: fc.jsonValue({ maxDepth: 2 }),
      }),
      { maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(plants, async (drawn) => {
        const root = copyOf(source)
        const planted = plant(source, root, drawn)
        const drift = await driftIn(source, root)
        const expected = [...planted].map(([name, { lines, files }]) => ({
          what: 'field',
          name,
          lines: lines.size,
          conversations: files.size,
        }))
        const found = drift.names.filter(
          ({ name }) => !known.names.some((one) => one.name === name),
        )
        expect(found.map(({ place: _, ...one }) => one)).toEqual(expect.arrayContaining(expected))
        expect(found).toHaveLength(expected.length)
        for (const { name, place } of found) {
          const file = path.join(root, place.file)
          const line = fs.readFileSync(file, 'utf8').split('\n')[place.line - 1] ?? ''
          expect(planted.get(name)?.lines.has(`${file} ${place.line - 1}`)).toBe(true)
          expect(line).toContain(JSON.stringify(name.slice(name.indexOf('~'))).slice(1, -1))
        }
        expect(await accountOf(source, root)).toEqual(before)
      }),
      { numRuns: 8, endOnFailure: true },
    )
  },
)

it('types that nobody knows are counted, and each of their lines stays readable whole', async () => {
  const root = temp()
  const [id] = threadIds
  const file = path.join(root, rolloutOf(id))
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const strange = Array.from({ length: 500 }, (_, at) =>
    event({ type: `event_${at}`, note: `n${at}` }),
  )
  fs.writeFileSync(file, jsonLines(head(id, { cli_version: '0.160.1' }), answer('yes'), ...strange))

  const drift = await driftIn('codex', root)
  // A file may have millions of names: 32 of a conversation are kept.
  expect(drift).toMatchObject({ proved: '0.154', checked: 1, unchecked: 0 })
  expect(drift).toMatchObject({ changed: 1, isCut: true, newer: { version: '0.160.1' } })
  expect(drift.names).toHaveLength(32)
  const { entries, ledgers } = await accountOf('codex', root)
  expect(entries[0]?.slice(1)).toEqual(strange.map((line) => JSON.stringify(line)))
  expect(ledgers).toMatchObject([{ lines: 502, entryLines: 501, control: 1, damaged: 0 }])
})

it('a place is that of the line, and of the nearest one that a transcript shows', async () => {
  const root = temp()
  const [id] = threadIds
  const file = path.join(root, rolloutOf(id))
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const lines = [
    head(id, { cli_version: '0.155.0', aura: 1 }),
    answer('yes'),
    { ...event({ type: 'token_count' }), glow: 1 },
    answer('no'),
  ]
  fs.writeFileSync(file, jsonLines(...lines))
  const { names, newer } = await driftIn('codex', root)
  const shownAt = jsonLines(...lines.slice(0, 1)).length
  const place = { key: `codex:${id}`, file: rolloutOf(id), unit: 'line', shownAt }
  expect(newer).toMatchObject({
    version: '0.155.0',
    conversations: 1,
    place: { ...place, line: 1 },
  })
  expect(names).toMatchObject([
    { what: 'field', name: 'glow', lines: 1, place: { ...place, line: 3 } },
    { what: 'field', name: 'session_meta.payload.aura', lines: 1, place: { ...place, line: 1 } },
  ])
  expect(names[0]?.place.shown).toBe(file)
})

it('what was checked is kept with the counts, and files that are the same are not read again', async () => {
  const root = copyOf('codex')
  const cache = temp()
  const first = open('codex', root, cache)
  expect(await first.drift()).toMatchObject([{ checked: 0, unchecked: 4, names: [] }])
  await first.all(true)
  const checked = await first.drift()
  expect(checked).toMatchObject([{ source: 'codex', checked: 4, unchecked: 0, changed: 1 }])
  await first.close()
  expect(await open('codex', root, cache).drift()).toEqual(checked)
})
