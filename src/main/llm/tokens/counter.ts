import { createHash } from 'node:crypto'
import type { TokenCount } from '../../../shared/model/run/sent'
import { type EncodingName, encodingOf } from './encoding'
import { tokensOfText } from './estimate'
import type { AskTokens } from './questions'

/**
 * Counter of the tokens of texts for one model.
 *
 *     const { countedBy, count } = tokenizers.counterFor('openai/gpt-5-mini')
 *     const tokens = await count(JSON.stringify(message))
 */
export interface TokenCounter {
  readonly countedBy: TokenCount
  /** Text that spells a control token is plain text. Never rejects: what cannot be counted is estimated. */
  count(text: string): Promise<number>
  /** The same for many at once, which is far cheaper than one by one; in their order. */
  countAll(texts: readonly string[]): Promise<readonly number[]>
}

/** The tokenizers of models. */
export interface Tokenizers {
  /** The model's own, where it is known; else chibi's rule of thumb. Cheap: nothing is loaded before it counts. */
  counterFor(model: string | undefined): TokenCounter
}

/** The estimate: the bytes of a text divided by 4, as in chibi. */
export const estimateCounter: TokenCounter = {
  countedBy: { by: 'estimate' },
  count: async (text) => tokensOfText(text),
  countAll: async (texts) => texts.map(tokensOfText),
}

/** A count takes some 150 bytes. */
const mostKept = 20_000
/** Characters of a text below which the digest costs as much as the count. */
const shortText = 64

/**
 * Returns tokenizers that remember up to 20,000 counts. They are kept by text, not by entry: the prompt, the tools
 * and a branch's copies are known as well, and two entries of the same id in a file count right. A window that grows
 * costs only its new entries.
 *
 * @param ask counts what is not known; where it rejects the text is estimated, and `note` hears why
 */
export function openTokenizers(ask: AskTokens, note: (words: string) => void): Tokenizers {
  const counts = new Map<string, number>()

  function keep(key: string, tokens: number): void {
    const [oldest] = counts.keys()
    if (counts.size >= mostKept && oldest !== undefined) counts.delete(oldest)
    counts.set(key, tokens)
  }

  async function countAll(
    encoding: EncodingName,
    texts: readonly string[],
  ): Promise<readonly number[]> {
    const keys = texts.map((text) => keyOf(encoding, text))
    const unknown = new Map<string, string>()
    // Here, not in `counts`, which may lose them to newer ones before they are given.
    const found = new Map<string, number>()
    texts.forEach((text, at) => {
      const key = keys[at] ?? ''
      const known = text === '' ? 0 : counts.get(key)
      if (known === undefined) unknown.set(key, text)
      else found.set(key, known)
    })
    const [asked, words] = [[...unknown.keys()], [...unknown.values()]]
    const counted = words.length === 0 ? [] : await ask({ encoding, texts: words })
    asked.forEach((key, at) => {
      const tokens = counted[at] ?? 0
      found.set(key, tokens)
      keep(key, tokens)
    })
    return keys.map((key) => found.get(key) ?? 0)
  }

  return {
    counterFor(model) {
      const encoding = model === undefined ? undefined : encodingOf(model)
      if (encoding === undefined) return estimateCounter
      const tried = (texts: readonly string[]) =>
        countAll(encoding, texts).catch((error: unknown) => {
          note(`tokens are estimated: ${error instanceof Error ? error.message : String(error)}`)
          return estimateCounter.countAll(texts)
        })
      return {
        countedBy: { by: 'tokenizer', name: encoding },
        count: async (text) => (await tried([text]))[0] ?? 0,
        countAll: tried,
      }
    },
  }
}

function keyOf(encoding: EncodingName, text: string): string {
  if (text.length <= shortText) return `${encoding} ${text}`
  return `${encoding} ${text.length} ${createHash('sha1').update(text).digest('base64')}`
}
