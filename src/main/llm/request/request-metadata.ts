import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Scrub } from '../../settings/base/scrub'
import { redactRequest } from '../../store/texts/request-log'
import { isOfResponses } from './chat-form'
import type { RequestBody } from './request-body'

/** The facts that an answer's entry keeps of its request, as `metadata.request`. */
export const RequestMetadata = z.object({
  /** The first 32 hex digits of the SHA-256 of what a log would say of it, with sorted keys. */
  digest: z.string(),
  /** The names of the tools that were offered, in their order. */
  tools: z.array(z.string()),
  /** All that is neither model, messages, tools nor `stream`. */
  parameters: z.record(z.string(), z.unknown()),
  /** The model that was asked, where another one says that it answered. */
  model: z.string().optional(),
  /** Host and port of the server: its returned fields went back to it. */
  server: z.string().optional(),
  /** Words of one speaker in a row were one message, and calls without words had `content: null`. Absent: neither. */
  joined: z.literal(true).optional(),
  /** The API in which it went out; absent: chat completions. */
  api: z.literal('responses').optional(),
})
export type RequestMetadata = z.infer<typeof RequestMetadata>

const plain: Scrub = (text) => text

/**
 * Returns what an entry keeps of a request as it went out; undefined where it is no JSON once the key is out of it.
 * Costs a pass over its JSON and a digest.
 */
export function requestMetadata(
  body: RequestBody,
  scrub: Scrub = plain,
  server?: string,
): RequestMetadata | undefined {
  const record = scrubbedRequest(body, scrub)
  if (record === undefined) return undefined
  const { model, tools, stream: _, ...others } = record
  const isItems = isOfResponses(record)
  const { [isItems ? 'input' : 'messages']: __, ...parameters } = others
  return {
    digest: digestOfRequest(record),
    tools: toolNames(tools),
    parameters,
    ...(typeof model === 'string' ? { model } : {}),
    ...(server === undefined ? {} : { server }),
    joined: true,
    ...(isItems ? { api: 'responses' } : {}),
  }
}

/** Leaves the model out where it is the one that answered. */
export function requestMetadataFor(
  { model, ...others }: RequestMetadata,
  answering: string,
): RequestMetadata {
  return model === undefined || model === answering ? others : { ...others, model }
}

/** Returns a request as the log records it; undefined where it is no JSON once the key is out of it. */
export function scrubbedRequest(
  body: object,
  scrub: Scrub = plain,
): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(redactRequest(body, scrub))
  } catch {
    return undefined
  }
}

/** Returns the digest of a request: 32 hex digits, the same whatever the order of keys and the spacing. */
export function digestOfRequest(request: unknown): string {
  return digestOfText(canonicalJson(request))
}

/** Returns the digest of canonical JSON, given in pieces: the first 32 hex digits of its SHA-256. */
export function digestOfText(...pieces: readonly string[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex').slice(0, 32)
}

/** Writes compact JSON with the keys of every object sorted by their UTF-16 units. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}

function toolNames(tools: unknown): string[] {
  if (!Array.isArray(tools)) return []
  return tools.map((tool) => String(tool?.function?.name ?? tool?.name ?? ''))
}
