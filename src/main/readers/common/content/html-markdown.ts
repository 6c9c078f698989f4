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
    const close = isComment ? html.indexOf('-->', open) : html.indexOf('>', open)
    if (close < 0) {
      writer.text(html.slice(open))
      break
    }
    at = close + (isComment ? 3 : 1)
    if (isComment) continue
    const tag = /^<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/.exec(html.slice(open, open + 40))
    if (tag === null) {
      // A bracket that begins no element.
      writer.text('<')
      at = open + 1
    } else if (tag[1] === '/') writer.end((tag[2] ?? '').toLowerCase())
    else writer.begin((tag[2] ?? '').toLowerCase(), html.slice(open, at))
  }
  return writer.done()
}

class MarkdownWriter {
  private out = ''
  private readonly lists: { readonly isOrdered: boolean; count: number }[] = []
  private readonly links: string[] = []
  private isPre = false
  private hidden = 0

  text(text: string): void {
    if (this.hidden > 0) return
    if (this.isPre) this.out += text
    else {
      const plain = text.replace(/\s+/g, ' ')
      const isAtStart = this.out === '' || /\s$/.test(this.out)
      this.out += isAtStart ? plain.trimStart() : plain
    }
  }

  begin(name: string, tag: string): void {
    if (name === 'script' || name === 'style') this.hidden += 1
    if (this.hidden > 0) return
    const mark = marks[name]
    if (mark !== undefined) this.out += mark
    else if (name === 'br') this.out += '\n'
    else if (name === 'hr') this.block('---')
    else if (name === 'code' && !this.isPre) this.out += '`'
    else if (name === 'pre') {
      this.block('```\n')
      this.isPre = true
    } else if (name === 'ul' || name === 'ol') {
      if (this.lists.length === 0) this.block('')
      this.lists.push({ isOrdered: name === 'ol', count: 0 })
    } else if (name === 'li') this.item()
    else if (name === 'a') {
      this.links.push(hrefIn(tag))
      this.out += '['
    } else if (name === 'td' || name === 'th') this.out += '| '
    else if (/^h[1-6]$/.test(name)) this.block(`${'#'.repeat(Number(name[1]))} `)
    else if (blocks.has(name) && this.lists.length === 0) this.block('')
  }

  end(name: string): void {
    if (name === 'script' || name === 'style') this.hidden = Math.max(0, this.hidden - 1)
    if (this.hidden > 0) return
    const mark = marks[name]
    if (mark !== undefined) this.out += mark
    else if (name === 'code' && !this.isPre) this.out += '`'
    else if (name === 'pre') {
      this.isPre = false
      this.out = `${this.out.trimEnd()}\n\`\`\``
      this.block('')
    } else if (name === 'ul' || name === 'ol') {
      this.lists.pop()
      if (this.lists.length === 0) this.block('')
    } else if (name === 'a') {
      const href = this.links.pop() ?? ''
      this.out += href === '' ? ']' : `](${href})`
    } else if (name === 'td' || name === 'th') this.out += ' '
    else if (name === 'tr') this.line()
    else if (blocks.has(name) && this.lists.length === 0) this.block('')
  }

  done(): string {
    return this.out.trim().replace(/[ \t]+\n/g, '\n')
  }

  private line(): void {
    this.out = this.out.trimEnd()
    if (this.out !== '') this.out += '\n'
  }

  private block(opening: string): void {
    if (this.isPre) return
    this.line()
    if (this.out !== '') this.out += '\n'
    this.out += opening
  }

  private item(): void {
    this.line()
    const list = this.lists.at(-1)
    if (list !== undefined) list.count += 1
    const sign = list?.isOrdered === true ? `${list.count}. ` : '- '
    this.out += '  '.repeat(Math.max(0, this.lists.length - 1)) + sign
  }
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
