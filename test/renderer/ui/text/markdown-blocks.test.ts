import fc from 'fast-check'
import MarkdownIt, { type Token } from 'markdown-it'
import { describe, expect, it } from 'vitest'
import {
  type MarkdownVariant,
  type ParsedMarkdown,
  parseMarkdown,
} from '../../../../src/renderer/ui/text/markdown-blocks'

/** What tokens say, without the numbers of lines, which count from the part that was parsed. */
function said(tokens: readonly Token[]): unknown {
  return tokens.map(({ type, tag, nesting, level, content, markup, info, hidden, ...token }) => [
    ...[type, tag, nesting, level, content, markup, info, hidden],
    token.attrs,
    token.children === null ? null : said(token.children),
  ])
}

function shape({ blocks }: ParsedMarkdown): string {
  return JSON.stringify(blocks.map(({ type, source, tokens }) => [type, source, said(tokens)]))
}

/** Parses every beginning of a text, each from the one before, and compares it with a parse of its own. */
function streamsAsWhole(text: string, variant: MarkdownVariant = 'full'): void {
  let known = parseMarkdown('', variant)
  for (let end = 1; end <= text.length; end++) {
    const beginning = text.slice(0, end)
    known = parseMarkdown(beginning, variant, known)
    const whole = shape(parseMarkdown(beginning, variant))
    if (shape(known) !== whole) expect([beginning, shape(known)]).toEqual([beginning, whole])
  }
}

const tricky = [
  'First *one*.\n\nSecond\n\n- a\n- b\n\n  more\n- c\n\n```js\nconst a = 1\n\nconst b = 2\n```\n\nEnd.',
  'See [pear] and [the plum][plum].\n\n- [pear]\n\n[pear]: https://pear.example "A pear"\n[plum]: https://plum.example\n\nEnd',
  '[a]\n\n[a]: https://one.example\n\n[a]: https://two.example\n\n[a]',
  '[a] ![b]\n\n> [a]: https://one.example\n\n- [b]: https://b.example\n',
  "[a]\n\n[a]: https://one.example\n'a title\nof two lines'\n\nEnd [a]",
  "[a]\n\n[a]: https://one.example\n'no title\n\nEnd [a]",
  '[a]\n\n[a]:\nhttps://one.example\n[b]: <https://two.example> (x)\n# Head [b]\n',
  'Text\n***bold*** text\n\nText\n***\n***bold***',
  'Text\n#no heading\n# heading\n#\n# x',
  'Text\n```not `a` fence\n\nText\n```js\ncode\n```not the end\n```\nx',
  'Text\n---\nText\n===\nText\n- - -\n--x',
  '- a\n---x\n\n- a\n---\nx',
  '1. a\n\n2. b\n\n2 c\n\n3) d\n\n3',
  '- a\n\n+ b\n\n* c\n\n*d*',
  '- a\n\n\n  b\n\n c\n- d\n\n    code\n',
  '- [x] done\n- [ ] open\n  1. x\n  2. y\n\n     z\n',
  'para\n|a|b|\n|-|-|\n|1|2|\nx\n\nmore\n|a|\n|-|x',
  '# h\n|a|b|\n|:-|-:|\n|1|\n\nEnd',
  '- x\n|a|b|\n|-|-|\n|1|2|',
  '> quote\nlazy\n> more\n\n> new\n===\n---\n',
  '> - a\n> - b\n>\n>   c\n- d\n> e',
  '> ```\n> code\nout\n```\nin\n```',
  '    code\n\n    more\nText\n    no code\n\n\tcode',
  '~~~~\n```\n~~~\n~~~~\n~~~~ info\nopen',
  'Title\n=====\nText\n-----\nText\n--\n-\n- x',
  'a  \nb\\\nc\n\n\n\nd   ',
  'a\r\nb\r\n\r\nc\r- d\r\n- e',
  '\\(x^2\\) and $a_1$ and $$b\nc$$ cost $5 and $6',
  '<div>\n*x*\n</div>\n\n<!-- c -->\n\n[x](y "z")',
  'https://a.example/b_c_d and <https://b.example> and main.py http://',
  '**bold *both** odd*\n\n~~gone~~ `code `` x`',
  '![alt](data:image/png;base64,AAAA) [![i](u)][l]\n\n[l]: https://l.example',
  '[__proto__] [constructor][] [toString]\n\n[__proto__]: https://p.example\n[constructor]: https://c.example\n',
  '[ẞ] [SS]\n\n[ss]: https://s.example\n',
  `${'> '.repeat(45)}deep\n\nafter\n`,
  `${'- '.repeat(45)}deep\n\nafter\n`,
  'שלום\n\n- عالم\n\n\u{1f350}\u{1f351} x\n',
  '\0null\0\n\n*a\0*\n\ttab\n \n\f\n\u00a0\nx',
  '- a\n  [b]: https://b.example\n\n  [b]\n\n[b]\n',
  '1.\n2. x\n\n-\n\n  y\n\n-\n  z\n10. w',
  'Sum:\n$$\na\n= b\n- c\n$$\nMore\n\n\\[ x \\]\n\n$$ open\n- a\n\nEnd',
  '- \\[\n  a\n  = b\n  \\]\n- $$x$$\n\n> $$\n> y\n> $$\n\n$$z$$ text\n# Head',
  '$$ not\n```js\ncode\n```\n\n\\[1\\] note\n- a\n\n$$\n`x`\n$$\n\n    $$\n    x',
] as const

