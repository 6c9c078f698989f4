import { type Entry, type EntryDraft, EntryId } from '../../../src/shared/model/conversation/entry'
import type { TranscriptRow } from '../../../src/shared/model/conversation/transcript'

/** An entry as tests write it: what they leave out has a usual value. */
export type RowDraft =
  | (Partial<Omit<EntryDraft, 'id'>> & Pick<Entry, 'wholeLength'> & { readonly id?: string })
  | { readonly damaged: string; readonly reason: string; readonly torn?: boolean }

/** Rows in one file, each at the place where its line would stand. */
export function rowsOf(
  drafts: readonly RowDraft[],
  options: { readonly context?: string; readonly startsAt?: number; readonly file?: string } = {},
): TranscriptRow[] {
  const { context = 'garden', startsAt = 1_764_000_000, file = 'active.jsonl' } = options
  let offset = 0
  return drafts.map((draft, index): TranscriptRow => {
    const line = index + 1
    if ('damaged' in draft) {
      const length = new TextEncoder().encode(draft.damaged).length
      const place = { file, line, offset, length }
      offset += length + 1
      return {
        type: 'damaged',
        damaged: {
          ...place,
          reason: draft.reason,
          bytes: btoa(
            String.fromCharCode(...new TextEncoder().encode(draft.damaged).slice(0, 4096)),
          ),
          ...(draft.torn === undefined ? {} : { torn: draft.torn }),
        },
      }
    }
    const { id = `${file}-${line}`, ...fields } = draft
    const entry: EntryDraft = {
      id: EntryId.parse(id),
      timestamp: startsAt + index * 20,
      from: 'user',
      to: context,
      content: '',
      entry_type: 'message',
      ...fields,
    }
    const length = new TextEncoder().encode(JSON.stringify(entry)).length
    const placed: Entry = { ...entry, file, line, offset, length }
    offset += length + 1
    return { type: 'entry', entry: placed }
  })
}

/** What a person wrote. */
export function said(content: string, more: RowDraft = {}): RowDraft {
  return { role: 'user', content, ...more }
}

/** What a model answered. */
export function answered(content: string, more: RowDraft = {}): RowDraft {
  return { from: 'garden', to: 'user', role: 'agent', content, ...more }
}

/** A tool's call. */
export function called(tool: string, args: unknown, id?: string, more: RowDraft = {}): RowDraft {
  return {
    from: 'garden',
    to: tool,
    entry_type: 'tool_call',
    content: typeof args === 'string' ? args : JSON.stringify(args),
    ...(id === undefined ? {} : { tool_call_id: id }),
    ...more,
  }
}

/** A tool's result. */
export function returned(
  tool: string,
  content: string,
  id?: string,
  more: RowDraft = {},
): RowDraft {
  return {
    from: tool,
    to: 'garden',
    entry_type: 'tool_result',
    content,
    ...(id === undefined ? {} : { tool_call_id: id }),
    ...more,
  }
}
