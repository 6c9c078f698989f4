/** Elements whose end or beginning is the end of a line. */
const blocks: ReadonlySet<string> = new Set([
  ...['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'table', 'tr', 'pre', 'hr'],
  ...['blockquote', 'section', 'article', 'header', 'footer', 'thead', 'tbody', 'dl', 'dt', 'dd'],
])
const marks: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
}
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
}

/** Deepest list whose items are indented further than those around them. */
const deepestIndent = 32

/**
 * Converts HTML as programs write an answer of a model to the Markdown that it was: headings, lists, code, links, emphasis; of other elements
 * the text. Never throws; in time that is in proportion to its length.
 */
export function markdownOfHtml(html: string): string {
  const writer = new MarkdownWriter()
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    const end = open < 0 ? html.length : open
    if (end > at) writer.text(unescaped(html.slice(at, end)))
    if (open < 0) break
    const isComment = html.startsWith('<!--', open)
    const tag = /^<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/.exec(html.slice(open, open + 40))
    if (!isComment && tag === null) {
      // A bracket that begins no element.
      writer.text('<')
      at = open + 1
      continue
    }
    const close = html.indexOf(isComment ? '-->' : '>', open)
    if (close < 0) {
      writer.text(html.slice(open))
      break
    }
    at = close + (isComment ? 3 : 1)
    const name = (tag?.[2] ?? '').toLowerCase()
    if (isComment) continue
    if (tag?.[1] === '/') writer.end(name)
    else writer.begin(name, html.slice(open, at))
  }
  return writer.done()
}

class MarkdownWriter {
  /** The Markdown so far; none is empty. Pieces and not one text, whose end would be looked for in all of it each time. */
  private readonly pieces: string[] = []
  private readonly lists: { readonly isOrdered: boolean; count: number }[] = []
  private readonly links: string[] = []
  private isPre = false
  private hidden = 0
  /** Texts of a script or style, which is none where nothing closes it. */
  private hiddenTexts: string[] = []

  text(text: string): void {
    if (this.hidden > 0) this.hiddenTexts.push(text)
    else if (this.isPre) this.put(text)
    else {
      const plain = text.replace(/\s+/g, ' ')
      const last = this.pieces.at(-1)?.at(-1)
      this.put(last === undefined || /\s/.test(last) ? plain.trimStart() : plain)
    }
  }

  begin(name: string, tag: string): void {
    if (name === 'script' || name === 'style') this.hidden += 1
    if (this.hidden > 0) return
    const mark = marks[name]
    if (mark !== undefined) this.put(mark)
    else if (name === 'br') this.put('\n')
    else if (name === 'hr') this.block('---')
    else if (name === 'code' && !this.isPre) this.put('`')
    else if (name === 'pre') {
      this.block('```\n')
      this.isPre = true
    } else if (name === 'ul' || name === 'ol') {
      if (this.lists.length === 0) this.block('')
      this.lists.push({ isOrdered: name === 'ol', count: 0 })
    } else if (name === 'li') this.item()
    else if (name === 'a') {
      this.links.push(hrefIn(tag))
      this.put('[')
    } else if (name === 'td' || name === 'th') this.put('| ')
    else if (/^h[1-6]$/.test(name)) this.block(`${'#'.repeat(Number(name[1]))} `)
    else if (blocks.has(name) && this.lists.length === 0) this.block('')
  }

  end(name: string): void {
    if (name === 'script' || name === 'style') this.hidden = Math.max(0, this.hidden - 1)
    if (this.hidden === 0) this.hiddenTexts = []
    if (this.hidden > 0) return
    const mark = marks[name]
    if (mark !== undefined) this.put(mark)
    else if (name === 'code' && !this.isPre) this.put('`')
    else if (name === 'pre') {
      this.isPre = false
      this.trimEnd()
      this.put('\n```')
      this.block('')
    } else if (name === 'ul' || name === 'ol') {
      this.lists.pop()
      if (this.lists.length === 0) this.block('')
    } else if (name === 'a') {
      const href = this.links.pop() ?? ''
      this.put(href === '' ? ']' : `](${href})`)
    } else if (name === 'td' || name === 'th') this.put(' ')
    else if (name === 'tr') this.line()
    else if (blocks.has(name) && this.lists.length === 0) this.block('')
  }

  done(): string {
    if (this.hidden > 0) this.put(this.hiddenTexts.join(' '))
    return this.pieces.join('').trim().split('\n').map(withoutBlanksBehind).join('\n')
  }

  private put(text: string): void {
    if (text !== '') this.pieces.push(text)
  }

  private trimEnd(): void {
    for (let last = this.pieces.pop(); last !== undefined; last = this.pieces.pop()) {
      const trimmed = last.trimEnd()
      this.put(trimmed)
      if (trimmed !== '') return
    }
  }

  private line(): void {
    this.trimEnd()
    if (this.pieces.length > 0) this.put('\n')
  }

  private block(opening: string): void {
    if (this.isPre) return
    this.line()
    if (this.pieces.length > 0) this.put('\n')
    this.put(opening)
  }

  private item(): void {
    this.line()
    const list = this.lists.at(-1)
    if (list !== undefined) list.count += 1
    const sign = list?.isOrdered === true ? `${list.count}. ` : '- '
    this.put('  '.repeat(Math.min(deepestIndent, Math.max(0, this.lists.length - 1))) + sign)
  }
}

/** Cuts spaces and tabs off a line's end. */
function withoutBlanksBehind(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--
  return line.slice(0, end)
}

/** Addresses of pages alone: others mean nothing outside of theirs. */
function hrefIn(tag: string): string {
  const found = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)
  const href = unescaped(found?.[1] ?? found?.[2] ?? '')
  return /^https?:\/\/[^\s)]+$/.test(href) ? href : ''
}

function unescaped(text: string): string {
  return text.replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole
    const isHex = name[1] === 'x' || name[1] === 'X'
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
