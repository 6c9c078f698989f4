import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { comparisonDocument } from '../../../../src/main/exporters/comparison/document'
import {
  type ComparedSides,
  compareSides,
} from '../../../../src/shared/model/comparison/compare-sides'
import { SharedFacts } from '../../../../src/shared/model/comparison/forked-side'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { message } from '../../../support/entries'

const hostile = [
  '<script>alert(1)</script>',
  '```\n<img src=x onerror=alert(1)>\n````````\nnot code',
  '![x](https://evil.example/x.png) [y](javascript:alert(1))',
  '</section><del>-] +} | a | b |\n|---|',
  '\u202eright to left\u001b[31m',
]

function compared(
  left: readonly string[],
  right: readonly string[],
  title = 'Beds',
): ComparedSides {
  const shared = new SharedFacts()
  shared.add(said('Tulips? <b>'))
  const side = (texts: readonly string[], key: string) => ({
    conversation: { source: 'chibi', key, title },
    shared: shared.part(),
    after: texts.map((text) => said(text)),
  })
  return compareSides(side(left, 'a'), side(right, 'b'))
}

function said(content: string): Entry {
  return { ...message(content), file: 'f', offset: 0, length: 1 }
}

function written(format: 'md' | 'html', of: ComparedSides, unread: readonly string[] = []): string {
  return [...comparisonDocument(format, of, unread)].join('')
}

describe.each(['md', 'html'] as const)('a comparison as %s', (format) => {
  it('shows what is equal as a number, and words of each side that the other has not', () => {
    const text = written(
      format,
      compared(
        ['Same.', 'Sow them ten centimetres deep.'],
        ['Same.', 'Sow them five centimetres deep.', 'More.'],
      ),
    )
    expect(text).toContain('1 equal entry')
    expect(text).toContain(
      format === 'md' ? 'them [-ten-]{+five+} cent' : 'them <del>ten</del> cent',
    )
    if (format === 'html') expect(text).toContain('them <ins>five</ins> cent')
    expect(text).toContain('Only in B')
    expect(text).toContain('they share 1 entry')
  })

  it('says where they share nothing, and what could not be read', () => {
    const { left, right } = {
      left: {
        conversation: { source: 'cycod', key: 'a', title: 'A' },
        shared: new SharedFacts().part(),
        after: [],
      },
      right: {
        conversation: { source: 'cycod', key: 'b', title: 'B' },
        shared: new SharedFacts().part(),
        after: [],
      },
    }
    const text = written(format, compareSides(left, right), ['a.jsonl cannot be read.'])
    expect(text).toContain('They share no beginning')
    expect(text).toContain('a.jsonl cannot be read.')
    expect(text).toContain('Nothing differs.')
  })
})

it('no text of a conversation becomes markup of the page', () => {
  for (const text of hostile) {
    const page = written('html', compared([`${text} old`, text], [`${text} new`], text), [text])
    const tags = page.slice(page.indexOf('<body>')).match(/<\/?([a-z0-9]+)/g) ?? []
    const own =
      /^<\/?(html|body|main|h1|h2|p|table|thead|tbody|tr|td|th|bdi|section|div|header|del|ins|time|span|article|footer|details|summary|b|pre)$/
    expect(tags.filter((tag) => !own.test(tag))).toEqual([])
    // A mark of the comparison alone: as many ends as beginnings.
    for (const tag of ['del', 'ins', 'section'])
      expect(page.split(`<${tag}`).length).toBe(page.split(`</${tag}>`).length)
    expect(page).not.toContain('\u202e')
    expect(page).not.toContain('\u001b')
  }
})

it('no text of a conversation becomes markup of the Markdown', () => {
  const parser = new MarkdownIt('default', { html: true, linkify: false })
  for (const text of hostile) {
    const page = written('md', compared([`${text} old`, text], [`${text} new`], text), [text])
    const flat = parser.parse(page, {}).flatMap((token) => [token, ...(token.children ?? [])])
    expect(flat.filter(({ type }) => /^html|^image/.test(type))).toEqual([])
    const links = flat.filter(({ type }) => type === 'link_open')
    expect(links.filter((link) => !/^https?:/.test(String(link.attrGet('href'))))).toEqual([])
    const headings = flat.filter(({ type }) => type === 'heading_open')
    // The title, "Differences", and one for the changed entry and the one that A alone has.
    expect(headings.map(({ tag }) => tag)).toEqual(['h1', 'h2', 'h3', 'h3'])
    expect(flat.filter(({ type }) => type === 'table_open')).toHaveLength(1)
  }
})
