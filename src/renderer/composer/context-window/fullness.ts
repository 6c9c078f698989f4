import { visibleText } from '../../../shared/model/basics/visible'
import type { WindowSize } from '../../../shared/model/run/window-size'
import { formatCount } from '../../ui/format/format'

/** Level of the context window with the next request in it; `unknown` without a known context length. */
export type Fullness = 'unknown' | 'room' | 'near' | 'full'

/** Returns the level with `draft` tokens added: `near` from the warning threshold, `full` from the context length. */
export function fullnessOf(size: WindowSize, draft: number): Fullness {
  const { limit, guarded, warnPercent, compactPercent } = size
  if (limit === null) return 'unknown'
  if (size.total + draft >= limit) return 'full'
  const threshold = Math.min(warnPercent, compactPercent ?? warnPercent)
  return guarded + draft >= (limit * threshold) / 100 ? 'near' : 'room'
}

/** Returns the meter's numbers as one sentence for a screen reader. */
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

/**
 * Lists the parts of the next request in tokens, how they were counted, and what happens at the threshold; one line
 * each.
 */
export function contextWindowDetails(size: WindowSize, draft: number): readonly string[] {
  const { parts, total, guarded, limit, warnPercent, compactPercent } = size
  const partTexts = partNames.map(([part, name]) => `${name} ${formatCount(parts[part])}`)
  const lines = [
    `The next request: ${partTexts.join(', ')}${draft === 0 ? '' : `, draft ${formatCount(draft)}`}`,
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
