import type { ReactNode } from 'react'
import { entryTimeMs } from '../../shared/model/basics/time'
import { visibleText } from '../../shared/model/basics/visible'
import { type Entry, speakerOf } from '../../shared/model/conversation/entry'
import { isFailedResult } from '../../shared/model/conversation/tool-results'
import { readUsage } from '../../shared/model/statistics/token-counts'
import { formatQuantity } from '../ui/format/format'
import { ShortTime } from '../ui/text/ShortTime'
import { ToolSign } from './ToolSign'

/** Head of an entry in a comparison: its speaker, time and tokens, and how it differs. */
export function EntryHead(props: { readonly entry: Entry; readonly mark?: ReactNode }) {
  const { entry, mark } = props
  const atMs = entryTimeMs(entry.timestamp)
  const tokens = readUsage(entry.metadata?.usage)?.tokens.total ?? 0
  return (
    <div className="compare-entry-head">
      <ToolSign entry={entry} />
      <b className="cut">{entryName(entry)}</b>
      {atMs !== undefined && (
        <span className="t3 small number">
          <ShortTime ms={atMs} />
        </span>
      )}
      {tokens > 0 && <span className="t3 small number">{formatQuantity(tokens, 'token')}</span>}
      {mark}
    </div>
  )
}

/** Returns who says an entry, or what it is: "You", a model, "Call of Bash". */
export function entryName(entry: Entry): string {
  const { entry_type: type, metadata } = entry
  const model = typeof metadata?.model === 'string' ? metadata.model : ''
  switch (speakerOf(entry)) {
    case 'user':
      // In a room, people have names of their own.
      return entry.from.endsWith('@muc') ? visibleText(entry.from.slice(0, -4)) : 'You'
    case 'agent':
      return model === '' ? 'Assistant' : visibleText(model)
    case 'system':
      return 'System'
    case undefined:
      break
  }
  if (type === 'tool_call') return visibleText(entry.to)
  if (type === 'tool_result')
    return `${isFailedResult(entry) ? 'Failed result' : 'Result'} of ${visibleText(entry.from)}`
  return visibleText(type.replaceAll('_', ' '))
}
