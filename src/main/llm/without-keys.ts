import type { PieceScrub, Scrub } from '../settings/scrub'
import type { AskedCall, ProviderEvent } from './provider'

/**
 * An answer without the keys that its endpoint repeats in it, wherever they are cut between its pieces: a server that is
 * asked by somebody else's gateway shows requests whole, and a model may have been told one.
 *
 * The end of a piece that may be the beginning of a key waits for the next one, or for the end of the answer, also where
 * that is a failure.
 */
export async function* withoutKeys(
  answer: AsyncIterable<ProviderEvent>,
  scrub: Scrub,
  pieces: () => PieceScrub,
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
          yield { type: 'calls', calls: event.calls.map((call) => withoutKeysIn(call, scrub)) }
          break
        case 'finish':
          yield* rest()
          yield event
          break
        default:
          yield event
      }
  } catch (error) {
    yield* rest()
    throw error
  }
}

function withoutKeysIn({ id, name, arguments: text }: AskedCall, scrub: Scrub): AskedCall {
  return {
    ...(id === undefined ? {} : { id: scrub(id) }),
    name: scrub(name),
    arguments: scrub(text),
  }
}
