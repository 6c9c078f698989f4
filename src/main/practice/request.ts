import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { sequenceFault } from './sequence'

/** A refusal, in OpenAI's shape. */
export interface PracticeRefusal {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code: string | null
  readonly headers?: Readonly<Record<string, string>>
}

const Content = z.union([
  z.string(),
  z.null(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
])

/** The parts of a chat completion request that matter here. */
const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z
    .array(
      z.looseObject({
        role: z.string(),
        content: Content.optional(),
        tool_calls: z
          .array(
            z.looseObject({
              id: z.string(),
              function: z.looseObject({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
        tool_call_id: z.string().optional(),
      }),
    )
    .min(1),
  tools: z.array(z.looseObject({ type: z.literal('function') })).optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
})

/** A question to the practice model: the parts of a request that matter here. */
export interface PracticeQuestion {
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  /** The person's last message. */
  readonly text: string
  /** The number of the person's messages, this one included. */
  readonly turns: number
  readonly offersTools: boolean
  /** The number of rounds of calls since the person's last message, and the last results. */
  readonly rounds: number
  readonly results: readonly string[]
  /** The same for the same conversation: repeated requests are counted by it. */
  readonly fingerprint: string
  readonly promptTokens: number
}

// A window of the longest context that any model takes is some 4 MB.
const bodyLimitBytes = 32 * 1024 * 1024

/** Reads a request's whole body; a refusal where it is larger than 32 MiB or of another type than JSON. */
export async function readBody(request: IncomingMessage): Promise<string | PracticeRefusal> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return invalidRequest(415, 'The body must be application/json.')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > bodyLimitBytes) return invalidRequest(413, 'The request is larger than 32 MB.')
  }
  return Buffer.concat(pieces).toString()
}

/** Parses a body; a refusal where it is no valid request. */
export function parseQuestion(
  body: string,
  models: readonly string[],
): PracticeQuestion | PracticeRefusal {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return invalidRequest(400, 'The body is not JSON.')
  }
  const parsed = ChatRequest.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return invalidRequest(
      400,
      `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not understood'}`,
    )
  }
  const { model, messages, tools = [], stream, stream_options } = parsed.data
  if (!models.includes(model))
    return {
      status: 404,
      message: `The model "${model}" does not exist here; there is "${models.join('", "')}".`,
      type: 'invalid_request_error',
      code: 'model_not_found',
    }
  const fault = sequenceFault(messages)
  if (fault !== undefined) return invalidRequest(400, fault)
  const since = messages.slice(messages.map(({ role }) => role).lastIndexOf('user') + 1)
  const called = since.map(({ tool_calls }) => tool_calls !== undefined)
  const texts = messages.map(({ role, content }) => ({ role, text: textOf(content) }))
  const written = texts.filter(({ role }) => role === 'user')
  const length = texts.reduce((sum, { text }) => sum + text.length, 0)
  return {
    model,
    stream: stream === true,
    includeUsage: stream_options?.include_usage === true,
    text: lastWords(written.at(-1)?.text ?? ''),
    turns: written.length,
    offersTools: tools.length > 0,
    rounds: called.filter(Boolean).length,
    results: since
      .slice(called.lastIndexOf(true) + 1)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textOf(content)),
    fingerprint: `${messages.length} ${length} ${written.at(-1)?.text ?? ''}`,
    promptTokens: Math.ceil(length / 4),
  }
}

/**
 * Returns the last message of the person. A message that was not answered goes out once more before it, in one
 * message with it, and a command in that is not meant again: where there is one, only the text behind the last blank
 * line counts.
 */
function lastWords(text: string): string {
  const parts = text.trimEnd().split(/\n\n+/)
  const isCommand = (part: string) => /(^|\s)\/[a-z]/.test(part)
  return parts.length > 1 && isCommand(parts.slice(0, -1).join('\n\n'))
    ? (parts.at(-1) ?? '')
    : text
}

/** Returns the refusal of an invalid request. */
export function invalidRequest(
  status: number,
  message: string,
  code: string | null = null,
): PracticeRefusal {
  return { status, message, type: 'invalid_request_error', code }
}

function textOf(content: z.output<typeof Content> | undefined): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('')
}
