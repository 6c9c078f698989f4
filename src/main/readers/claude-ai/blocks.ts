import { z } from 'zod'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { NamelessEntry } from '../common/value-meaning'

/** The speaker of a message, and the one it is said to. */
export type MessageSpeaker = Pick<NamelessEntry, 'from' | 'to' | 'entry_type' | 'role' | 'metadata'>

type BlockEntry = Omit<NamelessEntry, 'timestamp'>

const Text = z.looseObject({ type: z.literal('text'), text: z.string() })
const VoiceNote = z.looseObject({ type: z.literal('voice_note') })
const Thinking = z.looseObject({ type: z.literal('thinking'), thinking: z.string() })
const Injected = z.looseObject({ type: z.literal('injected_prompt_block'), text: z.string() })
const ToolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().nullish(),
  name: z.string().nullish(),
  input: z.unknown(),
})
const ToolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().nullish(),
  name: z.string().nullish(),
  content: z.unknown(),
})

/** Returns the words of a block that is part of what was said; undefined for one that is an entry of its own. */
export function wordsOf(
  block: unknown,
): { readonly text: string; readonly beside: readonly unknown[] } | undefined {
  if (typeof block === 'string') return { text: block, beside: [] }
  const said = Text.safeParse(block).data
  if (said !== undefined) return { text: said.text, beside: besideText(said) }
  const voice = VoiceNote.safeParse(block).data
  if (voice === undefined) return undefined
  const { text, transcript, title } = voice
  const words = [text, transcript, title].find((one) => typeof one === 'string' && one !== '')
  return { text: typeof words === 'string' ? words : '', beside: [voice] }
}

/** Converts any other block: thoughts, calls and results of tools, and what nobody knows. */
export function blockEntry(block: unknown, speaker: MessageSpeaker): BlockEntry {
  const thoughts = Thinking.safeParse(block).data
  if (thoughts !== undefined)
    return { from: 'claude.ai', to: 'user', entry_type: 'reasoning', content: thoughts.thinking }
  const injected = Injected.safeParse(block).data
  if (injected !== undefined)
    return {
      ...speaker,
      content: injected.text,
      metadata: { injected: true, raw_type: injected.type },
    }
  const call = ToolUse.safeParse(block).data
  if (call !== undefined)
    return {
      from: 'claude.ai',
      to: call.name || 'tool',
      entry_type: 'tool_call',
      content: typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? {}),
      ...(call.id ? { tool_call_id: call.id } : {}),
    }
  const result = ToolResult.safeParse(block).data
  if (result !== undefined)
    return {
      from: result.name || 'tool',
      to: 'claude.ai',
      entry_type: 'tool_result',
      content: resultText(result.content),
      ...(result.tool_use_id ? { tool_call_id: result.tool_use_id } : {}),
      ...(result.is_error === true ? { metadata: { raw_fields: { is_error: true } } } : {}),
    }
  const type = isJsonObject(block) && typeof block.type === 'string' ? block.type : 'unknown'
  return {
    from: speaker.from,
    to: speaker.to,
    entry_type: 'unknown',
    content: JSON.stringify(block),
    metadata: { raw_type: type },
  }
}

/** Sources that the text names; every block has times, which say nothing more than the message's. */
function besideText({ citations }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(citations) && citations.length > 0 ? [{ citations }] : []
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = z.array(z.looseObject({ type: z.literal('text'), text: z.string() }))
  const parsed = texts.safeParse(content).data
  if (parsed !== undefined) return parsed.map(({ text }) => text).join('\n')
  return content == null ? '' : JSON.stringify(content)
}
