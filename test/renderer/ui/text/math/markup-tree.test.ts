import { expect, it } from 'vitest'
import { markupTree } from '../../../../../src/renderer/ui/text/math/markup-tree'

it('reads elements, attributes, styles and text', () => {
  expect(
    markupTree(
      '<span class="katex" style="height:1.5em;top:-0.2em;"><mi>x &lt; y</mi><path d="M1 2"/></span>z',
    ),
  ).toEqual([
    {
      tag: 'span',
      attributes: { class: 'katex' },
      style: { height: '1.5em', top: '-0.2em' },
      children: [
        { tag: 'mi', attributes: {}, style: {}, children: ['x < y'] },
        { tag: 'path', attributes: { d: 'M1 2' }, style: {}, children: [] },
      ],
    },
    'z',
  ])
})

it('leaves out attributes and styles that are not on its lists', () => {
  expect(
    markupTree(
      '<span onclick="go()" id="a" href="b" style="position:fixed;height:url(x);color:red;width:1em">x</span>',
    ),
  ).toEqual([{ tag: 'span', attributes: {}, style: { width: '1em' }, children: ['x'] }])
  expect(markupTree('<math><annotation encoding="x">\\x</annotation><mi>x</mi></math>')).toEqual([
    {
      tag: 'math',
      attributes: {},
      style: {},
      children: [{ tag: 'mi', attributes: {}, style: {}, children: ['x'] }],
    },
  ])
})

it.each([
  '<script>alert(1)</script>',
  '<a href="https://example.com">x</a>',
  '<img src="x"/>',
  '<foreignObject></foreignObject>',
  '<span>',
  '</span>',
  '<span></math>',
  '<span class=x></span>',
  '<!-- x -->',
  '<',
])('reads nothing of what KaTeX does not write: %j', (markup) => {
  expect(markupTree(markup)).toBeUndefined()
})
