import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { WordStretch } from '../common/content/stretch'
import type { Fields } from '../common/drafts'

/** What OpenClaw puts in front of a person's words, with the newer and the older mark of such a block. */
const inFront: readonly (readonly [begin: RegExp, wrapper: string])[] = [
  // Channel, sender and time: "[Telegram Ann id:7 2026-09-10 09:00 UTC]", "[Thu 2026-09-10 09:00 GMT+2]".
  [/^\[[^\]\n]*\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}[^\]\n]*\]\s*/, 'envelope'],
  [/^\[message_id: [^\]\n]*\]\s*/, 'envelope'],
  [
    /^[^\n]{1,120}(?:⟦openclaw:ctx⟧|\(untrusted[^)\n]*\)):?[ \t]*\n```json\n[\s\S]*?\n```[ \t]*(?:\n\s*|$)/,
    'inbound_metadata',
  ],
  [/^[^\n]{1,120}⟦openclaw:ctx⟧[ \t]*\n(?!```)[\s\S]*?(?:\n\s*\n|$)/, 'inbound_metadata'],
  [
    /^[^\n]{0,120}:[ \t]*\n<active_memory_plugin>\n[\s\S]*?\n<\/active_memory_plugin>[ \t]*(?:\n\s*|$)/,
    'active_memory',
  ],
  [/^(?:System: \[[^\n]*(?:\n|$))+\s*/, 'system_event'],
]

/** A text that begins so is the program's, all of it. */
const whole: readonly (readonly [begin: string, wrapper: string])[] = [
  ['A new session was started via /new or /reset.', 'session_start'],
  ['Read HEARTBEAT.md', 'heartbeat'],
  ['[Subagent Context]', 'subagent_context'],
  ['Pre-compaction memory flush', 'memory_flush'],
]

/**
 * Splits what OpenClaw put in front of a person's words from these. Only the beginning counts: the same words further on are
 * the person's. Nothing of the text is lost but white space between the stretches; at least one.
 */
export function splitOpenclawWords(text: string): readonly WordStretch[] {
  const stretches: WordStretch[] = []
  let rest = text
  for (;;) {
    const trimmed = rest.trimStart()
    const found = inFront
      .map(([begin, wrapper]) => [begin.exec(trimmed)?.[0], wrapper] as const)
      .find(([block]) => block !== undefined && block !== '')
    if (found?.[0] === undefined) break
    stretches.push({ content: found[0].trim(), wrapper: found[1] })
    rest = trimmed.slice(found[0].length)
  }
  if (stretches.length > 0 && rest.trim() === '') return stretches
  const own = stretches.length === 0 ? rest : rest.trimStart()
  const known = whole.find(([words]) => own.trimStart().startsWith(words))
  return [...stretches, { content: own, wrapper: known?.[1] }]
}

/** Returns why a message in a person's name is none of theirs: another session of an agent sent it. */
export function injectedAs({ provenance }: Fields): string | undefined {
  const kind = isJsonObject(provenance) ? provenance.kind : undefined
  return typeof kind === 'string' && kind !== 'external_user' ? kind : undefined
}
