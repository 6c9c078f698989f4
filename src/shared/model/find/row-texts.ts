import { isAnchor, runErrorType, shownText } from '../conversation/entry'
import type { TranscriptRow } from '../conversation/transcript'
import { RunFailure } from '../run/run'
import type { FoundPart } from './find'
import { prettyArguments } from './tool-arguments'

/** A text of a row that a person finds words in. */
export interface RowText {
  readonly part: FoundPart
  readonly text: string
}

const callTypes: ReadonlySet<string> = new Set(['tool_call', 'flow_control_call'])
const resultTypes: ReadonlySet<string> = new Set(['tool_result', 'flow_control_result'])

/**
 * Lists the texts of a row as the transcript shows them, in its order: thoughts before what was said, arguments as they are laid out, a
 * summary in the place of a compaction's own words. Texts without a character are left out.
 *
 * @param decode reads base64 as text
 */
export function rowTexts(
  row: TranscriptRow,
  decode: (base64: string) => string,
): readonly RowText[] {
  const texts: readonly RowText[] =
    row.type === 'damaged'
      ? [{ part: 'damaged', text: decode(row.damaged.bytes) }]
      : entryTexts(row)
  return texts.filter(({ text }) => text !== '')
}

function entryTexts({ entry }: Extract<TranscriptRow, { type: 'entry' }>): readonly RowText[] {
  const { entry_type, content, metadata } = entry
  if (entry_type === runErrorType) {
    const { data } = RunFailure.safeParse(metadata)
    if (data !== undefined)
      return [
        { part: 'content', text: [data.message, data.advice].filter(Boolean).join('\n') },
        { part: 'response', text: data.response ?? '' },
      ]
  }
  if (resultTypes.has(entry_type)) return [{ part: 'result', text: content }]
  const words = shownText(entry)
  if (callTypes.has(entry_type) && words === content)
    return [{ part: 'arguments', text: prettyArguments(content) ?? content }]
  // Some systems keep thoughts as entries of their own.
  if (entry_type === 'reasoning') return [{ part: 'reasoning', text: words }]
  const reasoning = metadata?.reasoning
  const summary = isAnchor(entry) ? metadata?.summary : undefined
  return [
    { part: 'reasoning', text: typeof reasoning === 'string' ? reasoning : '' },
    { part: 'content', text: typeof summary === 'string' && summary !== '' ? summary : words },
  ]
}
