import { describe, expect, it } from 'vitest'
import type { FormulaNode } from '../../../../../src/renderer/ui/text/math/markup-tree'
import { typesetFormula } from '../../../../../src/renderer/ui/text/math/typeset'

const typeset = (tex: string, isDisplay = false) => typesetFormula({ tex, isDisplay })

/** All elements of a tree. */
function elementsOf(nodes: readonly FormulaNode[]): readonly Exclude<FormulaNode, string>[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [node, ...elementsOf(node.children)],
  )
}

function textOf(nodes: readonly FormulaNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('')
}

describe('a formula', () => {
  it.each([
    'e^{i\\pi} + 1 = 0',
    '\\sqrt{x^2} \\frac{a}{b} \\sum_{i=1}^n x_i \\int_0^1 f(x)\\,dx',
    '\\begin{aligned} a &= b \\\\ &= c \\end{aligned}',
    '\\begin{array}{c|c:c}\\hline a&b&c\\\\\\hdashline d&e&f\\end{array}',
    '\\begin{CD}A @>a>> B\\end{CD}',
    '\\cancel{x} \\xrightarrow{abc} \\overbrace{a+b}^{c} \\vec{v} \\boxed{q} \\bigl( \\Biggr)',
    '\\text{a “b” שלום} \\underline{x} \\overline{y} \\widehat{abc} \\mathstrut \\tag{3}',
    '\\begin{cases} 1 & x > 0 \\\\ 0 \\end{cases} \\binom{n}{k} \\operatorname{sn} \\mathbb{R}',
  ])('%j is drawn, and read aloud as MathML', (tex) => {
    const elements = elementsOf(typeset(tex, true) ?? [])
    const tags = elements.map(({ tag }) => tag)
    expect(tags).toContain('span')
    expect(tags).toContain('math')
    expect(tags).not.toContain('annotation')
    expect(elements.some(({ attributes }) => attributes['aria-hidden'] === 'true')).toBe(true)
  })

  it('keeps what KaTeX lays it out with', () => {
    const elements = elementsOf(typeset('\\sqrt{x}') ?? [])
    const svg = elements.find(({ tag }) => tag === 'svg')
    expect(svg?.attributes).toMatchObject({ width: '400em', viewBox: '0 0 400000 1080' })
    expect(elements.find(({ tag }) => tag === 'path')?.attributes.d).toMatch(
      /^M[\d.,\shlvcsMzHVLCS-]+/,
    )
    expect(elements.some(({ style }) => style.height?.endsWith('em'))).toBe(true)
  })

  it.each([
    '\\frac{1}{',
    '\\notacommand',
    '\\def\\a{\\a\\a}\\a',
    'x'.repeat(4_001),
    '\\begin{matrix} a',
  ])('%j stays as its source', (tex) => {
    expect(typeset(tex)).toBeUndefined()
  })
})

it('has a binomial read aloud as one, and no fraction', () => {
  const lines = (tex: string) =>
    elementsOf(typeset(tex) ?? [])
      .filter(({ tag }) => tag === 'mfrac')
      .map(({ attributes }) => attributes.linethickness)
  expect(lines('\\binom{n}{k}')).toEqual(['0px'])
  expect(lines('\\frac{n}{k}')).toEqual([undefined])
})

describe('a formula that is nested', () => {
  const nested = (open: string, times: number, close = '}') =>
    `${open.repeat(times)}x${close.repeat(times)}`

  it.each([
    nested('x^{', 15),
    nested('\\frac{1}{1+', 15),
    nested('\\sqrt{', 15),
    nested('\\begin{pmatrix}', 6, '\\end{pmatrix}'),
  ])('as deep as those of books is drawn: %j', (tex) => {
    expect(typeset(tex)).toBeDefined()
  })

  it.each([
    nested('x^{', 150),
    nested('x^{', 200),
    nested('\\sqrt{', 300),
    nested('\\frac{1}{', 200),
    nested('{', 1_000),
  ])('deeper than a page can lay out stays as its source: %j', (tex) => {
    expect(tex.length).toBeLessThan(4_000)
    expect(typeset(tex)).toBeUndefined()
  })
})

