import type { Contract } from '../../../src/shared/ipc/contract'
import type { Handlers } from '../../../src/shared/ipc/wire/primitives'
import type { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { TranscriptRow } from '../../../src/shared/model/conversation/transcript'
import { mostHighlights, type WantedText } from '../../../src/shared/model/find/find'
import { literalRanges } from '../../../src/shared/model/find/literal'
import { rowTexts } from '../../../src/shared/model/find/row-texts'

/** Finds words over a home in memory; patterns run without a limit. */
export function memoryFinding(home: {
  rowsOf(key: LibraryKey): readonly TranscriptRow[]
  gate(): Promise<void>
}): Handlers<Contract['finding']> {
  const rangesIn = (text: string, wanted: WantedText) => {
    if (!wanted.isRegex) return literalRanges(text, wanted)
    const pattern = new RegExp(wanted.text, `gmu${wanted.matchesCase ? '' : 'i'}`)
    return [...text.matchAll(pattern)].flatMap(({ index, 0: found }) =>
      found === '' ? [] : [[index, index + found.length] as const],
    )
  }
  const matchesIn = (row: TranscriptRow, wanted: WantedText) =>
    rowTexts(row, atob).map(({ part, text }) => ({ part, text, ranges: rangesIn(text, wanted) }))

  return {
    async find({ key, wanted, near }) {
      await home.gate()
      const rows = home.rowsOf(key)
      let fault: string | null = null
      const shown = rows.flatMap((row, at) => {
        try {
          const count = matchesIn(row, wanted).reduce((sum, { ranges }) => sum + ranges.length, 0)
          return count > 0 ? [{ at, count }] : []
        } catch {
          fault = 'This is no regular expression: Unterminated group.'
          return []
        }
      })
      const reader = rows.findIndex((row) => {
        const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
        return file === near?.file && offset === near.offset
      })
      const first = reader < 0 ? -1 : shown.findIndex(({ at }) => at >= reader)
      return {
        total: shown.reduce((sum, { count }) => sum + count, 0),
        rows: shown.map(({ at }) => at),
        counts: shown.map(({ count }) => count),
        size: rows.length,
        near: first < 0 ? null : first,
        notices: [],
        fault,
      }
    },
    async place({ key, wanted, row, nth }) {
      const found = home.rowsOf(key)[row]
      if (found === undefined) return null
      let before = 0
      for (const { part, text, ranges } of matchesIn(found, wanted)) {
        const here = nth - before
        const range = ranges[here]
        if (range !== undefined) {
          const { file, offset } = found.type === 'entry' ? found.entry : found.damaged
          const entry = found.type === 'entry' ? { entry: found.entry.id } : {}
          const [start, end] = range
          const sought = text.slice(start, end)
          const earlier = text.slice(0, start).split(sought).length - 1
          return {
            file,
            offset,
            ...entry,
            part,
            nth: here,
            start,
            end,
            text: sought,
            before: earlier,
          }
        }
        before += ranges.length
      }
      return null
    },
    async texts({ key, wanted, lines }) {
      await home.gate()
      return home.rowsOf(key).flatMap((row) => {
        const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
        if (!lines.some((line) => line.offset === offset && line.file === file)) return []
        const entry = row.type === 'entry' ? { entry: row.entry.id } : {}
        return matchesIn(row, wanted).flatMap(({ part, text, ranges }) => {
          const texts = ranges
            .slice(0, mostHighlights)
            .map(([start, end]) => text.slice(start, end))
          return texts.length === 0 ? [] : [{ file, offset, ...entry, part, texts }]
        })
      })
    },
    forget: async () => undefined,
  }
}
