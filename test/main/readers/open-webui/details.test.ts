import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { webuiParts } from '../../../../src/main/readers/open-webui/details'

const words = (text: string) => ({ type: 'words', text })

describe('the text of an answer', () => {
  it('has thoughts and calls between its words, however they were escaped', () => {
    const text = [
      '<details type="reasoning" done="true" duration="2">\n<summary>Thought for 2 seconds</summary>\n> one\n> \n> two\n</details>',
      'Words.',
      `<details type="tool_calls" done="true" id="c1" name="look" arguments='{"at":"a > b"}' result='"found"'>\n<summary>Tool Executed</summary>\n</details>`,
      '<details type="tool_calls" done="true" id="c2" name="say" arguments="{}">\n<summary>Tool Executed</summary>\n&quot;it&#x27;s &amp;lt;&quot;\n</details>',
      '<details type="tool_calls" done="false" id="c3" name="wait" arguments="">\n<summary>Executing...</summary>\n</details>',
      '<details type="code_interpreter" done="true" output="{&quot;stdout&quot;:&quot;2&quot;}">\n<summary>Analyzed</summary>\n```python\nprint(1 + 1)\n```\n</details>',
      'More.',
    ].join('\n')
    expect(webuiParts(text)).toEqual([
      { type: 'reasoning', text: 'one\n\ntwo' },
      words('Words.'),
      { type: 'call', id: 'c1', name: 'look', input: '{"at":"a > b"}', result: 'found' },
      { type: 'call', id: 'c2', name: 'say', input: '{}', result: "it's &lt;" },
      { type: 'call', id: 'c3', name: 'wait', input: '', result: undefined },
      {
        type: 'call',
        id: undefined,
        name: 'code_interpreter',
        input: 'print(1 + 1)',
        result: '{"stdout":"2"}',
      },
      words('More.'),
    ])
  })

  it('is words where a block is somebody’s own or has no end', () => {
    for (const text of [
      'a <details type="reasoning">b</details>',
      '<details type="reasoning" done="true">\nstill thinking',
      '<details>\n<summary>Spoiler</summary>\nmine\n</details>',
      '<details type="reasoning" "odd">x</details>',
    ])
      expect(webuiParts(text)).toEqual([words(text)])
  })

  it('loses no word, whatever stands between blocks', () => {
    const piece = fc.oneof(
      fc.constantFrom('<details type="reasoning">', '</details>', '\n', '<summary>', '> '),
      fc.string({ maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const marked = pieces.map((one, at) => `${one}w${at}w`)
        const told = webuiParts(marked.join(''))
          .map((part) => (part.type === 'call' ? part.result : part.text))
          .join(' ')
        // A summary is the program's own.
        for (const [at, one] of marked.entries())
          if (!pieces.slice(0, at + 1).includes('<summary>')) expect(told, one).toContain(`w${at}w`)
      }),
    )
  })
})
