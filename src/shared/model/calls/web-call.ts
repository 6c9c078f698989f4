import { isJsonObject } from '../basics/json-object'
import type { Entry } from '../conversation/entry'
import { argumentsObject, textArgument } from './arguments-object'
import { lettersOf } from './changing-tools'

const longest = 400_000

/** A call that goes to the web: an address, or words that are searched for, and what is asked of the page. */
export interface WebCall {
  readonly address?: string
  readonly query?: string
  readonly asked?: string
}

/** Tools that load a page or search the web, by their letters in lower case. */
const goers: ReadonlySet<string> = new Set([
  ...['webfetch', 'fetch', 'fetchurl', 'urlfetch', 'fetchwebpage', 'browse', 'openurl'],
  ...['websearch', 'googlewebsearch', 'searchweb', 'internetsearch', 'bravewebsearch'],
])

/** Returns what a call looks for on the web; undefined for other calls. */
export function webCall({ entry_type, to, content }: Entry): WebCall | undefined {
  if (entry_type !== 'tool_call' || content.length > longest || !goers.has(lettersOf(to)))
    return undefined
  const args = argumentsObject(content)
  if (args === undefined) return undefined
  const address = textArgument(args, ['url', 'uri', 'address'])
  const query = textArgument(args, ['query', 'search_query', 'q'])
  const asked = textArgument(args, ['prompt', 'question'])
  if (address === undefined && query === undefined && asked === undefined) return undefined
  return {
    ...(address === undefined ? {} : { address }),
    ...(query === undefined ? {} : { query }),
    ...(asked === undefined ? {} : { asked }),
  }
}

/** A page that a search of the web found. */
export interface FoundPage {
  readonly title: string
  readonly address: string
  /** What the search tells of it. */
  readonly words?: string
}

/** Pages that a result lists, and the text around the list. */
export interface FoundPages {
  readonly pages: readonly FoundPage[]
  readonly rest: string
}

/** Reads the pages of a result: a line `Links: [...]` of JSON, or a list of JSON alone. Undefined where it lists none. */
export function foundPages(text: string): FoundPages | undefined {
  if (text.length > longest) return undefined
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    const json = /^\s*(?:Links:\s*)?(\[\s*\{.*\}\s*\])\s*$/.exec(line)?.[1]
    const pages = json === undefined ? undefined : pagesOf(json)
    if (pages !== undefined) {
      const rest = [...lines.slice(0, at), ...lines.slice(at + 1)]
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
      return { pages, rest }
    }
  }
  const pages = /^\s*[[{]/.test(text) ? pagesOf(text) : undefined
  return pages === undefined ? undefined : { pages, rest: '' }
}

function pagesOf(json: string): readonly FoundPage[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    const list = isJsonObject(value) && Array.isArray(value.results) ? value.results : value
    if (!Array.isArray(list) || list.length === 0) return undefined
    const pages = (list as readonly unknown[]).flatMap((item) => {
      if (!isJsonObject(item)) return []
      const address = textArgument(item, ['url', 'link', 'href'])
      if (address === undefined) return []
      const words = textArgument(item, ['snippet', 'description', 'content', 'text'])
      const title = textArgument(item, ['title', 'name']) ?? ''
      return [{ address, title, ...(words === undefined ? {} : { words }) }]
    })
    return pages.length === list.length ? pages : undefined
  } catch {
    return undefined
  }
}
