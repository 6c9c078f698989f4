import type { Token } from 'markdown-it'
import { documentText } from '../parts/document-text'
import { escapeHtml } from './html-text'
import { isWebAddress } from './markdown-zones'
import { proseParser, proseTokens, tokenAttribute } from './prose'

/**
 * Renders Markdown as HTML with no elements but those made here. HTML in it becomes text, images are not loaded
 * (their text and address are shown instead), addresses of links are shown, and headings begin two levels down.
 * Every letter of the source is in the result: a text whose rendering would leave one out is shown unrendered.
 */
export function htmlProse(text: string): string {
  const source = documentText(text)
  const tokens = proseTokens(source)
  if (tokens === undefined) return `<div class="words" dir="auto">${escapeHtml(source)}</div>`
  const inner = proseParser.renderer.render([...tokens], proseParser.options, {})
  return `<div class="prose" dir="auto">${inner}</div>`
}

/** Of a table whose columns stand beside each other on paper; each is no narrower than a letter. */
const mostColumnsOnPaper = 20

const { rules } = proseParser.renderer

rules.text = (tokens, at) => escapeHtml(tokens[at]?.content ?? '')
rules.fence = (tokens, at) => code(tokens[at]?.content ?? '', tokens[at]?.info.trim() ?? '')
rules.code_block = (tokens, at) => code(tokens[at]?.content ?? '', '')
rules.image = (tokens, at) => {
  const token = tokens[at]
  const url = tokenAttribute(token, 'src')
  // The style says before it that it is an image: the words here are the author's alone.
  const words = `<span class="image">${escapeHtml(token?.content ?? '')}</span>`
  return `${isWebAddress(url) ? `${anchor(url)}${words}</a>` : words}${address(token, url)}`
}
rules.link_open = (tokens, at) => {
  const url = tokenAttribute(tokens[at], 'href')
  return isWebAddress(url) ? anchor(url) : '<span class="dead">'
}
rules.link_close = (tokens, at) => {
  const open = opening(tokens, at)
  const url = tokenAttribute(open, 'href')
  // An address that is its own text is not shown twice.
  const shown = open?.info === 'auto' ? '' : address(open, url)
  return `${isWebAddress(url) ? '</a>' : '</span>'}${shown}`
}
rules.table_open = (tokens, at) => {
  const end = tokens.findIndex(({ type }, index) => index > at && type === 'tr_close')
  const columns = tokens.slice(at, end).filter(({ type }) => type === 'th_open').length
  const kind = columns > mostColumnsOnPaper ? 'table wide' : 'table'
  return `<div class="${kind}" tabindex="0" role="group" aria-label="Table"><table>`
}
rules.table_close = () => '</table></div>\n'
for (const name of ['th_open', 'td_open'])
  rules[name] = (tokens, at) => {
    const align = /text-align:(left|right|center)/.exec(tokenAttribute(tokens[at], 'style'))?.[1]
    // The policy of the document allows no style attribute.
    return `<${tokens[at]?.tag}${align === undefined ? '' : ` class="${align}"`}>`
  }
for (const name of ['heading_open', 'heading_close'])
  rules[name] = (tokens, at) => {
    const level = Math.min(Number(tokens[at]?.tag.slice(1)) + 2, 6)
    return name === 'heading_open' ? `<h${level}>` : `</h${level}>\n`
  }

/** A block of code, with the words that stand on its fence. */
function code(content: string, info: string): string {
  const head = info === '' ? '' : `<figcaption>${escapeHtml(info)}</figcaption>`
  return `<figure class="code">${head}<pre><code>${escapeHtml(content)}</code></pre></figure>\n`
}

function anchor(url: string): string {
  return `<a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow">`
}

/** The address of a link, after its text: for print, and for readers who do not trust the text. */
function address(token: Token | undefined, url: string): string {
  const title = tokenAttribute(token, 'title')
  const words = title === '' ? url : `${url} “${title}”`
  return ` <span class="address">(${escapeHtml(words)})</span>`
}

function opening(tokens: readonly Token[], close: number): Token | undefined {
  let at = close
  // Links do not nest.
  while (at >= 0 && tokens[at]?.type !== 'link_open') at--
  return tokens[at]
}
