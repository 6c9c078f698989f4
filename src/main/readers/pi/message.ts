import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { NamelessEntry } from '../common/value-meaning'

type Fields = Readonly<Record<string, unknown>>

/** An entry of a message, without its time. */
export type PiPart = Omit<NamelessEntry, 'timestamp'>

/** Converts a message to its entries, in the order of its content; at least one. */
export function partsOfMessage(message: Fields, text: string): readonly PiPart[] {
  const { role, content } = message
  if (role === 'assistant') return answerParts(message)
  if (role === 'toolResult') return [resultOf(message)]
  if (role === 'bashExecution') return [ownCommand(message)]
  const { words, images, others } = textOf(content)
  const extra = {
    ...(images.length === 0 ? {} : { images }),
    ...(others.length === 0 ? {} : { attachments: others }),
  }
  if (role === 'user') return [{ from: 'user', to: 'pi', content: words, ...spoken('user', extra) }]
  const isKnown = ['custom', 'hookMessage', 'branchSummary', 'compactionSummary'].includes(
    String(role),
  )
  if (!isKnown)
    return [
      {
        from: 'pi',
        to: 'user',
        content: text.trim(),
        entry_type: 'unknown',
        metadata: { raw_type: String(role) },
      },
    ]
  const { summary } = message
  const said = words === '' && typeof summary === 'string' ? summary : words
  const metadata = { injected: true, raw_type: String(role), ...extra }
  return [{ from: 'pi', to: 'pi', content: said, ...spoken('user', metadata) }]
}

function spoken(
  role: 'user' | 'agent',
  metadata: Fields,
): Pick<PiPart, 'entry_type' | 'role' | 'metadata'> {
  return {
    entry_type: 'message',
    role,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

function answerParts(message: Fields): readonly PiPart[] {
  const { content, model, errorMessage } = message
  const named = typeof model === 'string' ? { model } : {}
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  const parts = blocks.map((block): PiPart => answerPart(block, named))
  if (parts.length === 0) {
    const words = typeof errorMessage === 'string' ? errorMessage : ''
    const failed = words === '' ? {} : { error: true }
    parts.push({
      from: 'pi',
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

function answerPart(block: unknown, named: Fields): PiPart {
  const base = { from: 'pi', to: 'user' }
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
      from: 'pi',
      to: typeof name === 'string' && name !== '' ? name : 'tool',
      content: typeof args === 'string' ? args : args == null ? '' : JSON.stringify(args),
      entry_type: 'tool_call',
      ...(typeof id === 'string' ? { tool_call_id: id } : {}),
      ...kept,
    }
  return { ...base, content: '', ...spoken('agent', { ...named, attachments: [block] }) }
}

function resultOf({ toolCallId, toolName, content, isError }: Fields): PiPart {
  const { words, images, others } = textOf(content)
  const metadata = {
    ...(isError === true ? { is_error: true } : {}),
    ...(images.length === 0 ? {} : { images }),
    ...(others.length === 0 ? {} : { attachments: others }),
  }
  return {
    from: typeof toolName === 'string' && toolName !== '' ? toolName : 'tool',
    to: 'pi',
    content: words,
    entry_type: 'tool_result',
    ...(typeof toolCallId === 'string' ? { tool_call_id: toolCallId } : {}),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

/** A command that the person ran in pi, with its output. */
function ownCommand({ command, output }: Fields): PiPart {
  const lines = [`$ ${typeof command === 'string' ? command : ''}`, output]
  const content = lines.filter((line) => typeof line === 'string' && line !== '').join('\n')
  const metadata = { injected: true, raw_type: 'bashExecution' }
  return { from: 'user', to: 'pi', content, ...spoken('user', metadata) }
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

/** Reads the usage of a reply. Tokens that went to the cache and came from it were sent too; pi counts them apart. */
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
