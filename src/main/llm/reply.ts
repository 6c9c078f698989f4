import type { EntryDraft, EntryId } from '../../shared/model/entry'
import type { Interruption } from '../../shared/model/run'
import type { AskedCall, FinishReason, ProviderEvent, Usage } from './provider'
import { type KeptRequest, keptRequest } from './sent/digest'

/** What came of an answer so far. */
export interface Reply {
  readonly id: EntryId
  readonly content: string
  readonly reasoning: string
  /** The model that answers, or that was asked while nothing tells. */
  readonly model: string
  readonly usage?: Usage
  readonly calls: readonly AskedCall[]
  /** Tools were meant to be offered, and the provider refused them. */
  readonly withoutTools?: true
  /** Parameters of the request that the provider refused. */
  readonly withoutParameters?: readonly string[]
  /** Those of them that went out under another name. */
  readonly renamed?: Readonly<Record<string, string>>
  /** What is kept of the request; known when the answer begins. */
  readonly request?: KeptRequest | undefined
  readonly finish?: FinishReason
  /** Content came, perhaps of nothing but the leading line feed that is left out. */
  readonly begun: boolean
}

export function emptyReply(id: EntryId, model: string): Reply {
  return { id, content: '', reasoning: '', model, calls: [], begun: false }
}

/**
 * Takes one event in, and gives the text that is new in the reply by it.
 *
 * One line feed at the start of the content is left out, as chibi does: some models always begin with one.
 */
export function hear(
  reply: Reply,
  event: ProviderEvent,
): { readonly reply: Reply; readonly added: string } {
  switch (event.type) {
    case 'content': {
      const added = reply.begun ? event.text : event.text.replace(/^\n/, '')
      return { reply: { ...reply, content: reply.content + added, begun: true }, added }
    }
    case 'reasoning':
      return { reply: { ...reply, reasoning: reply.reasoning + event.text }, added: event.text }
    case 'model':
      return { reply: { ...reply, model: event.model }, added: '' }
    case 'without-tools':
      return { reply: { ...reply, withoutTools: true }, added: '' }
    case 'without-parameter': {
      const names = [...(reply.withoutParameters ?? []), event.name]
      const renamed = event.as && { renamed: { ...reply.renamed, [event.name]: event.as } }
      return { reply: { ...reply, withoutParameters: names, ...renamed }, added: '' }
    }
    case 'usage':
      return { reply: { ...reply, usage: { ...reply.usage, ...event.usage } }, added: '' }
    case 'calls':
      return { reply: { ...reply, calls: event.calls }, added: '' }
    case 'finish':
      return { reply: { ...reply, finish: event.reason }, added: '' }
  }
}

/** Whether there is nothing in it that a person could read. */
export function isEmpty(reply: Reply): boolean {
  return reply.content.trim() === '' && reply.reasoning.trim() === ''
}

/** The entry that a reply becomes: chibi's shape, with the role of its later versions. */
export function replyEntry(
  reply: Reply,
  context: string,
  timestamp: number,
  interrupted?: Interruption,
): EntryDraft {
  return {
    id: reply.id,
    timestamp,
    from: context,
    to: 'user', // Not the username: by this chibi up to 0.9 tells the model's words.
    content: reply.content,
    entry_type: 'message',
    metadata: {
      ...factsOf(reply),
      ...(interrupted === undefined ? {} : { interrupted }),
    },
    role: 'agent',
  }
}

/** What is kept of a reply beside its words. */
export function factsOf(reply: Reply): Readonly<Record<string, unknown>> {
  return {
    model: reply.model,
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    ...(reply.reasoning === '' ? {} : { reasoning: reply.reasoning }),
    ...(reply.finish === 'length' || reply.finish === 'filtered' ? { finish: reply.finish } : {}),
    ...(reply.withoutTools === true ? { without_tools: true } : {}),
    ...(reply.withoutParameters === undefined
      ? {}
      : { without_parameters: reply.withoutParameters }),
    ...(reply.request === undefined ? {} : { request: keptRequest(reply.request, reply.model) }),
  }
}
