import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type LibraryKey,
  libraryKeyOf,
} from '../../../../src/shared/model/conversation/conversation'
import { outlineOf } from '../../../../src/shared/model/family/outline'
import { type EntryName, entriesOnMap } from '../../../../src/shared/model/map/entries-on-map'
import { entryPositions } from '../../../../src/shared/model/map/entry-positions'
import { conversation, id, key, lines, message } from '../../../support/outlined'
import { mapOf, relatives } from '../../../support/related'

const library = (name: string) => libraryKeyOf('cycod', key(name))

describe('names of entries on a map', () => {
  it('lead every entry of every conversation to its message, and copies of one to the same', () => {
    fc.assert(
      fc.property(relatives, (all) => {
        const outlines = all.map(outlineOf)
        const map = mapOf(all)
        const positionOf = entryPositions(map)
        const wanted = all.flatMap((one) =>
          [...one.entries].map((entry, n) => ({
            name: { key: libraryKeyOf(one.source, one.key), entry: entry.id },
            text: entry.content,
            before: [...one.entries].slice(0, n).map(({ content }) => content),
          })),
        )
        const names = entriesOnMap(
          outlines,
          wanted.map(({ name }) => name),
        )
        const seen = new Map<number, string>()
        names.forEach((name, i) => {
          const at = name === null ? undefined : positionOf(name.key, name.entry)
          if (at === undefined) throw new Error('an entry is not on the map')
          // What comes before an entry and its text say which one it is.
          const text = JSON.stringify([wanted[i]?.before, wanted[i]?.text])
          expect(seen.get(at) ?? text).toBe(text)
          seen.set(at, text)
        })
        expect(seen.size).toBe(map.facts.traits.length)
      }),
    )
  })

  it('are those of the next entry for what is on no map, and none for what no conversation has', () => {
    const outlines = [outlineOf(conversation('a', lines([message('user', 'x')])))]
    const ask = (name: LibraryKey, entry: string): readonly (EntryName | null)[] =>
      entriesOnMap(outlines, [{ key: name, entry: id(entry) }])
    expect(ask(library('a'), 'L1')).toEqual([{ key: library('a'), entry: 'L1' }])
    expect(ask(library('a'), 'L9')).toEqual([null])
    expect(ask(library('nobody'), 'L1')).toEqual([null])
  })
})
