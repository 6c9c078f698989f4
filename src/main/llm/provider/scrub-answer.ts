import type { Scrub, StreamScrub } from '../../settings/base/scrub'
import type { AnswerMedia, ProviderEvent, RequestedCall } from '../chat/provider'

/**
 * Removes from an answer the keys that its server repeats in it, also where pieces cut them in two: behind another
 * party's gateway a server may show whole requests, and a model may know a key from its prompt.
 *
 * The end of a piece that may be the beginning of a key waits for the next piece, or for the end of the answer, also
 * where that is a failure.
 */
export async function* scrubAnswer(
  answer: AsyncIterable<ProviderEvent>,
  scrub: Scrub,
  pieces: () => StreamScrub,
): AsyncGenerator<ProviderEvent, void, void> {
  const texts = { reasoning: pieces(), content: pieces() }
  function* rest(): Generator<ProviderEvent, void, void> {
    for (const type of ['reasoning', 'content'] as const) {
      const text = texts[type].end()
      if (text !== '') yield { type, text }
    }
  }
  try {
    for await (const event of answer)
      switch (event.type) {
        case 'content':
        case 'reasoning': {
          const text = texts[event.type].push(event.text)
          if (text !== '') yield { type: event.type, text }
          break
        }
        case 'model':
          yield { type: 'model', model: scrub(event.model) }
          break
        case 'calls':
          yield* rest()
          yield { ...event, calls: event.calls.map((call) => withoutKeysIn(call, scrub)) }
          break
        case 'finish':
          yield* rest()
          yield scrubbedJson(event, scrub)
          break
        case 'media':
          yield { type: 'media', media: event.media.map((one) => withoutKeysOf(one, scrub)) }
          break
        case 'parted':
          yield* rest()
          yield event
          break
        case 'citations':
        case 'returned':
          yield scrubbedJson(event, scrub)
          break
        default:
          yield event
      }
  } catch (error) {
    yield* rest()
    throw error
  }
}

function withoutKeysIn(
  { id, name, arguments: text, extra }: RequestedCall,
  scrub: Scrub,
): RequestedCall {
  return {
    ...(extra === undefined ? {} : { extra: scrubbedJson(extra, scrub) }),
    ...(id === undefined ? {} : { id: scrub(id) }),
    name: scrub(name),
    arguments: scrub(text),
  }
}

/**
 * Removes keys from media. A file with a key in its bytes keeps its form: the key's bytes are replaced, not
 * characters of their base64.
 */
function withoutKeysOf({ url, name, ...media }: AnswerMedia, scrub: Scrub): AnswerMedia {
  return {
    ...media,
    url: withoutKeysInUrl(url, scrub),
    ...(name === undefined ? {} : { name: scrub(name) }),
  }
}

function withoutKeysInUrl(url: string, scrub: Scrub): string {
  const clean = scrub(url)
  const [, head, data] = /^(data:[^,]*;base64,)(.*)$/is.exec(url) ?? []
  if (clean === url || head === undefined || data === undefined) return clean
  const text = scrub(Buffer.from(data, 'base64').toString('latin1'))
  return `${scrub(head)}${Buffer.from(text, 'latin1').toString('base64')}`
}

/** The same value with the keys out of each of its texts and names. */
function scrubbedJson<T>(value: T, scrub: Scrub): T {
  // Walks what JSON.parse gave or an event of ours: its form stays what it is.
  return walk(value, scrub) as T
}

function walk(value: unknown, scrub: Scrub): unknown {
  if (typeof value === 'string') return scrub(value)
  if (Array.isArray(value)) return value.map((one) => walk(one, scrub))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [scrub(key), walk(one, scrub)]),
  )
}
