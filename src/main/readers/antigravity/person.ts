import type { TimelessEntry } from '../common/drafts'

const request = /<USER_REQUEST>([\s\S]*?)<\/USER_REQUEST>/
/** What the program writes beside a person's words, each in tags of its own. */
const beside = /<([A-Z][A-Z_]+)>[\s\S]*?<\/\1>/g

/**
 * Converts what reached the model with a person's words: the words, then what the program put beside them (`metadata.injected`). Text without
 * the tags is the person's as it is.
 */
export function promptEntries(content: string): readonly TimelessEntry[] {
  const found = request.exec(content)
  if (found === null) return [said(content)]
  const [whole, words = ''] = found
  const rest = content.replace(whole, '')
  const told = [...rest.matchAll(beside)]
  const others = rest.replace(beside, '').trim()
  return [
    said(words.trim()),
    ...told.map(([text, tag = '']) => injected(text, tag)),
    ...(others === '' ? [] : [injected(others, 'USER_INPUT')]),
  ]
}

/** Makes the entry of something that the program tells its model. */
export function injected(content: string, rawType: string): TimelessEntry {
  return {
    from: 'antigravity',
    to: 'antigravity',
    content,
    entry_type: 'message',
    role: 'user',
    metadata: { injected: true, raw_type: rawType },
  }
}

function said(content: string): TimelessEntry {
  return { from: 'user', to: 'antigravity', content, entry_type: 'message', role: 'user' }
}
