import { isJsonObject } from '../../../../shared/model/basics/json-object'
import { attachmentFields } from '../content/attached'
import type { WordStretch } from '../content/stretch'
import { type Fields, type TimelessEntry, unknownEntry, withFields } from '../drafts'

/** System that writes records in pi's form, with its own additions. */
export interface PiFormSystem {
  /** The name of the model's side in entries. */
  readonly agent: string
  /** Splits what the system put into a person's message from their words; at least one stretch. */
  readonly splitWords?: (text: string) => readonly WordStretch[]
  /** Returns why a message in a person's name is none of theirs; undefined where it is theirs. */
  readonly injectedAs?: (message: Fields) => string | undefined
  /** The provider of replies that no model gave. */
  readonly ownProvider?: string
}

/** Converts a message to its entries, in the order of its content; at least one. */
export function piFormMessage(
  message: Fields,
  text: string,
  system: PiFormSystem,
): readonly TimelessEntry[] {
  const { role, content, summary } = message
  const { agent } = system
  if (role === 'assistant') return answerParts(message, system)
  if (role === 'toolResult') return [resultOf(message, system)]
  if (role === 'bashExecution') return [ownCommand(message, system)]
  const { words, ...others } = textOf(content)
  if (role === 'user') return personParts(words, others, system.injectedAs?.(message), system)
  const isKnown = ['custom', 'hookMessage', 'branchSummary', 'compactionSummary'].includes(
    String(role),
  )
  if (!isKnown) return [unknownEntry(agent, String(role), text)]
  const said = words === '' && typeof summary === 'string' ? summary : words
  const metadata = { injected: true, raw_type: String(role), ...attachmentFields(others) }
  return [{ from: agent, to: agent, content: said, ...spoken('user', metadata) }]
}

/** Pictures are a person's own; where they said nothing, those of what the system put there. */
function personParts(
  words: string,
  others: Parameters<typeof attachmentFields>[0],
  injectedAs: string | undefined,
  { agent, splitWords }: PiFormSystem,
): readonly TimelessEntry[] {
  const whole: readonly WordStretch[] = [{ content: words, wrapper: injectedAs }]
  const stretches = injectedAs === undefined ? (splitWords?.(words) ?? whole) : whole
  const own = stretches.findIndex(({ wrapper }) => wrapper === undefined)
  const at = own === -1 ? stretches.length - 1 : own
  return stretches.map(({ content, wrapper }, i) => {
    const injected = wrapper === undefined ? {} : { injected: true, raw_type: wrapper }
    return withFields(
      {
        from: wrapper === undefined ? 'user' : agent,
        to: agent,
        content,
        ...spoken('user', injected),
      },
      i === at ? attachmentFields(others) : {},
    )
  })
}

function spoken(
  role: 'user' | 'agent',
  metadata: Fields,
): Pick<TimelessEntry, 'entry_type' | 'role' | 'metadata'> {
  return {
    entry_type: 'message',
    role,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

function answerParts(message: Fields, system: PiFormSystem): readonly TimelessEntry[] {
  const { content, model, provider, errorMessage } = message
  const isModel = system.ownProvider === undefined || provider !== system.ownProvider
  const named = typeof model === 'string' && isModel ? { model } : {}
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  const parts = blocks.map((block): TimelessEntry => answerPart(block, named, system))
  if (parts.length === 0) {
    const words = typeof errorMessage === 'string' ? errorMessage : ''
    const failed = words === '' ? {} : { error: true }
    parts.push({
      from: system.agent,
      to: 'user',
      content: words,
      ...spoken('agent', { ...named, ...failed }),
    })
  }
  const [first, ...rest] = parts
  const usage = usageOf(message)
  if (first === undefined || usage === undefined) return parts
  // One record of usage for all of the answer.
  return [{ ...first, metadata: { ...first.metadata, usage } }, ...rest]
}

function answerPart(block: unknown, named: Fields, { agent }: PiFormSystem): TimelessEntry {
  const base = { from: agent, to: 'user' }
  const fields: Fields = isJsonObject(block) ? block : {}
  const { type, text, thinking, id, name, arguments: args } = fields
  const kept = Object.keys(named).length === 0 ? {} : { metadata: named }
  if (type === 'text' && typeof text === 'string')
    return { ...base, content: text, ...spoken('agent', named) }
  if (type === 'thinking')
    return {
      ...base,
      content: typeof thinking === 'string' ? thinking : '',
      entry_type: 'reasoning',
      ...kept,
    }
  if (type === 'toolCall')
    return {
      from: agent,
      to: typeof name === 'string' && name !== '' ? name : 'tool',
      content: typeof args === 'string' ? args : args == null ? '' : JSON.stringify(args),
      entry_type: 'tool_call',
      ...(typeof id === 'string' ? { tool_call_id: id } : {}),
      ...kept,
    }
  return { ...base, content: '', ...spoken('agent', { ...named, attachments: [block] }) }
}

function resultOf(
  { toolCallId, toolName, content, isError }: Fields,
  { agent }: PiFormSystem,
): TimelessEntry {
  const { words, ...others } = textOf(content)
  const metadata = { ...(isError === true ? { is_error: true } : {}), ...attachmentFields(others) }
  return {
    from: typeof toolName === 'string' && toolName !== '' ? toolName : 'tool',
    to: agent,
    content: words,
    entry_type: 'tool_result',
    ...(typeof toolCallId === 'string' ? { tool_call_id: toolCallId } : {}),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

/** A command that the person ran in the program, with its output. */
function ownCommand({ command, output }: Fields, { agent }: PiFormSystem): TimelessEntry {
  const lines = [`$ ${typeof command === 'string' ? command : ''}`, output]
  const content = lines.filter((line) => typeof line === 'string' && line !== '').join('\n')
  const metadata = { injected: true, raw_type: 'bashExecution' }
  return { from: 'user', to: agent, content, ...spoken('user', metadata) }
}

function textOf(content: unknown) {
  const texts: string[] = []
  const images: unknown[] = []
  const others: unknown[] = []
  for (const block of Array.isArray(content) ? content : [content]) {
    if (typeof block === 'string') texts.push(block)
    else if (isJsonObject(block) && block.type === 'text' && typeof block.text === 'string')
      texts.push(block.text)
    else if (isJsonObject(block) && block.type === 'image') {
      const { data, mimeType } = block
      const isHere = typeof data === 'string' && typeof mimeType === 'string'
      images.push(isHere ? { url: `data:${mimeType};base64,${data}` } : block)
    } else if (block != null) others.push(block)
  }
  return { words: texts.join('\n'), images, others }
}

/** Reads the usage of a reply. Tokens that went to the cache and came from it were sent too; they are counted apart. */
function usageOf({ usage }: Fields): Fields | undefined {
  if (!isJsonObject(usage)) return undefined
  const { input, output, cacheRead, cacheWrite, cost } = usage
  const sent = [input, cacheRead, cacheWrite].filter((one) => typeof one === 'number')
  const price = isJsonObject(cost) ? cost.total : undefined
  return {
    ...(sent.length === 0 ? {} : { input: sent.reduce((sum, one) => sum + one, 0) }),
    ...(typeof cacheRead === 'number' ? { cached: cacheRead } : {}),
    ...(typeof output === 'number' ? { output } : {}),
    ...(typeof price === 'number' ? { cost: price } : {}),
  }
}
