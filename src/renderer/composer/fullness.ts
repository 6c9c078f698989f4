import type { WindowSize } from '../../shared/model/window-size'
import { count } from '../ui/format'
import { visibleText } from '../ui/visible-text'

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
export function spokenSize(size: WindowSize, draft: number): string {
  const { limit, total } = size
  const all = count(total + draft)
  const tokens = limit === null ? `${all} tokens` : `${all} of ${count(limit)} tokens`
  const parts = draft === 0 ? '' : `; ${count(total)} in the window, ${count(draft)} being written`
  return `${tokens}, ${countedWords(size)}${parts}${fullWords[fullnessOf(size, draft)]}`
}

const fullWords: Readonly<Record<Fullness, string>> = {
  unknown: '',
  room: '',
  near: '; nearly full',
  full: '; more than the model takes',
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
export function sizeLines(size: WindowSize, draft: number): readonly string[] {
  const { parts, total, guarded, limit, warnPercent, compactPercent } = size
  const told = partNames.map(([part, name]) => `${name} ${count(parts[part])}`)
  const lines = [
    `The next request: ${told.join(', ')}${draft === 0 ? '' : `, being written ${count(draft)}`}`,
    `Tokens, ${countedWords(size)}; what plugins add is not in it`,
  ]
  if (limit === null) return [...lines, 'How much this model takes is not known']
  if (guarded > total)
    lines.push(`chibi’s estimate is ${count(guarded)}; the larger one is compared with a threshold`)
  return [
    ...lines,
    compactPercent === null
      ? `Room is not made by itself; from ${percent(warnPercent)} on a run says that the window is nearly full`
      : `At ${percent(compactPercent)} of the window older messages are summarized to make room`,
  ]
}

function percent(value: number): string {
  return `${count(value)} %`
}
