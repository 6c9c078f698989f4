import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { TooltipDelay } from '../../../src/renderer/ui/controls/Tooltip'
import { Markdown } from '../../../src/renderer/ui/text/Markdown'
import { parseMarkdown } from '../../../src/renderer/ui/text/markdown-blocks'
import { onePoint } from '../../support/images'

/** The markup of a text, without the attributes that every paragraph has. */
function html(text: string, variant: 'full' | 'light' = 'full'): string {
  return renderToStaticMarkup(
    <TooltipDelay>
      <Markdown text={text} variant={variant} />
    </TooltipDelay>,
  )
    .replaceAll(' dir="auto"', '')
    .replace(/^<div class="prose (full|light)"[^>]*>/, '')
    .replace(/<\/div>$/, '')
}

describe('what a model writes', () => {
  it.each([
    ['# One\n\n## Two', '<h3 class="heading-1">One</h3><h4 class="heading-2">Two</h4>'],
    ['a **b** *c* ~~d~~ `e`', '<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>'],
    ['\\(x^*a^*\\) $a_1 \\\\ b_1$', '<p>\\(x^*a^*\\) $a_1 \\\\ b_1$</p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['> q', '<blockquote><p>q</p></blockquote>'],
    ['a\n\n---\n\nb', '<p>a</p><hr/><p>b</p>'],
    [
      '- [x] done\n- [ ] open',
      '<ul><li><span class="task on" role="img" aria-label="Done"></span>done</li><li><span class="task " role="img" aria-label="To do"></span>open</li></ul>',
    ],
  ])('%j is marked up', (text, expected) => {
    expect(html(text)).toBe(expected)
  })

  it('has tables with their alignment', () => {
    expect(html('|a|b|\n|-|-:|\n|1|2|')).toBe(
      '<div class="table-scroll" role="group" aria-label="Table" tabindex="0"><table><thead><tr><th class="one-line">a</th><th class="align-right one-line">b</th></tr></thead><tbody><tr><td class="one-line">1</td><td class="align-right one-line">2</td></tr></tbody></table></div>',
    )
  })

  it('keeps short cells on one line, and long ones not', () => {
    const cells = html(`|a|\n|-|\n|1234.5 / 0|\n|${'pear '.repeat(9)}|`)
    expect(cells).toContain('<td class="one-line">1234.5 / 0</td>')
    expect(cells).toContain(`<td>${'pear '.repeat(9).trim()}</td>`)
  })

  it.each([
    ['- 1. \u05e9\u05dc\u05d5\u05dd\n- pear', '<ul dir="rtl"><li>'],
    ['1. \u0645\u0631\u062d\u0628\u0627', '<ol dir="rtl" start="1"><li>'],
    ['> \u05e9\u05dc\u05d5\u05dd', '<blockquote dir="rtl"><p>'],
    ['|\u05d0|b|\n|-|-|\n|1|2|', '<table dir="rtl">'],
    ['- pear\n- \u05e9\u05dc\u05d5\u05dd', '<ul><li>pear'],
  ])('%j lies as a whole as its first letter says', (text, expected) => {
    expect(html(text)).toContain(expected)
  })

  it('has code with its language, plain until it is coloured', () => {
    expect(html('```js title\n<b>\n```')).toContain('<span>js</span>')
    expect(html('```js title\n<b>\n```')).toContain('<code>&lt;b&gt;</code>')
  })

  it('has code as it is written, also where a picture stands in it', () => {
    const point = Buffer.from(onePoint).toString('base64')
    const address = `data:image/png;base64,${point}`
    const shown = html(`\`\`\`html\n<img src='${address}'>\n\`\`\`\n\n\`${address}\``)
    expect(shown).toContain(`src=&#x27;${address}&#x27;`)
    expect(shown).toContain(`<code>${address}</code>`)
    expect(shown).not.toContain('[picture')
  })

  it('takes file names for file names, and only whole addresses for links', () => {
    expect(html('see main.py, README.md and https://a.b/c')).toBe(
      '<p>see main.py, README.md and <a href="https://a.b/c" title="https://a.b/c">https://a.b/c</a></p>',
    )
  })
})

describe('a formula', () => {
  const types = (text: string, variant: 'full' | 'light' = 'full') =>
    parseMarkdown(text, variant).blocks.flatMap(({ tokens }) =>
      tokens.flatMap(({ type, children }) =>
        type === 'inline' ? (children ?? []).map((child) => child.type) : [type],
      ),
    )

  it('stands in a line or on lines of its own, whatever its lines begin with', () => {
    expect(types('a $x$ b \\(y\\)')).toEqual([
      ...['paragraph_open', 'text', 'formula', 'text', 'formula', 'paragraph_close'],
    ])
    const lines = ['$$', 'a', '= b', '- c', '$$'].join('\n')
    expect(types(`Sum:\n${lines}\nEnd`)).toEqual([
      ...['paragraph_open', 'text', 'paragraph_close', 'formula_block'],
      ...['paragraph_open', 'text', 'paragraph_close'],
    ])
    expect(types('\\[ x \\]')).toEqual(['formula_block'])
  })

  it('that nothing closes is text, and code and prices are none', () => {
    expect(types('$$\na')).toEqual([
      'paragraph_open',
      'text',
      'softbreak',
      'text',
      'paragraph_close',
    ])
    expect(types('$$\n```\ncode\n```')).toContain('fence')
    for (const text of ['$5 and $6', '$HOME/bin:$PATH', 'from $5k up to 10k$ each', '\\$x$'])
      expect(types(text)).not.toContain('formula')
  })
})

describe('what a person types', () => {
  it('stays as it was typed, but for code and addresses', () => {
    expect(html('# not a head\n  * `code` <b>\n\n**plain**', 'light')).toBe(
      '<p># not a head\n  * <code>code</code> &lt;b&gt;</p><p>**plain**</p>',
    )
  })
})

describe('a hostile text', () => {
  it.each([
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
    [
      '[go](javascript:alert(1))',
      '<p><span class="dead-link">go <span class="t3">(javascript:alert(1))</span></span></p>',
    ],
    [
      '[go](file:///etc/passwd)',
      '<p><span class="dead-link">go <span class="t3">(file:///etc/passwd)</span></span></p>',
    ],
    ['a\u202eb\u0007', '<p>a⟨U+202E⟩b\u2407</p>'],
  ])('%j is shown as text', (text, expected) => {
    expect(html(text)).toBe(expected)
  })

  it('has its images as links that load nothing', () => {
    const image = html('![a cat](https://a.b/cat.png)')
    expect(image).not.toContain('<img')
    expect(image).toContain('<a href="https://a.b/cat.png" title="https://a.b/cat.png">a cat</a>')
    expect(html('![x](data:image/png;base64,AAAA)')).toContain('(inside the text, 26 bytes)')
  })

  it.each([
    ['quotes', `${'>'.repeat(500)} deep`],
    ['lists', `${'- '.repeat(500)}deep`],
  ])('of 500 nested %s loses nothing', (_what, text) => {
    expect(html(text)).toContain('deep')
  })

  it('of one endless line is cut, not parsed', () => {
    const parsed = parseMarkdown('[x]('.repeat(100_000), 'full')
    expect(parsed.blocks.map(({ type }) => type)).toEqual(['plain'])
    expect(html('y'.repeat(1_000_000)).length).toBeLessThan(20_000)
    expect(html('y'.repeat(1_000_000))).toContain('Show 150,000 more characters')
    expect(html('y'.repeat(1_000_000))).toContain('6,000 of 400,000 characters')
    expect(html(`\`\`\`\n${'line\n'.repeat(500)}\`\`\``)).toContain('400 lines of 500')
  })

  it('of 10,000 lines of code shows the first 400', () => {
    const lines = Array.from({ length: 10_000 }, (_, line) => `line ${line + 1}`).join('\n')
    const shown = html(`\`\`\`\n${lines}\n\`\`\``)
    expect(shown).toContain('line 400')
    expect(shown).not.toContain('line 401')
    expect(shown).toContain('Show all 10,000 lines')
  })
})

describe('a growing text', () => {
  const text =
    'First *one*.\n\nSecond\n\n- a\n- b\n\n  more\n- c\n\n```js\nconst a = 1\n\nconst b = 2\n```\n\n|a|b|\n|-|-|\n|1|2|\n\nTitle\n=====\n\n> quote\nlazy\n\n1. x\n\n   y\n\nEnd.'

  it('gives the same blocks as the whole text at once, wherever it was cut', () => {
    let known = parseMarkdown('', 'full')
    for (let end = 1; end <= text.length; end++) {
      known = parseMarkdown(text.slice(0, end), 'full', known)
      const whole = parseMarkdown(text.slice(0, end), 'full')
      expect(known.blocks.map(({ source }) => source)).toEqual(
        whole.blocks.map(({ source }) => source),
      )
    }
    expect(known.blocks.map(({ source }) => source.trim())).toHaveLength(9)
  })

  it('keeps its finished blocks as they are', () => {
    const before = parseMarkdown('One.\n\nTwo', 'full')
    const after = parseMarkdown('One.\n\nTwo and more.\n\nThree', 'full', before)
    expect(after.blocks[0]).toBe(before.blocks[0])
    expect(after.blocks.map(({ source }) => source.trim())).toEqual([
      'One.',
      'Two and more.',
      'Three',
    ])
  })

  it('is parsed anew where it is another text', () => {
    const before = parseMarkdown('One.\n\nTwo', 'full')
    expect(parseMarkdown('Another', 'full', before).blocks.map(({ source }) => source)).toEqual([
      'Another',
    ])
  })
})
