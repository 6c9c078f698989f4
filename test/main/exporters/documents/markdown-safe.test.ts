import fc from 'fast-check'
import MarkdownIt, { type Token } from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { safeMarkdown } from '../../../../src/main/exporters/documents/markdown-safe'
import {
  blockQuote,
  escapeMarkdown,
  fencedBlock,
} from '../../../../src/main/exporters/documents/markdown-text'
import { proseTokens } from '../../../../src/main/exporters/documents/prose'

/** A renderer that trusts what it reads: what opens an export somewhere else. */
const trusting = new MarkdownIt({ html: true })
/** What the author's text means when nothing in it may be more than text. */
const careful = new MarkdownIt({ html: false })
careful.block.ruler.disable('reference')
careful.inline.ruler.disable(['image', 'entity'])
careful.validateLink = (url) =>
  /^(https?:|mailto:)/i.test(url) ||
  !/^[a-z][a-z0-9+.-]*:/i.test(url.replace(/%[01][0-9A-F]|%20|\s/g, ''))

const dense = (html: string) => html.replace(/\s+/g, '')
const flat = (tokens: readonly Token[]): readonly Token[] =>
  tokens.flatMap((token) => [token, ...flat(token.children ?? [])])

// Pieces of Markdown and HTML that mean something beside one another, more than letters.
const pieces = fc.constantFrom(
  ...'`` ` ``` ~~~ [ ] ( ) < > & ; ! \\ " \' # - * _ | : = 1. 2) >'.split(' '),
  ...'<b> </b> <!-- --> <script> <img &lt; &#60; &amp; ](  ]: ![ [x] [x](y) [x]: <?'.split(' '),
  ...'javascript: http://x data: mailto:a@b.c <http://x> <javascript:x> word | --- |'.split(' '),
  'java&Tab;script:',
  '\n',
  '\n\n',
  '\n    ',
  '\n> ',
  '\n- ',
  '\n| a | b |\n|---|---|\n| ',
  '\n```\n',
  ' ',
  'a',
)
const texts = fc.array(pieces, { maxLength: 30 }).map((all) => all.join(''))

describe('Markdown in a document', () => {
  it('keeps what people write', () => {
    const text = [
      '# Head & tail',
      '',
      'a < b && c > d, **bold**, `<div>` and [here](https://example.org/?a=1&amp;b=2).',
      '',
      '- one',
      '  ```html',
      '  <p>&nbsp;</p>',
      '  ```',
      '',
      '<https://example.org>',
      '',
      '    <i>indented</i>',
    ].join('\n')
    expect(safeMarkdown(text)).toBe(text)
  })

  it('makes hostile markup text that can still be read', () => {
    expect(safeMarkdown('<script>alert(1)</script>')).toBe('&lt;script>alert(1)&lt;/script>')
    expect(safeMarkdown('&lt;b&gt;')).toBe('&amp;lt;b&amp;gt;')
    expect(safeMarkdown('![pixel](https://tracker.example/p.png)')).toBe(
      '\\![pixel](https://tracker.example/p.png)',
    )
    expect(safeMarkdown('[press](javascript:alert(1))')).toBe('\\[press\\](javascript:alert(1))')
    expect(safeMarkdown('[a]: https://example.org "gone"')).toBe(
      '\\[a]: https://example.org "gone"',
    )
    expect(safeMarkdown('- <b>x</b> `<i>`\n- y')).toBe('- &lt;b>x&lt;/b> `<i>`\n- y')
  })

  it('does not take text for code that another reading has outside of code', () => {
    // The backtick in the destination opens nothing, so that the one at the end closes nothing.
    expect(safeMarkdown('[a](x`y) <b> `')).toBe('[a](x`y) &lt;b> `')
    expect(safeMarkdown('[x](<a `b>) `<i>`')).not.toContain('<i>')
    // HTML that begins a line ends a paragraph, and the code span in it.
    expect(safeMarkdown('> `a\n> <!-- b`')).toBe('> `a <!-- b`')
    expect(safeMarkdown('| a | b |\n|---|---|\n| `<img | x` |')).toContain('`&lt;img')
  })

  it('closes a fence that was left open, and only that', () => {
    expect(safeMarkdown('```js\nlet a')).toBe('```js\nlet a\n```')
    expect(safeMarkdown('~~~~\na\n~~~\n')).toBe('~~~~\na\n~~~\n~~~~')
    expect(safeMarkdown('```\na\n```')).toBe('```\na\n```')
    expect(safeMarkdown('- ```\n  a')).toBe('- ```\n  a')
    expect(safeMarkdown('```')).toBe('```\n```')
  })

  it('never holds HTML, an image or a link that runs, whatever the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = flat(trusting.parse(safeMarkdown(text), {}))
        expect(tokens.filter(({ type }) => /^html|^image/.test(type))).toEqual([])
        // The parser above refuses such links; one that does not refuse must find none either.
        const lax = new MarkdownIt({ html: true })
        lax.validateLink = () => true
        const links = flat(lax.parse(safeMarkdown(text), {})).filter(
          ({ type }) => type === 'link_open',
        )
        for (const link of links)
          expect(String(link.attrGet('href')).replace(/%09|\s/g, '')).not.toMatch(
            /^(javascript|data):/i,
          )
      }),
      { numRuns: 2000 },
    )
  })

  it('ends with its own entry, whatever the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = trusting.parse(`## before\n\n${safeMarkdown(text)}\n\n## after\n`, {})
        const headings = tokens.flatMap((token, i) =>
          token.type === 'heading_open' && token.level === 0 ? [tokens[i + 1]?.content] : [],
        )
        expect(headings.at(0)).toBe('before')
        expect(headings.at(-1)).toBe('after')
      }),
      { numRuns: 1000 },
    )
  })

  it('renders as the author meant it, with HTML, images, entities and definitions as text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        // A destination in angle brackets is no link afterwards: its `<` is escaped like any other.
        fc.pre(!/\]\(\s*</.test(text) && proseTokens(text) !== undefined)
        const meant = careful.render(`${text.trimEnd()}\n`)
        // White space at the very end, also of a fence that was left open, is not kept.
        expect(dense(trusting.render(safeMarkdown(text)))).toBe(dense(meant))
      }),
      { numRuns: 2000 },
    )
  })

  it('shows a text as code where prose would leave letters out, and where it is no prose any more', () => {
    const deep = '> '.repeat(50)
    for (const text of ['| a |\n|---|\n| b | lost |', '<b> '.repeat(60_000), `${deep}lost`])
      expect(safeMarkdown(text)).toBe(fencedBlock(text))
  })
})

describe('text in a code block', () => {
  it('stands there exactly, whatever fences it holds', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = trusting.parse(`${fencedBlock(text, 'json')}\n\n## after`, {})
        expect(tokens.map(({ type }) => type)).toEqual([
          'fence',
          'heading_open',
          'inline',
          'heading_close',
        ])
        expect(tokens[0]?.content).toBe(text.endsWith('\n') ? text : `${text}\n`)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('words in a line of the document', () => {
  it('are shown as they are', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const line = text.replace(/\s+/g, ' ').trim()
        fc.pre(line !== '')
        const [, inline] = trusting.parse(`## x ${escapeMarkdown(line)}`, {})
        const children = inline?.children ?? []
        expect(children.every(({ type }) => /^text/.test(type))).toBe(true)
        expect(children.map(({ content }) => content).join('')).toBe(`x ${line}`)
      }),
      { numRuns: 1000 },
    )
  })
  it('are quoted line by line', () => {
    expect(blockQuote('a\n\nb')).toBe('> a\n> \n> b')
  })
})
