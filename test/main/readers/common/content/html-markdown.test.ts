import fc from 'fast-check'
import { expect, it } from 'vitest'
import { markdownOfHtml } from '../../../../../src/main/readers/common/content/html-markdown'

it.each([
  ['<p>One &amp; <b>two</b>.</p><p>Three</p>', 'One & **two**.\n\nThree'],
  ['<h2>A</h2>text<br>more', '## A\n\ntext\nmore'],
  ['<ol><li>a</li><li>b<ul><li>c</li></ul></li></ol>end', '1. a\n2. b\n  - c\n\nend'],
  ['<pre><code>if a &lt; b:\n    c</code></pre>', '```\nif a < b:\n    c\n```'],
  ['<a href="https://a.example/x?y=1&amp;z=2">a</a>', '[a](https://a.example/x?y=1&z=2)'],
  ['<a href="javascript:alert(1)">a</a>', '[a]'],
  ['a <!-- hidden --> b<script>alert(1)</script>', 'a b'],
  ['1 < 2 and 3 > 2 &unknown; &#128029;', '1 < 2 and 3 > 2 &unknown; 🐝'],
  ['<p>open <b>never closed', 'open **never closed'],
  ['a<script>never closed', 'anever closed'],
  ['<pre>a  \n b</pre>', '```\na\n b\n```'],
])('%s is Markdown', (html, markdown) => {
  expect(markdownOfHtml(html)).toBe(markdown)
})

it('loses no word of a text, whatever stands around it', () => {
  const tag = fc.constantFrom(
    '<p>',
    '</p>',
    '<b>',
    '</li>',
    '<ul>',
    '<li>',
    '</ul>',
    '<',
    '<br/>',
    '<td>',
  )
  const word = fc.constantFrom('pear', 'quince', 'medlar')
  fc.assert(
    fc.property(fc.array(fc.oneof(tag, word)), (pieces) => {
      const words = pieces.filter((one) => /^[a-z]/.test(one))
      const found = markdownOfHtml(pieces.join(' ')).match(/pear|quince|medlar/g) ?? []
      expect(found).toEqual(words)
    }),
  )
})

it.each([
  ['brackets that begin nothing', `${'<'.repeat(400_000)}>`],
  ['lists in lists', '<ul><li>x'.repeat(40_000)],
  ['blocks', '<p>x</p><pre> </pre>'.repeat(40_000)],
  ['white space', `<pre>${' '.repeat(400_000)}x</pre>`],
  ['comments', '<!--'.repeat(100_000)],
])('takes a time that grows with the length of %s', (_, html) => {
  expect(markdownOfHtml(html).length).toBeLessThan(html.length * 10)
})
