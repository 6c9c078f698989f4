import type { JsonObject } from '../../../shared/model/basics/json-object'
import { Citation } from '../../../shared/model/conversation/citations'
import { objectOf, singleLineOf, textOrUndefined, toList } from './json-fields'

const mostCitations = 200

/**
 * Finds what a piece of an answer cites: `citations` and `search_results` at its top (Perplexity, xAI), and annotations
 * of a message (OpenAI, OpenRouter). In the order in which `[1]`, `[2]` count them, each address once.
 */
export function citationsIn(piece: JsonObject, said: JsonObject | undefined): readonly Citation[] {
  const titles = new Map<string, string>()
  const found: Citation[] = []
  const told = [
    ...toList(piece.citations),
    ...toList(said?.citations),
    ...toList(piece.search_results),
    ...toList(said?.search_results),
    ...toList(said?.annotations).map((one) => objectOf(one)?.url_citation ?? one),
  ]
  for (const one of told.slice(0, 10 * mostCitations)) {
    const citation = citationOf(one)
    if (citation === undefined) continue
    if (citation.title !== undefined && !titles.has(citation.url))
      titles.set(citation.url, citation.title)
    if (!found.some(({ url }) => url === citation.url)) found.push(citation)
  }
  return found.slice(0, mostCitations).map(({ url }) => withTitle(url, titles.get(url)))
}

/** Joins what pieces told one after the other: each address once, with the first title that was told of it. */
export function joinedCitations(
  known: readonly Citation[],
  added: readonly Citation[],
): readonly Citation[] {
  const joined = [...known]
  for (const citation of added) {
    const at = joined.findIndex(({ url }) => url === citation.url)
    const there = joined[at]
    if (there === undefined) joined.push(citation)
    else joined[at] = withTitle(there.url, there.title ?? citation.title)
  }
  return joined.slice(0, mostCitations)
}

function citationOf(told: unknown): Citation | undefined {
  const fields = objectOf(told)
  const url = textOrUndefined(fields === undefined ? told : (fields.url ?? fields.link))
  const { data } = Citation.safeParse({ url })
  return data && withTitle(data.url, singleLineOf(fields?.title, 500))
}

function withTitle(url: string, title: string | undefined): Citation {
  return title === undefined ? { url } : { url, title }
}
