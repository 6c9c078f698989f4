import type { JsonObject } from '../../../shared/model/basics/json-object'
import { Citation } from '../../../shared/model/conversation/citations'
import { objectOf, singleLineOf, textOrUndefined, toList } from './json-fields'

const mostCitations = 200

/**
 * Finds the citations of a piece of an answer: `citations` and `search_results` at its top (Perplexity, xAI), and
 * annotations of a message (OpenAI, OpenRouter). In the order of `[1]`, `[2]`, each address once, at most 200.
 */
export function citationsIn(
  piece: JsonObject,
  message: JsonObject | undefined,
): readonly Citation[] {
  const titles = new Map<string, string>()
  const found: Citation[] = []
  const listed = [
    ...toList(piece.citations),
    ...toList(message?.citations),
    ...toList(piece.search_results),
    ...toList(message?.search_results),
    ...toList(message?.annotations).map((one) => objectOf(one)?.url_citation ?? one),
  ]
  for (const one of listed.slice(0, 10 * mostCitations)) {
    const citation = citationOf(one)
    if (citation === undefined) continue
    if (citation.title !== undefined && !titles.has(citation.url))
      titles.set(citation.url, citation.title)
    if (!found.some(({ url }) => url === citation.url)) found.push(citation)
  }
  return found.slice(0, mostCitations).map(({ url }) => withTitle(url, titles.get(url)))
}

/** Joins the citations of consecutive pieces: each address once, with the first title that came with it. */
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

function citationOf(value: unknown): Citation | undefined {
  const fields = objectOf(value)
  const url = textOrUndefined(fields === undefined ? value : (fields.url ?? fields.link))
  const { data } = Citation.safeParse({ url })
  return data && withTitle(data.url, singleLineOf(fields?.title, 500))
}

function withTitle(url: string, title: string | undefined): Citation {
  return title === undefined ? { url } : { url, title }
}