describe('a formula that would hide or cover what is written', () => {
  it.each([
    'x % and no word of this',
    'x \\\\% no word',
    '\\def\\a{no word} x',
    `\\def\\a{${'x'.repeat(20)}}${'\\a'.repeat(9)}`,
    '\\gdef\\a{x} y',
    '\\edef\\a{x} y',
    '\\xdef\\a{x} y',
    '\\let\\a=b y',
    '\\global\\let\\a=b y',
    '\\long\\def\\a{x} y',
    '\\futurelet\\a x y',
    '\\newcommand{\\a}{no word} y',
    '\\renewcommand{\\quad}{no word} y',
    '\\providecommand{\\a}{no word} y',
    'x \\phantom{\\text{no word}}',
    'x \\hphantom{y}',
    'x \\vphantom{y}',
    'x \\smash{y}',
    '\\rlap{x} y',
    '\\llap{x} y',
    '\\clap{x} y',
    '\\mathrlap{x} y',
    '\\mathllap{x} y',
    '\\mathclap{x} y',
    '\\raisebox{-3em}{x} y',
    'x \\kern-5em y',
    'x \\kern - 5em y',
    'x \\kern{-5em} y',
    'x \\mkern-18mu y',
    'x \\hskip-3em y',
    'x \\mskip-18mu y',
    'x \\hspace{-3em} y',
    'x \\hspace*{ -3em} y',
    'x \\\\[-1em] y',
    `x \\\\${' '.repeat(300)}[-1em] y`,
    '{x \\above -3em y}',
    '\\genfrac{}{}{-3em}{}{x}{y}',
    `x ${'\\!'.repeat(9)} y`,
    `x ${'\\negthickspace'.repeat(9)} y`,
    '\\mathchoice{x}{no}{word}{here}',
    '\\TextOrMath{no word}{x}',
    '\\message{no word} x',
    '\\html@mathml{x}{y}',
    '\\@secondoftwo{no word}{x}',
    '\\href{https://example.com}{no word} x',
    '\\htmlClass{a}{no word} x',
    '\\textcolor{transparent}{no word} x',
    '\\color{transparent} no word',
    '\\color{noword} x',
    '\\mathreflectbox{x}',
    'x \\tmspace-{18mu}{5em} y',
    'x \\rule{-5em}{1em} y',
  ])('%j stays as its source', (tex) => {
    expect(typeset(tex)).toBeUndefined()
  })

  it.each([
    '50\\% \\kern1em \\kern{.5em} \\hspace{1em} \\mkern 3mu \\hskip 1em x',
    '\\int\\!\\!\\!\\int_D f \\, dA',
    '\\color{white} x \\textcolor{#fff}{z} \\colorbox{white}{y} \\color{red} w',
    '{\\tiny x} {\\Huge y} \\genfrac{[}{]}{0pt}{}{-1}{2} \\notin \\TeX \\dddot{x}',
    '\\begin{matrix} a \\\\[1em] b \\\\ c \\end{matrix} \\not= \\mathstrut \\boxed{-2} \\rule[1em]{2em}{1px}',
  ])('%j hides nothing, and is drawn', (tex) => {
    const elements = elementsOf(typeset(tex) ?? [])
    expect(elements.map(({ tag }) => tag)).toContain('math')
  })
})

describe('a hostile formula', () => {
  it.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://example.com}',
    '\\includegraphics{https://example.com/a.png}',
    '\\htmlStyle{position:fixed;inset:0}{x}',
    '\\htmlId{root}{x} \\htmlClass{dialog}{y} \\htmlData{item=1}{z}',
    '\\color{white} x \\colorbox{white}{y} \\textcolor{#fff}{z} \\fcolorbox{red}{blue}{x}',
    '\\rule{99999em}{99999em} \\kern-9999em x \\raisebox{9999em}{y} \\hspace{9999em}',
    '\\text{<img src=x onerror=alert(1)>} \\verb|<script>alert(1)</script>|',
  ])('%j leads nowhere, has no colour and no size beyond what one formula may have', (tex) => {
    for (const { tag, attributes, style } of elementsOf(typeset(tex) ?? [])) {
      expect(['a', 'img', 'script', 'style']).not.toContain(tag)
      expect(
        Object.keys(attributes).filter((name) => /^(on|href|src|id|style|data)/.test(name)),
      ).toEqual([])
      expect(style).not.toHaveProperty('background-color')
      expect(style.color ?? 'transparent').toBe('transparent')
      expect(style.position ?? 'relative').toBe('relative')
      if (tag !== 'svg')
        for (const size of [attributes.width, style.width, style.height, style.bottom])
          expect(Math.abs(Number.parseFloat(size ?? '0'))).toBeLessThan(45)
    }
  })

  it('has its text as text', () => {
    expect(textOf(typeset('\\verb|<b>&amp;|') ?? [])).toContain('<b>&amp;')
  })
})