const pieces = [
  ...['Pear *plum*', '***', '***bold***', '# Head', '#', '#x', 'Title\n===', '---', '- - -', '--'],
  ...['- a', '- b\n  c', '-', '  d', '   e', '1. one', '2. two', '2', '2.', '3) x', '+ y', '* z'],
  ...['    code', '\tcode', '```', '```js', '~~~', '```x', '> quote', '>', '> - in', '> ```'],
  ...[
    '|a|b|',
    '|-|-|',
    '|1|2|',
    '|:-|',
    'a|b',
    '-|-',
    '|',
    '[a]',
    '[a]: https://a.example',
    '[a]:',
  ],
  ...["'title", "'title'", "more'", '[b]: u (x)', '[b][a] ![b]', '[c]: <v', '> [b]: w', '- [c]: z'],
  ...[
    '$x$',
    '$$',
    '$$z$$',
    '\\[',
    'x\\]',
    '\\(y\\)',
    '<b>',
    'https://a.example',
    '`',
    '**',
    '[',
    ']',
    '\\',
    ' ',
    '\t',
  ],
] as const
const drawn = fc
  .array(
    fc.tuple(fc.constantFrom(...pieces), fc.constantFrom('\n', '\n\n', '\n\n', ' ', '\n \n')),
    {
      minLength: 2,
      maxLength: 9,
    },
  )
  .map((parts) => parts.flat().join(''))

describe('a text that grows', () => {
  it.each(tricky)('%j has the blocks of the whole at every character', (text) => {
    streamsAsWhole(text)
    streamsAsWhole(text, 'light')
  })

  it('has them in 400 drawn documents', () => {
    expect(tricky).toHaveLength(43)
    fc.assert(
      fc.property(drawn, (text) => streamsAsWhole(text)),
      { numRuns: 400 },
    )
  })

  it('has them in pieces of any length', () => {
    fc.assert(
      fc.property(drawn, fc.array(fc.nat(30), { maxLength: 12 }), (text, steps) => {
        let known = parseMarkdown('', 'full')
        let end = 0
        for (const step of steps) {
          end += step
          known = parseMarkdown(text.slice(0, end), 'full', known)
        }
        expect(shape(parseMarkdown(text, 'full', known))).toBe(shape(parseMarkdown(text, 'full')))
      }),
      { numRuns: 400 },
    )
  })

  it('has the tokens of markdown-it itself', () => {
    const markdown = new MarkdownIt({ linkify: true })
    markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
    markdown.validateLink = () => true
    const check = (text: string) => {
      // Our own rule for formulas, and how deep it goes, are not markdown-it's.
      if (/[$\0]|\\[([]|(?:[->] ){40}/.test(text)) return
      const tokens = parseMarkdown(text, 'full').blocks.flatMap((block) => block.tokens)
      expect(said(tokens)).toEqual(said(markdown.parse(text, {})))
    }
    for (const text of tricky) check(text)
    fc.assert(fc.property(drawn, check), { numRuns: 400 })
  })

  it('makes a link of what is defined below it, and draws nothing else anew', () => {
    const text = 'See [pear].\n\nAnother text.\n\n- plum\n\n'
    const before = parseMarkdown(text, 'full')
    const after = parseMarkdown(`${text}[pear]: https://pear.example`, 'full', before)
    const types = (parsed: ParsedMarkdown) =>
      parsed.blocks[0]?.tokens[1]?.children?.map(({ type }) => type)
    expect(types(before)).toEqual(['text'])
    expect(types(after)).toEqual(['text', 'link_open', 'text', 'link_close', 'text'])
    expect(after.blocks[1]).toBe(before.blocks[1])
    expect(after.blocks[2]).toBe(before.blocks[2])
  })
})
