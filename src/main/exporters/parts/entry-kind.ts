import {
  type Entry,
  type Role,
  shownText,
  speakerOf,
  spokenText,
} from '../../../shared/model/conversation/entry'
import type { Exportable } from './exporter'

/** What an entry is to a form that knows words, calls and results alone. */
export type ExportKind = Role | 'call' | 'result' | 'reasoning' | 'unknown' | 'other'

/** What an entry is. chibi's notes of a changed prompt are words of the system. */
export function exportKindOf(entry: Entry): ExportKind {
  switch (entry.entry_type) {
    case 'message':
      return speakerOf(entry) ?? 'other'
    case 'tool_call':
      return 'call'
    case 'flow_control_call':
      return speakerOf(entry) ?? 'call'
    case 'tool_result':
    case 'flow_control_result':
      return 'result'
    case 'system_prompt':
    case 'system_prompt_changed':
      return 'system'
    case 'reasoning':
    case 'unknown':
      return entry.entry_type
    default:
      return 'other'
  }
}

/**
 * Returns its words for another system: chibi's time before a person's words was for the model, and other forms have
 * times; what chibi says by `call_user` is words there.
 */
export function exportedText(
  form: string,
  entry: Entry,
  { source }: Pick<Exportable, 'source'>,
): string {
  if (form === 'chibi') return entry.content
  return source === 'chibi' ? shownText(entry) : spokenText(entry)
}

/** Of a value that may be anything, the text; undefined for none and for an empty one. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
