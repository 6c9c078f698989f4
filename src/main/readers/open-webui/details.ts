/** A part of an answer's text: words, or a block in which the program shows what is none. */
export type WebuiPart =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'call'
      readonly id: string | undefined
      readonly name: string
      readonly input: string
      /** Undefined while it runs. */
      readonly result: string | undefined
    }

/** At the beginning of a line: the same words in the middle of one are somebody's own. */
const opening = /^<details type="(reasoning|tool_calls|code_interpreter)"/gm
const attribute = /\s*([\w-]+)=(?:"([^"]*)"|'([^']*)')/y
const closing = '</details>'

/**
 * Splits the text of an answer into its words and the blocks of thoughts, calls and code that the program writes into it
 * (`<details type="…">`). A block without its end is words.
 */
export function webuiParts(text: string): readonly WebuiPart[] {
  const parts: WebuiPart[] = []
  let from = 0
  const words = (to: number) => {
    const own = text.slice(from, to).trim()
    if (own !== '') parts.push({ type: 'words', text: own })
  }
  opening.lastIndex = 0
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const block = blockAt(text, found.index + found[0].length)
    if (block === undefined) continue
    words(found.index)
    parts.push(partOf(found[1] ?? '', block))
    from = block.end
    opening.lastIndex = block.end
  }
  words(text.length)
  return parts
}

interface Block {
  readonly attributes: ReadonlyMap<string, string>
  /** Without its summary. */
  readonly body: string
  readonly end: number
}

/** @param at behind the first attribute */
function blockAt(text: string, at: number): Block | undefined {
  const attributes = new Map<string, string>()
  let behind = at
  attribute.lastIndex = at
  for (let found = attribute.exec(text); found !== null; found = attribute.exec(text)) {
    attributes.set(found[1] ?? '', unescaped(found[2] ?? found[3] ?? ''))
    behind = attribute.lastIndex
  }
  const start = text.indexOf('>', behind)
  const end = start < 0 ? -1 : text.indexOf(closing, start)
  if (end < 0 || text.slice(behind, start).trim() !== '') return undefined
  const inside = text.slice(start + 1, end).trim()
  const body = inside.replace(/^<summary>[^<]*<\/summary>/, '').trim()
  return { attributes, body, end: end + closing.length }
}

function partOf(type: string, { attributes, body }: Block): WebuiPart {
  if (type === 'reasoning') return { type: 'reasoning', text: withoutQuotes(body) }
  if (type === 'code_interpreter') {
    const [, code = body] = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(body) ?? []
    const output = attributes.get('output')
    const result = output === undefined ? undefined : valueText(output)
    return { type: 'call', id: undefined, name: 'code_interpreter', input: code, result }
  }
  // Some write the result between the marks.
  const told = attributes.get('result') ?? (body === '' ? undefined : unescaped(body))
  const isDone = attributes.get('done') !== 'false'
  return {
    type: 'call',
    id: attributes.get('id') || undefined,
    name: attributes.get('name') || 'tool',
    input: valueText(attributes.get('arguments') ?? ''),
    result: isDone ? valueText(told ?? '') : undefined,
  }
}

/** Thoughts are shown as a quotation; newer versions escape them as well. */
function withoutQuotes(body: string): string {
  const isEscaped = body.startsWith('&gt;')
  const lines = body.split('\n').map((line) => line.replace(isEscaped ? /^&gt; ?/ : /^> ?/, ''))
  const text = lines.join('\n').trim()
  return isEscaped ? unescaped(text) : text
}

/** A text is JSON text at times, and that of a JSON text. */
function valueText(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  '#39': "'",
  '#x27': "'",
  lt: '<',
  gt: '>',
  amp: '&',
}

function unescaped(text: string): string {
  return text.replace(/&(quot|apos|#39|#x27|lt|gt|amp);/g, (whole, name: string) => {
    return entities[name] ?? whole
  })
}
