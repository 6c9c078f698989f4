import { meantByJson } from '../basics/json-escapes'
import { parseQuery } from './parse-query'
import type { QueryNode } from './query'

/**
 * Lists the texts that a word or phrase of a query is found by, one of which a hit has: what is typed, and what it says with JSON's
 * escapes undone, since people paste pieces of files as they are.
 */
export function meantTexts({
  text,
  typed,
}: Extract<QueryNode, { type: 'text' }>): readonly string[] {
  return [...new Set([...(typed === undefined ? [] : [typed]), ...meantByJson(text)])]
}

/** Lists the texts that hits of a query may have, each once: those of words and phrases that are not left out. Blank ones are not listed. */
export function soughtTexts(query: string): readonly string[] {
  const texts = textsIn(parseQuery(query).root)
  return [...new Set(texts)].filter((text) => text.trim() !== '')
}

function textsIn(node: QueryNode): readonly string[] {
  if (node.type === 'text') return meantTexts(node)
  if (node.type !== 'all' && node.type !== 'any') return []
  return node.of.flatMap(textsIn)
}
