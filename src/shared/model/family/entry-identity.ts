import { joinFingerprints, textFingerprint } from '../basics/fingerprint'
import { type Entry, speakerOf } from '../conversation/entry'

/** The identity of an entry: two entries with the same one are copies of each other. */
export interface EntryIdentity {
  readonly whole: string
  /** The part that cycod leaves when it cuts; undefined where it cuts nothing. */
  readonly head: string | undefined
}

/** Finds the identity of an entry: its id or tool call's id where chance cannot repeat it, else who says what. */
export function entryIdentity(
  entry: Pick<Entry, 'id' | 'to' | 'content' | 'entry_type' | 'role' | 'tool_call_id'>,
): EntryIdentity {
  if (cannotRepeat(entry.id)) return { whole: `id ${entry.id}`, head: undefined }
  if (entry.tool_call_id !== undefined && cannotRepeat(entry.tool_call_id))
    return { whole: toolIdentity(entry), head: undefined }
  const speaker = speakerOf(entry) ?? ''
  const start = `${entry.entry_type}\n${speaker}\n${entry.tool_call_id ?? ''}\n`
  const canBeCut = entry.tool_call_id !== undefined || entry.content.length >= headLength
  const left = entry.tool_call_id === undefined ? entry.content.slice(0, headLength) : ''
  return { whole: start + entry.content, head: canBeCut ? start + left : undefined }
}

/** Computes the fingerprint of an entry's tool call id; undefined where it could be equal by chance. */
export function toolFingerprint(
  entry: Pick<Entry, 'entry_type' | 'tool_call_id'>,
): number | undefined {
  const { tool_call_id: id } = entry
  return id !== undefined && cannotRepeat(id) ? textFingerprint(toolIdentity(entry)) : undefined
}

/** Computes what `Outline.tools` has for a message that is a tool call with this id alone. */
export function callFingerprint(id: string): number {
  const identity = toolIdentity({ entry_type: 'tool_call', tool_call_id: id })
  return joinFingerprints(0, textFingerprint(identity))
}

/**
 * Returns true for an id that only copies share: a UUID or `toolu_01WKbsDE5kGZoDiPCFdcERFm`. `call_0`, `L7` and
 * words come up in many conversations.
 */
export function cannotRepeat(id: string): boolean {
  return (randomPart.test(id) && /[0-9]/.test(id)) || bedrockId.test(id)
}

function toolIdentity(entry: Pick<Entry, 'entry_type' | 'tool_call_id'>): string {
  return `${entry.entry_type} ${entry.tool_call_id}`
}

/** Far below what cycod's smallest useful limits leave of a text. */
const headLength = 1000

/** 22 characters of base64url, as Bedrock gives ids: one in four has a `_` or `-` in the middle, and some no digit. */
const bedrockId = /^tooluse_(?=.*[a-z])(?=.*[0-9A-Z])[\w-]{22}$/

const randomPart = /[0-9A-Za-z]{16}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i
