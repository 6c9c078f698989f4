import { type CountText, loadEncoder } from './encoder'
import type { EncodingName } from './encoding'

/** Texts to count with one tokenizer. Plain data: it crosses to a worker. */
export interface TokenQuestion {
  readonly encoding: EncodingName
  readonly texts: readonly string[]
}

/** The tokens of each text, in their order. */
export type TokenAnswer = readonly number[]

/** A function that counts tokens: in a worker, or in the caller's thread. */
export type AskTokens = (question: TokenQuestion) => Promise<TokenAnswer>

/**
 * Returns a counter in the caller's own thread, which it blocks meanwhile: for the worker itself, and the command
 * line.
 */
export function openLocalCounter(): AskTokens {
  const loaded = new Map<EncodingName, Promise<CountText>>()
  return async ({ encoding, texts }) => {
    const encoder = loaded.get(encoding) ?? loadEncoder(encoding)
    loaded.set(encoding, encoder)
    const count = await encoder
    return texts.map(count)
  }
}
