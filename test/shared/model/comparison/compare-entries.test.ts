import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readers } from '../../../../src/main/readers'
import { readRoot } from '../../../../src/main/readers/read-root'
import {
  comparableEntryText,
  compareEntries,
} from '../../../../src/shared/model/comparison/compare-entries'
import type { Entry } from '../../../../src/shared/model/conversation/entry'

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures')

/** The entries of each conversation of a fixture. */
async function entriesIn(source: string, folder: string): Promise<readonly (readonly Entry[])[]> {
  const reader = readers.find(({ id }) => id === source)
  if (reader === undefined) throw new Error(`no reader for ${source}`)
  const root = path.join(fixtures, folder)
  const { conversations } = await readRoot(reader, root, nodeDisk, new AbortController().signal)
  return conversations.map(({ entries }) => entries)
}

const histories = async () => [
  ...(await entriesIn('cycod', 'branches/cycod-family/history')),
  ...(await entriesIn('cycod', 'branches/cycod-without-tools/history')),
  ...(await entriesIn('chibi', 'chibi/home-v010')),
  ...(await entriesIn('chibi', 'cases/18a-torn-half-json/home')),
]

it('has every entry of both once, in order, and pairs only what is of one kind and one speaker', async () => {
  const all = await histories()
  for (const before of all)
    for (const after of all) {
      const { changes, isComplete } = compareEntries(before, after)
      const of = (side: 'before' | 'after', alone: 'removed' | 'added') =>
        changes.flatMap((one) => {
          if (one.type === 'same' || one.type === 'changed') return one[side]
          return one.type === alone ? one.entry : []
        })
      expect([isComplete, of('before', 'removed'), of('after', 'added')]).toEqual([
        true,
        before,
        after,
      ])
      for (const one of changes) {
        if (one.type === 'same')
          expect(one.before.map(comparableEntryText)).toEqual(one.after.map(comparableEntryText))
        if (one.type !== 'changed') continue
        expect(one.before.entry_type).toBe(one.after.entry_type)
        const text = (left: 'removed' | 'added') =>
          one.change.pieces.flatMap(({ type, text }) => (type === left ? [] : text)).join('')
        expect(text('added')).toBe(comparableEntryText(one.before))
        expect(text('removed')).toBe(comparableEntryText(one.after))
      }
    }
})

it('knows a conversation again whatever its ids and times are', async () => {
  for (const entries of await histories()) {
    const copied = entries.map((entry, at) => ({
      ...entry,
      id: `L${at + 1}` as Entry['id'],
      timestamp: at,
    }))
    expect(compareEntries(entries, copied).changes.map(({ type }) => type)).toEqual(['same'])
  }
})

it('tells equal words of two speakers, and equal arguments of two tools, apart', async () => {
  const [spark = []] = (await entriesIn('chibi', 'chibi/home-v010')).filter((one) => one.length > 5)
  const answer = spark.find(({ role }) => role === 'agent')
  const call = spark.find(({ entry_type }) => entry_type === 'tool_call')
  if (answer === undefined || call === undefined) throw new Error('no answer and call')
  for (const [one, other] of [
    [answer, { ...answer, role: 'user' as const }],
    [call, { ...call, to: 'file_tail' }],
  ] as const)
    expect(compareEntries([one], [other]).changes.map(({ type }) => type)).toEqual([
      'removed',
      'added',
    ])
})

it('sees thoughts that only one of two equal answers has', async () => {
  const [entry] = (await histories())
    .flat()
    .filter(({ role, content }) => role === 'agent' && content.length > 30)
  if (entry === undefined) throw new Error('no answer')
  const thinking = { ...entry, metadata: { ...entry.metadata, reasoning: 'Hm.' } }
  const { changes } = compareEntries([entry], [thinking])
  expect(changes).toMatchObject([{ type: 'changed' }])
  expect(comparableEntryText(thinking)).toBe(`[thoughts: Hm.]\n${entry.content}`)
})
