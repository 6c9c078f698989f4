import type { NamelessEntry } from '../common/value-meaning'

/**
 * Converts a history or an archive from before the agent wrote lines, one page of Markdown, to one entry: it was
 * written for people, and marks speakers in no fixed way.
 */
export function fluuxDocument(text: string): NamelessEntry {
  return {
    timestamp: null,
    from: 'fluux',
    to: 'user',
    content: text,
    entry_type: 'document',
    metadata: { raw_type: 'markdown archive' },
  }
}
