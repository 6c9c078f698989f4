import { useEffect, useMemo } from 'react'
import {
  type KnownValue,
  languageValues,
  pickCompletions,
  type TypedPart,
  typedPartAt,
} from '../../../shared/model/query/completion'
import { queryFields } from '../../../shared/model/query/query-fields'
import { useKnownValues, useLibraryState, useStores } from '../../state/context'
import { useTagsInUse } from '../../state/context-state'
import { useLabelsInUse } from '../../state/transcript-state'

/** Completions of what is typed in the query, and the part that they complete. */
export interface Completions {
  readonly part: TypedPart
  readonly options: readonly KnownValue[]
}

/** Returns the completions of what is typed at the caret; undefined where there is nothing to complete. */
export function useCompletions(text: string, caret: number): Completions | undefined {
  const { knownValues } = useStores()
  const part = useMemo(() => typedPartAt(text, caret), [text, caret])
  const field = part?.field
  const values = useKnownValues((state) => state.values)
  const conversations = useLibraryState((state) => state.conversations)
  const tags = useTagsInUse()
  const labels = useLabelsInUse()

  useEffect(() => {
    if (field !== undefined) void knownValues.getState().load()
  }, [field, knownValues])

  return useMemo(() => {
    if (part === undefined) return undefined
    const options = pickCompletions(part.typed, knownOf())
    return options.length === 0 ? undefined : { part, options }

    function knownOf(): readonly KnownValue[] {
      switch (part?.field) {
        case undefined:
          return queryFields
            .filter((name) => name.startsWith(part?.typed ?? ''))
            .map((value) => ({ value }))
        case 'source':
          return countedNames(conversations.map(({ source }) => source))
        case 'context':
          return conversations.flatMap(({ source, key }) =>
            source === 'chibi' ? [{ value: key as string }] : [],
          )
        case 'tag':
          return tags.map(({ tag, count }) => ({ value: tag, count }))
        case 'label':
          return labels.map(({ word, count }) => ({ value: word, count }))
        case 'before':
        case 'after':
        case 'during':
          return recentTimes()
        default:
          return (
            values[part?.field ?? 'type'] ??
            (languageValues[part?.field ?? 'type'] ?? []).map((value) => ({ value }))
          )
      }
    }
  }, [part, values, conversations, tags, labels])
}

function countedNames(names: readonly string[]): readonly KnownValue[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count }))
}

/** This day, month and year, and those before. */
function recentTimes(): readonly KnownValue[] {
  const now = new Date()
  const two = (number: number) => String(number).padStart(2, '0')
  const monthOf = (date: Date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}`
  const months = [0, 1, 2].map((ago) =>
    monthOf(new Date(now.getFullYear(), now.getMonth() - ago, 1)),
  )
  return [
    `${monthOf(now)}-${two(now.getDate())}`,
    ...months,
    `${now.getFullYear()}`,
    `${now.getFullYear() - 1}`,
  ].map((value) => ({ value }))
}
