import { type CountText, loadEncoder } from './encoder'
import type { EncodingName } from './encoding'

/** Texts to be counted by one tokenizer. Plain data: it crosses to a thread. */
export interface TokenQuestion {
  readonly encoding: EncodingName
  readonly texts: readonly string[]
}

/** The tokens of each text, in their order. */
export type TokenAnswer = readonly number[]

/** Who counts: a thread, or the caller's own. */
export type AskTokens = (question: TokenQuestion) => Promise<TokenAnswer>

/** Counts in the caller's own thread, which stands still meanwhile: for the thread itself, and the command line. */
export function openLocalCounter(): AskTokens {
  const loaded = new Map<EncodingName, Promise<CountText>>()
  return async ({ encoding, texts }) => {
    const encoder = loaded.get(encoding) ?? loadEncoder(encoding)
    loaded.set(encoding, encoder)
    const count = await encoder
    return texts.map(count)
  }
}
