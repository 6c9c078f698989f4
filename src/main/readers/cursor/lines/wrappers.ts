/** A stretch of a person's message: their own words, or what Cursor put beside them. */
export interface WrappedText {
  readonly content: string
  /** The wrapper's name; undefined for a person's own words. */
  readonly wrapper?: string
}

/** Names of the tags that Cursor puts around a person's words for the model. */
const wrappers: ReadonlySet<string> = new Set([
  'additional_data',
  'agent_requestable_workspace_rules',
  'agent_skills',
  'agent_transcripts',
  'always_applied_workspace_rules',
  'attached_files',
  'available_skills',
  'current_file',
  'cursor_commands',
  'cursor_rules_context',
  'external_links',
  'git_status',
  'ide_state',
  'image_files',
  'linter_errors',
  'manually_attached_skills',
  'mcp_file_system',
  'mcp_instructions',
  'open_and_recently_viewed_files',
  'project_layout',
  'rules',
  'system-reminder',
  'system_reminder',
  'terminal_files_information',
  'timestamp',
  'user_info',
  'user_rules',
])

const query = 'user_query'
const opening = /^\s*<([a-z][\w-]*)(?:\s[^<>]*)?>/

/**
 * Splits what Cursor put into a person's message from their own words, which it wraps in `<user_query>`. Tags count at the
 * beginning of the text, and behind others of theirs: the same words further on are the person's. At least one stretch;
 * nothing is lost but the tags around the person's words, and white space.
 */
export function splitWrapped(text: string): readonly WrappedText[] {
  const stretches: WrappedText[] = []
  let rest = text
  for (;;) {
    const [open = '', name = ''] = opening.exec(rest) ?? []
    const isQuery = name === query
    if (!isQuery && !wrappers.has(name)) break
    const close = `</${name}>`
    const end = rest.indexOf(close, open.length)
    if (end === -1) break
    if (isQuery) stretches.push({ content: rest.slice(open.length, end).trim() })
    else stretches.push({ content: rest.slice(0, end + close.length).trim(), wrapper: name })
    rest = rest.slice(end + close.length)
  }
  if (stretches.length > 0 && rest.trim() === '') return stretches
  return [...stretches, { content: stretches.length === 0 ? rest : rest.trim() }]
}
