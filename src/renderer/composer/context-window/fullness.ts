import type { WindowSize } from '../../../shared/model/run/window-size'
import { formatCount } from '../../ui/format/format'
import { visibleText } from '../../ui/format/visible-text'

/** How near a request is to what the model takes. `unknown`: nobody says how much that is. */
export type Fullness = 'unknown' | 'room' | 'near' | 'full'

/** The state of a window with so many tokens more; from a threshold it is near, from the model's length on full. */
export function fullnessOf(size: WindowSize, draft: number): Fullness {
  const { limit, guarded, warnPercent, compactPercent } = size
  if (limit === null) return 'unknown'
  if (size.total + draft >= limit) return 'full'
  const threshold = Math.min(warnPercent, compactPercent ?? warnPercent)
  return guarded + draft >= (limit * threshold) / 100 ? 'near' : 'room'
}

/** All that the meter shows, as one reads it out. */
export function contextWindowLabel(size: WindowSize, draft: number): string {
  const { limit, total } = size
  const all = formatCount(total + draft)
  const tokens = limit === null ? `${all} tokens` : `${all} of ${formatCount(limit)} tokens`
  const parts =
    draft === 0 ? '' : `; ${formatCount(total)} so far, ${formatCount(draft)} in the draft`
  return `${tokens}, ${countedWords(size)}${parts}${fullWords[fullnessOf(size, draft)]}`
}

const fullWords: Readonly<Record<Fullness, string>> = {
  unknown: '',
  room: '',
  near: '; nearly full',
  full: '; more than the model accepts',
}

function countedWords({ countedBy: by }: WindowSize): string {
  return by.by === 'estimate' ? 'estimated' : `counted by tokenizer ${visibleText(by.name)}`
}

const partNames = [
  ['system', 'system prompt'],
  ['history', 'history'],
  ['tools', 'tools'],
  ['attachments', 'attachments'],
] as const

/** What the tokens are of, how they were counted, and what comes at the threshold; a line each. */
export function contextWindowDetails(size: WindowSize, draft: number): readonly string[] {
  const { parts, total, guarded, limit, warnPercent, compactPercent } = size
  const told = partNames.map(([part, name]) => `${name} ${formatCount(parts[part])}`)
  const lines = [
    `The next request: ${told.join(', ')}${draft === 0 ? '' : `, draft ${formatCount(draft)}`}`,
    `Tokens, ${countedWords(size)}; without what plugins add`,
  ]
  if (limit === null) return [...lines, 'The context length of this model is unknown']
  if (guarded > total)
    lines.push(`chibi estimates ${formatCount(guarded)}; the larger number counts`)
  return [
    ...lines,
    compactPercent === null
      ? `Automatic summaries are off; Skein warns at ${percent(warnPercent)}`
      : `Earlier messages are summarized at ${percent(compactPercent)}`,
  ]
}

function percent(value: number): string {
  return `${formatCount(value)} %`
}
