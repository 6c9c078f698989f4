import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { HistoryReader } from '../../../../src/main/readers/common/reader'
import { readers } from '../../../../src/main/readers/index'
import { lineDriftCheck } from '../../../../src/main/readers/known/line-drift'
import { driftIn } from '../../../support/drift-in'

const root = path.resolve(import.meta.dirname, '../../../..')

function tableOf(id: HistoryReader['id']) {
  const reader = readers.find((one) => one.id === id)
  if (reader?.meaningOf === undefined) throw new Error(`${id}: none`)
  return { check: lineDriftCheck(reader.known), meaningOf: reader.meaningOf, known: reader.known }
}

it("each source's page names the newest version that was proved, as its reader does", () => {
  const named = readers.filter(({ known }) => known.proved !== undefined)
  expect(named.map(({ id }) => id)).toEqual(expect.arrayContaining(['claude-code', 'codex']))
  for (const { id, known } of named) {
    const page = fs.readFileSync(path.join(root, `docs/sources/${id}.md`), 'utf8')
    const [, version] = /Newest version proved: ([\w.]+?)[.,]?(?:\s|$)/.exec(page) ?? []
    expect(version, id).toBe(known.proved)
  }
})

/** A record of each system with a type, in the place that the decoder looks at. */
const typed = {
  'claude-code': (type: string) => ({ type, uuid: 'u', sessionId: 's', timestamp: null }),
  codex: (type: string) => ({ timestamp: '2026-09-10T09:00:00Z', type, payload: {} }),
}

it('a type of records is new exactly where its decoder makes an entry of an unknown type of it', () => {
  for (const [id, record] of [
    ['claude-code', typed['claude-code']],
    ['codex', typed.codex],
    [
      'codex',
      (type: string) => ({
        ...typed.codex('response_item'),
        payload: { type, role: 'user', content: 'x' },
      }),
    ],
    ['codex', (type: string) => ({ ...typed.codex('event_msg'), payload: { type, message: 'x' } })],
  ] as const) {
    const { check, meaningOf } = tableOf(id)
    const names = fc.oneof(fc.constantFrom(...wordsIn(id)), fc.string({ maxLength: 12 }))
    fc.assert(
      fc.property(names, (name) => {
        const value = record(name)
        const meaning = meaningOf(value, JSON.stringify(value), 'line')
        if (typeof meaning === 'string') return
        const isUnknown =
          meaning.type === 'entries' && meaning.entries.some((one) => one.entry_type === 'unknown')
        // These are known, and are nothing without what belongs to them.
        const isBare = ['user', 'assistant', 'attachment'].includes(name) && id === 'claude-code'
        const isWrapped = ['response_item', 'event_msg'].includes(name)
        if (isBare || isWrapped) return
        const types = check(value)?.names.filter(({ what }) => what === 'type') ?? []
        expect(types.length > 0, `${id} ${name}`).toBe(isUnknown)
      }),
      { numRuns: 400 },
    )
  }
})

/** Every word in quotes of a reader's sources: all names that its decoder or its table knows. */
function wordsIn(id: string): readonly string[] {
  const folder = path.join(root, 'src/main/readers', id)
  const sources = fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
  const words = sources.flatMap((text) =>
    [...text.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word),
  )
  return [...new Set(words)]
}

/** Names in the fixtures that were invented for them, from the file beside a fixture's input. */
function inventedFor(id: string): readonly string[] {
  const file = path.join(root, 'test/fixtures/readers', id, 'invented.txt')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n').sort() : []
}

it.each(readers.map(({ id }) => id))(
  'all conversations in the fixture of %s are checked, and nothing is new but what was invented for it',
  async (id) => {
    const drift = await driftIn(id, path.join(root, 'test/fixtures/readers', id, 'input'))
    expect(drift.checked).toBeGreaterThan(0)
    expect(drift.unchecked).toBe(0)
    expect(drift.newer).toBeNull()
    expect(drift.names.map(({ name }) => name).sort()).toEqual(inventedFor(id))
  },
)
