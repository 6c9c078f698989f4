import type { Citation } from '../../../shared/model/conversation/citations'
import type { EntryDraft, EntryId } from '../../../shared/model/conversation/entry'
import { separateThoughts } from '../../../shared/model/conversation/thoughts'
import type { Adaptation } from '../../../shared/model/run/adaptations'
import type { Interruption } from '../../../shared/model/run/run'
import type {
  AnswerMedia,
  FinishReason,
  ProviderEvent,
  RequestedCall,
  ReturnedFields,
  Usage,
} from '../chat/provider'
import { type RequestMetadata, requestMetadataFor } from '../request/request-metadata'
import type { MediaFacts } from './answer-media'

/** The answer so far. */
export interface Reply {
  readonly id: EntryId
  readonly content: string
  readonly reasoning: string
  /** The model that answers, or the one that was asked while that is not known. */
  readonly model: string
  readonly usage?: Usage
  readonly calls: readonly RequestedCall[]
  /** Tools were meant to be offered, and the provider refused them. */
  readonly withoutTools?: true
  /** Parameters of the request that the provider refused. */
  readonly withoutParameters?: readonly string[]
  /** Those of them that went out under another name. */
  readonly renamed?: Readonly<Record<string, string>>
  /** The ways in which the messages were changed for the server. */
  readonly adapted?: readonly Adaptation[]
  /** The metadata kept of the request; known when the answer begins. */
  readonly request?: RequestMetadata | undefined
  readonly finish?: FinishReason
  /** The provider's own word for the end of an answer that is not whole. */
  readonly finishWord?: string
  /** Pages that it cites; `[1]` is the first. */
  readonly citations: readonly Citation[]
  /** Images, sounds and files that came with it. */
  readonly media: readonly AnswerMedia[]
  /** The fields that go back with it to its server. */
  readonly returned?: ReturnedFields
  /** Host and port of the server that requested the calls. */
  readonly server?: string | undefined
  /** Content came, perhaps of nothing but the leading line feed that is left out. */
  readonly begun: boolean
}

/** Returns an answer of which nothing came yet. `id` is that of its entry; `model` the one that is asked. */
export function emptyReply(id: EntryId, model: string): Reply {
  return {
    id,
    content: '',
    reasoning: '',
    model,
    calls: [],
    citations: [],
    media: [],
    begun: false,
  }
}

/**
 * Adds one event to the reply, and returns the text that is new in it.
 *
 * A line feed at the start of the content is left out, as in chibi: some models always begin with one.
 */
export function applyEvent(
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
    case 'parted':
      return { reply: { ...reply, ...separateThoughts(reply) }, added: '' }
    case 'model':
      return { reply: { ...reply, model: event.model }, added: '' }
    case 'without-tools':
      return { reply: { ...reply, withoutTools: true }, added: '' }
    case 'without-parameter': {
      const names = [...(reply.withoutParameters ?? []), event.name]
      const renamed = event.as && { renamed: { ...reply.renamed, [event.name]: event.as } }
      return { reply: { ...reply, withoutParameters: names, ...renamed }, added: '' }
    }
    case 'adapted':
      return { reply: { ...reply, adapted: [...(reply.adapted ?? []), event.way] }, added: '' }
    case 'usage':
      return { reply: { ...reply, usage: { ...reply.usage, ...event.usage } }, added: '' }
    case 'calls':
      return { reply: { ...reply, calls: event.calls, server: event.server }, added: '' }
    case 'citations':
      return { reply: { ...reply, citations: event.citations }, added: '' }
    case 'media':
      return { reply: { ...reply, media: event.media }, added: '' }
    case 'returned':
      return { reply: { ...reply, returned: event.returned }, added: '' }
    case 'finish': {
      const { reason: finish, word } = event
      const finishWord = word === undefined ? {} : { finishWord: word }
      return { reply: { ...reply, finish, ...finishWord }, added: '' }
    }
  }
}

/** Returns true where a reply has no text, no thoughts and no media. */
export function isEmpty({ content, reasoning, media }: Reply): boolean {
  return content.trim() === '' && reasoning.trim() === '' && media.length === 0
}

/** Returns the entry of a reply: chibi's shape, with the role of its later versions. */
export function replyEntry(
  reply: Reply,
  context: string,
  timestamp: number,
  interrupted?: Interruption,
  media: MediaFacts = {},
): EntryDraft {
  return {
    id: reply.id,
    timestamp,
    from: context,
    to: 'user', // Not the username: by this chibi up to 0.9 knows the model's messages.
    content: reply.content,
    entry_type: 'message',
    metadata: {
      ...replyMetadata(reply),
      ...media,
      ...(interrupted === undefined ? {} : { interrupted }),
    },
    role: 'agent',
  }
}

/** Returns the metadata that is kept of a reply. */
export function replyMetadata(reply: Reply): Readonly<Record<string, unknown>> {
  return {
    model: reply.model,
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    ...(reply.reasoning === '' ? {} : { reasoning: reply.reasoning }),
    ...finishFacts(reply),
    ...(reply.citations.length === 0 ? {} : { citations: reply.citations }),
    ...(reply.returned === undefined ? {} : { returned: reply.returned }),
    ...(reply.withoutTools === true ? { without_tools: true } : {}),
    ...(reply.withoutParameters === undefined
      ? {}
      : { without_parameters: reply.withoutParameters }),
    ...(reply.adapted === undefined ? {} : { adapted: reply.adapted }),
    ...(reply.request === undefined
      ? {}
      : { request: requestMetadataFor(reply.request, reply.model) }),
  }
}

/** Returns true where the server ended the answer itself, at no limit and without holding text back. */
export function isCompleteReply({ finish }: Pick<Reply, 'finish'>): boolean {
  return finish !== 'length' && finish !== 'filtered' && finish !== 'broken'
}

/** Marks an answer that is not whole though its stream ended, with its provider's own word for it. */
function finishFacts(reply: Reply): Readonly<Record<string, unknown>> {
  if (isCompleteReply(reply)) return {}
  const { finish, finishWord } = reply
  return { finish, ...(finishWord === undefined ? {} : { finish_word: finishWord }) }
}
