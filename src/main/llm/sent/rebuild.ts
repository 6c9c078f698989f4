import type { Entry } from '../../../shared/model/conversation/entry'
import type { Adaptation } from '../../../shared/model/run/adaptations'
import type { Scrub } from '../../settings/base/scrub'
import { adaptMessages, adaptTracedMessages } from '../adapting/adapt-messages'
import type { TracedMessage } from '../chat/traced-message'
import { messagesApart, tracedMessages } from '../prompt/messages'
import type { WireRequest } from '../request/chat-form'
import { type ImagesOf, withoutImages } from '../request/images'
import { chatBody, chatMessagesJson } from '../request/request-body'
import {
  canonicalJson,
  digestOfRequest,
  digestOfText,
  type RequestMetadata,
  scrubbedRequest,
} from '../request/request-metadata'
import { responsesTool, systemItem } from '../responses/body'
import { inputItems } from '../responses/items'

/** A tool as it was offered; one that no longer exists has only its name. */
export interface KnownTool {
  readonly name: string
  readonly description?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** Everything that a request is rebuilt from. */
export interface RebuildInput {
  /** The window right before the answer. */
  readonly window: readonly Entry[]
  readonly images: ImagesOf
  readonly model: string | undefined
  readonly parameters: Readonly<Record<string, unknown>>
  /** The tools as they may have been offered, the likeliest first; none where no tool was. */
  readonly tools: readonly (readonly KnownTool[])[]
  /** The provider refused images: words stood in their place. */
  readonly isWithoutImages: boolean
  /** The provider refused to be sent thoughts and signatures again. */
  readonly isWithoutThoughts: boolean
  /** The ways in which the messages were changed for the server. */
  readonly adapted: readonly Adaptation[]
  readonly kept: RequestMetadata | undefined
  readonly scrub: Scrub
}

/** A request that was rebuilt. `exact`: its digest is the kept one; `unknown`: no digest was kept. */
export interface RebuiltRequest {
  readonly request: WireRequest
  /** The entries of each message. */
  readonly entryIds: readonly TracedMessage['entryIds'][]
  readonly match: 'exact' | 'different' | 'unknown'
}

/** Trying all that might be must not take longer than reading the log would. */
const mostDigestedBytes = 256 * 1024 * 1024
/** After so many others have their turn: digests are work without a pause. */
const digestedAtOnce = 8 * 1024 * 1024

/**
 * Rebuilds a request, trying one system message after the other until the digest fits. Where none does, or no digest
 * is kept, it takes the first. Digests at most 256 MB, and pauses after each 8 MB.
 *
 * @param systems '' is none
 */
export async function rebuildRequest(
  input: RebuildInput,
  systems: AsyncIterable<string>,
): Promise<RebuiltRequest | undefined> {
  const { window, images, kept } = input
  const trace = isApart(kept) ? messagesApart : tracedMessages
  const server = input.isWithoutThoughts ? undefined : kept?.server
  const traced = trace(bare(window), {}, images, server)
  const bodies = (input.tools.length === 0 ? [[]] : input.tools).map((tools) =>
    bodyOf(input, traced, tools),
  )
  const match = input.adapted.length === 0 ? matcher : adaptedMatcher(input.adapted)
  const keys = kept === undefined ? [] : bodies.map((body) => match(body, input.scrub))
  let first: string | undefined
  let digested = 0
  let sincePause = 0
  for await (const system of systems) {
    first ??= system
    if (kept === undefined) break
    for (const [index, key] of keys.entries()) {
      const body = bodies[index]
      if (body === undefined || key === undefined) continue
      digested += key.size
      sincePause += key.size
      if (key.digestWith(system) === kept.digest)
        return result(input, body, system, traced, 'exact')
    }
    if (digested > mostDigestedBytes) break
    if (sincePause < digestedAtOnce) continue
    sincePause = 0
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [body] = bodies
  if (body === undefined) return undefined
  const outcome = kept === undefined ? 'unknown' : 'different'
  return result(input, body, first ?? '', traced, outcome)
}

/** Returns the messages of a window as they go out, without a system message, each with its entries. */
export function wireMessages(
  window: readonly Entry[],
  images: ImagesOf,
  kept: RequestMetadata | undefined,
): readonly (Pick<TracedMessage, 'entryIds'> & { readonly message: object })[] {
  const trace = isApart(kept) ? messagesApart : tracedMessages
  const traced = trace(bare(window), {}, images, kept?.server)
  const all = chatMessagesJson(traced.map(({ message }) => message))
  const messages = isApart(kept) ? all.map(withoutNull) : all
  return traced.map(({ entryIds }, index) => ({ entryIds, message: messages[index] ?? {} }))
}

/** A request without its system message, which is tried: all but its list of messages or items, and that list. */
interface Body {
  readonly others: WireRequest
  readonly key: 'messages' | 'input'
  readonly list: readonly object[]
}

/** An answer of chibi's, or from before messages were joined. */
function isApart(kept: RequestMetadata | undefined): boolean {
  return kept?.joined === undefined
}

/** Calls without words had no `content` then. */
function withoutNull(message: object): object {
  if (!('content' in message) || message.content !== null) return message
  const { content: _, ...others } = message
  return others
}

/** Leaves out the summary of a window's anchor: the system message is given apart. */
function bare(window: readonly Entry[]): readonly Entry[] {
  return window.map((entry, index) => {
    if (index > 0 || entry.metadata?.summary === undefined) return entry
    const { summary: _, ...metadata } = entry.metadata
    return { ...entry, metadata }
  })
}

function bodyOf(
  { model = '', parameters, isWithoutImages, kept }: RebuildInput,
  traced: readonly TracedMessage[],
  tools: readonly KnownTool[],
): Body {
  const all = traced.map(({ message }) => message)
  const messages = isWithoutImages ? (withoutImages(all) ?? all) : all
  const isItems = kept?.api === 'responses'
  const { messages: list, ...others } = chatBody({ model, messages, parameters })
  const toolsJson = isItems
    ? tools.map(responsesTool)
    : tools.map((tool) => ({ type: 'function', function: tool }))
  return {
    others: { ...others, ...(tools.length === 0 ? {} : { tools: toolsJson }) },
    key: isItems ? 'input' : 'messages',
    list: isItems ? inputItems(messages) : isApart(kept) ? list.map(withoutNull) : list,
  }
}

function result(
  { adapted, scrub }: RebuildInput,
  { others, key, list }: Body,
  system: string,
  traced: readonly TracedMessage[],
  match: RebuiltRequest['match'],
): RebuiltRequest {
  const head = headOf(key, system).map((message) => ({ message, entryIds: [] }))
  if (key === 'input') {
    const whole = { ...others, input: [...head.map(({ message }) => message), ...list] }
    return {
      request: scrubbedRequest(whole, scrub) ?? whole,
      entryIds: [...head, ...traced].map(({ entryIds }) => entryIds),
      match,
    }
  }
  const conversation = traced.map(({ entryIds }, index) => ({
    message: list[index] ?? {},
    entryIds,
  }))
  const messages = adaptTracedMessages([...head, ...conversation], adapted)
  const whole = { ...others, messages: messages.map(({ message }) => message) }
  return {
    request: scrubbedRequest(whole, scrub) ?? whole,
    entryIds: messages.map(({ entryIds }) => entryIds),
    match,
  }
}

function headOf(key: Body['key'], system: string): readonly object[] {
  return system === '' ? [] : [systemIn(key, system)]
}

function systemIn(key: Body['key'], content: string): object {
  return key === 'input' ? systemItem(content) : { role: 'system', content }
}

/**
 * Gives the same as `matcher`, where a system message may change those behind it: each digest costs the whole
 * request.
 */
function adaptedMatcher(ways: readonly Adaptation[]): typeof matcher {
  return (body, scrub) => {
    const { others, key, list } = body
    if (key === 'input') return matcher(body, scrub)
    return {
      size: canonicalJson(list).length,
      digestWith(system) {
        const messages = adaptMessages([...headOf(key, system), ...list], ways)
        const record = scrubbedRequest({ ...others, messages }, scrub)
        return record === undefined ? '' : digestOfRequest(record)
      },
    }
  }
}

/** The digests of a request with one system message or another, each for little more than the digest itself. */
function matcher({ others: fields, key: name, list: items }: Body, scrub: Scrub) {
  const record = scrubbedRequest({ ...fields, [name]: items }, scrub)
  if (record === undefined) return undefined
  const { [name]: kept, ...others } = record
  const list = canonicalJson(kept)
  // Keys are sorted: some come before the list, some behind.
  const parted = (isWanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(others).filter(([key]) => isWanted(key)))
  const before = canonicalJson(parted((key) => key < name)).slice(1, -1)
  const behind = canonicalJson(parted((key) => key > name)).slice(1, -1)
  const head = `{${before}${before === '' ? '' : ','}"${name}":[`
  const rest = list.slice(1)
  const tail = `${behind === '' ? '' : ','}${behind}}`
  return {
    size: list.length + tail.length,
    digestWith(system: string): string {
      if (system === '') return digestOfText(head, rest, tail)
      const message = scrubbedRequest(systemIn(name, system), scrub)
      const first = `${canonicalJson(message)}${rest === ']' ? '' : ','}`
      return digestOfText(head, first, rest, tail)
    },
  }
}
