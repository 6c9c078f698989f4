import { type TimelessEntry, unknownEntry } from '../../common/drafts'
import type { NamelessEntry } from '../../common/value-meaning'
import { answerEntry, cursorCall, cursorResult, personEntries, thoughtEntry } from './entries'

/** The line that begins a turn. Answers begin with `A:` in some versions. */
const turn = /^(user|assistant|A):[ \t]*$/
const mark = /^\[(Thinking|Tool call|Tool result)\][ \t]?(.*)$/

/**
 * Parses a transcript of older versions, a page of text: turns of a person and the model, whose thoughts, calls and results
 * are marked. A text before the first turn is unknown.
 */
export function textTranscript(text: string): readonly NamelessEntry[] {
  const entries: TimelessEntry[] = []
  let said: 'user' | 'assistant' | undefined
  let marked: { readonly kind: string; readonly name: string } | undefined
  let lines: string[] = []
  const end = () => {
    const content = lines.join('\n').trim()
    if (content !== '' || marked?.name) entries.push(...stretchEntries(said, marked, content))
    lines = []
    marked = undefined
  }
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const [, speaker] = turn.exec(line) ?? []
    const [, kind, rest = ''] = said === 'assistant' ? (mark.exec(line) ?? []) : []
    if (speaker !== undefined) {
      end()
      said = speaker === 'user' ? 'user' : 'assistant'
    } else if (kind !== undefined) {
      end()
      marked = { kind, name: kind === 'Thinking' ? '' : rest.trim() }
      if (kind === 'Thinking') lines.push(rest)
    } else lines.push(line)
  }
  end()
  return entries.map((entry) => ({ timestamp: null, ...entry }))
}

function stretchEntries(
  said: 'user' | 'assistant' | undefined,
  marked: { readonly kind: string; readonly name: string } | undefined,
  content: string,
): readonly TimelessEntry[] {
  if (said === 'user') return personEntries(content)
  if (said === undefined) return [unknownEntry('cursor', 'text', content)]
  switch (marked?.kind) {
    case 'Thinking':
      return [thoughtEntry(content)]
    case 'Tool call':
      return [cursorCall(marked.name || 'tool', undefined, content)]
    case 'Tool result':
      return [cursorResult(marked.name || 'tool', undefined, content, false)]
    default:
      return [answerEntry(content)]
  }
}
