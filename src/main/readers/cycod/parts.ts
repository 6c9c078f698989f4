import { z } from 'zod'
import type { NamelessEntry } from '../common/value-meaning'

/** A piece of a message. */
export type CycodPart =
  | { readonly type: 'text'; readonly text: string }
  /** Belongs to the text around it. */
  | { readonly type: 'attached'; readonly key: 'images' | 'attachments'; readonly value: unknown }
  | { readonly type: 'entry'; readonly entry: Omit<NamelessEntry, 'timestamp'> }

const Text = z.object({ text: z.string() })
const ImageUrl = z.object({
  type: z.literal('image_url'),
  image_url: z.union([
    z.string().transform((url) => ({ url })),
    z.looseObject({ url: z.string() }),
  ]),
})

/** Converts a part of a `content` list, in OpenAI's shape. */
export function contentPart(part: unknown): CycodPart {
  if (typeof part === 'string') return { type: 'text', text: part }
  const image = ImageUrl.safeParse(part).data
  if (image !== undefined) return { type: 'attached', key: 'images', value: image.image_url }
  const words = Text.safeParse(part).data
  return words === undefined ? attachment(part) : { type: 'text', text: words.text }
}

const ToolCall = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
})

/**
 * Converts a member of `tool_calls`, in OpenAI's shape; `arguments` is a string in what cycod writes, an object
 * elsewhere.
 */
export function toolCallPart(call: unknown): CycodPart {
  const known = ToolCall.safeParse(call).data
  if (known === undefined) return unknownCall(call)
  const { id, function: called } = known
  return callPart(id, called.name, called.arguments)
}

const FunctionCall = z.object({
  $type: z.literal('functionCall'),
  callId: z.string().nullish(),
  name: z.string(),
  arguments: z.unknown().optional(),
})
const FunctionResult = z.object({
  $type: z.literal('functionResult'),
  callId: z.string().nullish(),
  result: z.unknown().optional(),
})
const Reasoning = Text.extend({ $type: z.literal('reasoning') })
const Linked = z.object({
  $type: z.enum(['data', 'uri', 'image']),
  uri: z.string(),
  mediaType: z.string().nullish(),
})

/** Converts a member of `contents`, in the shape of Microsoft.Extensions.AI. */
export function partsOfContents(part: unknown): CycodPart {
  const call = FunctionCall.safeParse(part).data
  if (call !== undefined) return callPart(call.callId, call.name, call.arguments)
  const result = FunctionResult.safeParse(part).data
  if (result !== undefined) return resultPart(result.callId, result.result)
  const reasoning = Reasoning.safeParse(part).data
  if (reasoning !== undefined)
    return entryPart({
      from: 'cycod',
      to: 'user',
      entry_type: 'reasoning',
      content: reasoning.text,
    })
  const words = Text.safeParse(part).data
  if (words !== undefined) return { type: 'text', text: words.text }
  const linked = Linked.safeParse(part).data
  const kind = linked?.mediaType ?? (linked?.uri.startsWith('data:image/') ? 'image/' : '')
  if (linked === undefined || !kind.startsWith('image/')) return attachment(part)
  return { type: 'attached', key: 'images', value: { url: linked.uri } }
}

function callPart(id: string | null | undefined, name: string, args: unknown): CycodPart {
  return entryPart({
    from: 'cycod',
    to: name || 'tool',
    content: jsonText(args),
    entry_type: 'tool_call',
    ...(id == null ? {} : { tool_call_id: id }),
  })
}

function resultPart(id: string | null | undefined, result: unknown): CycodPart {
  return entryPart({
    from: 'tool',
    to: 'cycod',
    content: jsonText(result),
    entry_type: 'tool_result',
    ...(id == null ? {} : { tool_call_id: id }),
  })
}

/** A call of another kind is still a call; its content is kept as it is. */
function unknownCall(call: unknown): CycodPart {
  const { id, type } = z.looseObject({}).safeParse(call).data ?? {}
  return entryPart({
    from: 'cycod',
    to: 'tool',
    content: jsonText(call),
    entry_type: 'tool_call',
    metadata: { raw_type: typeof type === 'string' ? type : '' },
    ...(typeof id === 'string' ? { tool_call_id: id } : {}),
  })
}

function entryPart(entry: Omit<NamelessEntry, 'timestamp'>): CycodPart {
  return { type: 'entry', entry }
}

function attachment(value: unknown): CycodPart {
  return { type: 'attached', key: 'attachments', value }
}

/** A text as it is; anything else as JSON, in which numbers beyond 2^53 are rounded: the source line has them exactly. */
function jsonText(value: unknown): string {
  if (typeof value === 'string') return value
  return value == null ? '' : JSON.stringify(value)
}
