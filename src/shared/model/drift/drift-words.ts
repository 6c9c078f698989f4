import type { SourceDrift } from './drift'

type Counted = (count: number, noun: string) => string

/**
 * Says what is new in a source's histories, in sentences: "3 new fields in 12 conversations, nothing lost." Names are not in it.
 *
 * @param counted writes a count with its noun
 */
export function driftWords(drift: SourceDrift, counted: Counted): string {
  const { proved, checked, unchecked, newer } = drift
  if (checked === 0) return 'Not checked yet for new types and fields.'
  const version =
    newer === null
      ? ''
      : ` Version ${newer.version} in ${counted(newer.conversations, 'conversation')} is newer than ${proved}, the newest that Skein was tested with.`
  const rest = unchecked === 0 ? '' : ` ${counted(unchecked, 'conversation')} not checked yet.`
  return `${newWords(drift, counted)}${version}${rest}`
}

function newWords({ names, isCut, changed }: SourceDrift, counted: Counted): string {
  if (names.length === 0) return 'Nothing new.'
  const count = (what: 'type' | 'field') => names.filter((one) => one.what === what).length
  const parts = (['type', 'field'] as const)
    .filter((what) => count(what) > 0)
    .map((what) => counted(count(what), `new ${what}`))
  const listed = [...parts, ...(isCut ? ['more'] : [])]
  const last = listed.pop()
  const all = listed.length === 0 ? last : `${listed.join(', ')} and ${last}`
  return `${all} in ${counted(changed, 'conversation')}, nothing lost.`
}
