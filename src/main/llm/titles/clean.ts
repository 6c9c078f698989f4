import { titleLine } from '../../../shared/model/basics/title'

/** The longest title that a model gives, in characters; a longer one is cut with an ellipsis. */
export const longestTitle = 80

const thoughts = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi
/** Marks before a title: heads, bullets, numbers, quoting. */
const before = /^(?:[#>•\s]+|[*+-]\s+|\d{1,2}[.)]\s+)+/
const label = /^(?:title|titel|titre|t[ií]tulo|titolo|题目|标题|タイトル|제목)\s*[:：]\s*/i
/** Emphasis, code and quotes around all of it. */
const around: readonly (readonly [string, string])[] = [
  ['**', '**'],
  ['__', '__'],
  ['*', '*'],
  ['_', '_'],
  ['`', '`'],
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['»', '«'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
]
/** Characters of an answer that are read. */
const readLength = 20_000

/**
 * Reads the title in a model's answer: one line without Markdown, quotes and numbering, at most `longestTitle`
 * characters; undefined where there is none.
 *
 * @param isCut the answer ended at a limit: a line that nothing follows may be half of one
 */
export function cleanTitle(answer: string, isCut = false): string | undefined {
  const lines = answer
    .slice(0, readLength)
    .replace(thoughts, '\n')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:```|~~~)/.test(line) && !/^[-=*_#\s]+$/.test(line))
  // "Here is a title:" announces the next line.
  const at = lines.length > 1 && /[:：]$/.test(bare(lines[0] ?? '')) ? 1 : 0
  if (isCut && at === lines.length - 1) return undefined
  const title = titleLine(bare(lines[at] ?? ''), longestTitle)
  return /[\p{L}\p{N}\p{S}]/u.test(title) ? title : undefined
}

function bare(line: string): string {
  let text = line
  for (;;) {
    const next = withoutPair(text.replace(before, '').replace(label, '').trim())
    if (next === text) return withoutStop(plain(text))
    text = next
  }
}

/** Without the Markdown inside: a list shows text. A lone sign, and names such as `__init__`, stay. */
function plain(line: string): string {
  return line
    .slice(0, longestTitle * 8)
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1')
}

function withoutPair(text: string): string {
  for (const [open, close] of around)
    if (
      text.length > open.length + close.length &&
      text.startsWith(open) &&
      text.endsWith(close) &&
      !text.slice(open.length, -close.length).includes(close)
    )
      return text.slice(open.length, -close.length).trim()
  return text
}

/** A title is no sentence; an ellipsis and an abbreviation stay. */
function withoutStop(text: string): string {
  return /[^.\s]{2}[.。]$/.test(text) && !/\.[^.\s]+\.$/.test(text) ? text.slice(0, -1) : text
}
