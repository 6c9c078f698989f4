import { useCallback, useRef, useState } from 'react'
import type { FindAnswer, FoundTexts, WantedText } from '../../../shared/model/find/find'
import { useFind, useStores } from '../../state/context'
import { sourceLinesOf } from '../items/items'
import type { ListItem } from '../items/use-items'

type PartTexts = readonly Pick<FoundTexts, 'part' | 'texts'>[]

/** Most lines that are asked for at once, as the call takes them. */
const mostLines = 200

/**
 * Returns a function that gives what a pattern matches in some items, by their keys: nothing at first for those that were not drawn
 * yet. It asks for them, and is another function once they have come.
 */
export function usePatternTexts(
  items: readonly ListItem[],
): (keys: readonly string[]) => readonly PartTexts[] {
  const { find } = useStores()
  const answer = useFind((state) => state.answer)
  const pattern = useFind((state) => state.asked)
  const [known, setKnown] = useState<Known>({ of: undefined, byLine: new Map() })
  /** Names of lines that were asked for, of one answer. */
  const asked = useRef<{ of: FindAnswer | undefined; names: Set<string> }>({
    of: undefined,
    names: new Set(),
  })

  return useCallback(
    (keys) => {
      if (answer === undefined) return keys.map(() => [])
      if (asked.current.of !== answer) asked.current = { of: answer, names: new Set() }
      const { names } = asked.current
      const wanted = new Set(keys)
      const byKey = new Map(
        items.flatMap((item) => (wanted.has(item.key) ? [[item.key, linesOf(item)] as const] : [])),
      )
      const lines = [...byKey.values()].flat()
      const missing = lines.filter((line) => !names.has(lineName(line))).slice(0, mostLines)
      for (const line of missing) names.add(lineName(line))
      if (missing.length > 0) void ask(missing)
      const byLine = known.of === pattern ? known.byLine : new Map<string, PartTexts>()
      return keys.map((key) =>
        (byKey.get(key) ?? []).flatMap((line) => byLine.get(lineName(line)) ?? []),
      )

      async function ask(some: readonly Line[]): Promise<void> {
        const found = await find.getState().textsIn(some)
        if (found === undefined || asked.current.of !== answer) return
        setKnown((before) => {
          const byLine = new Map(before.of === pattern ? before.byLine : [])
          for (const line of some) byLine.set(lineName(line), [])
          for (const one of found) byLine.get(lineName(one))?.push(one)
          return { of: pattern, byLine }
        })
      }
    },
    [items, answer, pattern, known, find],
  )
}

interface Known {
  /** What matches these texts. They stay while it is counted again. */
  readonly of: WantedText | undefined
  readonly byLine: ReadonlyMap<string, Pick<FoundTexts, 'part' | 'texts'>[]>
}

type Line = Pick<FoundTexts, 'file' | 'offset' | 'entry'>

function linesOf(item: ListItem): readonly Line[] {
  if (item.type === 'live' || item.type === 'unwritten') return []
  return sourceLinesOf(item).map(({ file, offset, id }) => ({
    file,
    offset,
    ...(id === undefined ? {} : { entry: id }),
  }))
}

function lineName({ file, offset, entry }: Line): string {
  return `${offset}:${entry ?? ''}:${file}`
}
