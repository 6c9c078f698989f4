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
    '\\text{a “b” שלום} \\underline{x} \\overline{y} \\widehat{abc} \\phantom{x} \\tag{3}',
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
    `${'\\sqrt{'.repeat(600)}x${'}'.repeat(600)}`,
    'x'.repeat(4_001),
    '\\begin{matrix} a',
  ])('%j stays as its source', (tex) => {
    expect(typeset(tex)).toBeUndefined()
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
