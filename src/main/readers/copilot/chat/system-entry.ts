import type { TimelessEntry } from '../../common/drafts'

/** Makes the entry of something that the program says of itself. */
export function systemEntry(rawType: string, content: string): TimelessEntry {
  const metadata = { raw_type: rawType }
  return { from: 'system', to: 'user', content, entry_type: 'message', role: 'system', metadata }
}
