import { firstWords } from '../../../../shared/model/basics/first-words'
import type { SqlAnswer } from '../../../sqlite/database'
import { textIn } from '../../common/drafts'
import { pathOfUri } from '../lines/file-uri'
import { splitWrapped } from '../lines/wrappers'
import { type ChatRows, keyOfBubble, listIn } from './chat-rows'
import { mostTextUnits } from './chat-sql'

/** Facts of a chat that one of its messages tells. */
export interface BubbleFacts {
  /** The folder that was open. */
  readonly folder: string | undefined
  readonly createdAt: unknown
  /** Its beginning, where it is long. */
  readonly text: string | undefined
}

/** Lists the keys of the messages that tell of a chat: its first, a person's first, and its last. */
export function factKeys({ id, record, bubbles }: ChatRows): readonly string[] {
  const headers = record?.headers ?? []
  const order = headers.length > 0 ? headers.map((one) => one.id) : bubbles.map((one) => one.id)
  const asked = [order[0], firstOfPerson(headers), order.at(-1)]
  return asked.flatMap((one) => (one === undefined ? [] : [keyOfBubble(id, one)]))
}

/** Returns the first of a person's own words in a chat, as far as its record names the message. */
export function wordsOfChat(
  { id, record }: ChatRows,
  facts: ReadonlyMap<string, BubbleFacts>,
): string | undefined {
  const first = firstOfPerson(record?.headers ?? [])
  const text = first === undefined ? undefined : facts.get(keyOfBubble(id, first))?.text
  return text === undefined ? undefined : ownWords(text)
}

function ownWords(text: string): string | undefined {
  // What is wrapped may go on where the text was cut: the words are behind it.
  if (text.length >= mostTextUnits && text.startsWith('<')) return undefined
  const own = splitWrapped(text).find(({ wrapper }) => wrapper === undefined)
  return own === undefined ? undefined : firstWords(own.content) || undefined
}

/** Reads the answer to `bubbleQuery`, by keys. */
export function bubbleFactsFrom(answer: SqlAnswer | undefined): ReadonlyMap<string, BubbleFacts> {
  return new Map(
    (answer?.rows ?? []).map(([key, members]): [string, BubbleFacts] => {
      const [folder, uris, createdAt, text, rawText] = listIn(members)
      const [uri] = Array.isArray(uris) ? uris : []
      const known = textIn(folder) ?? (typeof uri === 'string' ? pathOfUri(uri) : undefined)
      return [String(key), { folder: known, createdAt, text: textIn(text) ?? textIn(rawText) }]
    }),
  )
}

function firstOfPerson(
  headers: readonly { readonly id: string; readonly type: unknown }[],
): string | undefined {
  return headers.find(({ type }) => type === 1)?.id
}
