import {
  type Entry,
  type Role,
  shownText,
  speakerOf,
  spokenText,
} from '../../../shared/model/conversation/entry'
import type { Exportable } from './exporter'

/** Kind of an entry in a format that knows only messages, calls and results. */
export type ExportKind = Role | 'call' | 'result' | 'reasoning' | 'unknown' | 'other'

/** Returns the kind of an entry. chibi's notes of a changed prompt count as `system`. */
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

/** Returns a value that is a text and not empty; undefined for any other. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns true for an object; false for a list and for null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
