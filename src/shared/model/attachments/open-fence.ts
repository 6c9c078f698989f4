/** Fence of a code block: its characters, and the columns before it. */
interface Fence {
  readonly run: string
  readonly indent: string
}

const fenceLine = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/
const listItem = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))( {1,4}(?=\S)| *(?=$)| (?= ))/
/** Beginnings of a line that end a paragraph: a quote, a heading, a rule. */
const otherBlock = /^ {0,3}(?:>|#{1,6}(?: |$)|(?:\*[ ]*){3,}$|(?:-[ ]*){3,}$|(?:_[ ]*){3,}$)/

/**
 * Returns the line that closes a code block which Markdown would have go on behind a text; undefined where none is open. A block in a
 * list or a quote ends with it. O(text).
 */
export function closingFence(text: string): string | undefined {
  let open: Fence | undefined
  /** Columns at which the content of the list item begins that the line before is in. */
  let item: number | undefined
  /** A code block within that item is open. */
  let inner: string | undefined
  /** The line before is a list item without content: a blank line ends it. */
  let isEmptyItem = false
  /** The line before goes on in one that begins no block. */
  let isParagraph = false
  for (const given of text.split(/\r\n|\n|\r/)) {
    const line = given.replace(/^[ \t]+/, (blank) => blank.replaceAll('\t', '    '))
    if (open !== undefined) {
      if (isEndOf(open.run, line)) open = undefined
      continue
    }
    if (line.trim() === '') {
      isParagraph = false
      if (isEmptyItem) item = undefined
      isEmptyItem = false
      continue
    }
    const indent = line.length - line.trimStart().length
    const isLazy = isParagraph && !isBlock(line)
    if (item !== undefined && indent < item && !isLazy) {
      item = undefined
      inner = undefined
      isParagraph = false
    }
    const mark = otherBlock.test(line) ? null : listItem.exec(line)
    // Below a paragraph, a mark alone is no item.
    const isAlone = mark !== null && mark[0].trim() === line.trim()
    if (item === undefined && mark !== null && !(isAlone && isParagraph))
      item = mark[0].length + (isAlone ? 1 : 0)
    isEmptyItem = item !== undefined && isAlone
    if (item !== undefined) {
      const content = line.trimStart().replace(/^(?:(?:[-*+]|\d{1,9}[.)]|>) *)*/, '')
      const run = fenceLine.exec(content)?.[2]
      if (inner === undefined) inner = run
      else if (isEndOf(inner, content)) inner = undefined
      isParagraph = inner === undefined && run === undefined && content !== ''
      continue
    }
    const fence = fenceLine.exec(line)
    if (fence !== null) open = { run: fence[2] ?? '', indent: fence[1] ?? '' }
    isParagraph = fence === null && !otherBlock.test(line) && (isParagraph || indent < 4)
  }
  return open === undefined ? undefined : `${open.indent}${open.run}`
}

function isEndOf(run: string, line: string): boolean {
  const end = fenceLine.exec(line)
  return end?.[2]?.startsWith(run) === true && end[3]?.trim() === ''
}

function isBlock(line: string): boolean {
  return fenceLine.test(line) || listItem.test(line) || otherBlock.test(line)
}
