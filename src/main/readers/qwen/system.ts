import { isJsonObject } from '../../../shared/model/basics/json-object'
import { partsOf } from '../common/content/google-parts'
import { type Fields, type TimelessEntry, textIn, trimmedIn, unknownEntry } from '../common/drafts'
import type { SessionRecordFields } from '../common/sessions/line-ends'
import { isSilentType } from './known'

/** Converts a record of the type `system`; none for one of the program's own state. */
export function systemEntries(record: Fields, text: string): readonly TimelessEntry[] {
  const { subtype, systemPayload } = record
  const payload: Fields = isJsonObject(systemPayload) ? systemPayload : {}
  switch (subtype) {
    case 'chat_compression':
      return [compaction(payload)]
    case 'slash_command':
      return commandEntries(payload)
    case 'notification':
    case 'background_task_completed':
      return note(textIn(payload.displayText), subtype)
    case 'agent_launch_prompt': {
      const words = textIn(payload.displayText)
      return words === undefined ? [] : [injected(words, subtype, 'qwen-code')]
    }
    default:
      if (isSilentType(subtype)) return []
      return [unknownEntry('qwen', typeof subtype === 'string' ? subtype : 'system', text)]
  }
}

/** Reads what a record of the type `system` tells of its session: its title, and the session that began it. */
export function fieldsOfSystem(record: Fields): SessionRecordFields {
  const { type, subtype, systemPayload, forkedFrom } = record
  if (type !== 'system' || !isJsonObject(systemPayload)) return {}
  const { customTitle, parentSessionId } = systemPayload
  // A branch repeats all records of the session that it was made from, this one too.
  const isOwn = subtype === 'parent_session' && forkedFrom === undefined
  return {
    title: subtype === 'custom_title' ? trimmedIn(customTitle) : undefined,
    parent: isOwn ? trimmedIn(parentSessionId) : undefined,
  }
}

/** What the model goes on with: a summary as a person's words, and the last messages, which are further up too. */
function compaction({ compressedHistory }: Fields): TimelessEntry {
  const [first] = Array.isArray(compressedHistory) ? compressedHistory : []
  const { text } = partsOf(isJsonObject(first) ? first.parts : undefined)
  return { from: 'qwen', to: 'user', content: text, entry_type: 'compaction' }
}

/** A command that a person gave the program, or what that showed. */
function commandEntries({ phase, rawCommand, outputHistoryItems: items }: Fields) {
  const command = textIn(rawCommand)
  if (phase === 'invocation')
    return command === undefined ? [] : [injected(command, 'slash_command', 'user')]
  const shown = (Array.isArray(items) ? items : []).flatMap((item: unknown) =>
    isJsonObject(item) ? (textIn(item.text) ?? []) : [],
  )
  return note(shown.length === 0 ? undefined : shown.join('\n'), 'slash_command')
}

function injected(content: string, rawType: string, from: string): TimelessEntry {
  const metadata = { injected: true, raw_type: rawType }
  return { from, to: 'qwen', content, entry_type: 'message', role: 'user', metadata }
}

function note(content: string | undefined, rawType: string): readonly TimelessEntry[] {
  if (content === undefined) return []
  const metadata = { raw_type: rawType }
  return [
    { from: 'qwen-code', to: 'user', content, entry_type: 'message', role: 'system', metadata },
  ]
}
