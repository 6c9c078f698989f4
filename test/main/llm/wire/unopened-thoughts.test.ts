import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import { unopenedThoughts } from '../../../../src/main/llm/wire/unopened-thoughts'
import { chunk, eventStream, rawServer } from '../../../support/raw-server'
import { tempFolders } from '../../../support/temp-folder'
import { preparedHome } from '../support/prepared-run'
import { content } from '../support/tool-support'

const temp = tempFolders()

/** Words and thoughts after pieces, as a reply has them. */
function read(pieces: readonly string[]) {
  const tag = unopenedThoughts()
  let content = ''
  let reasoning = ''
  const take = (runs: ReturnType<typeof tag.push>) => {
    for (const run of runs)
      if (run.type === 'content') content += run.text
      else {
        reasoning = content.trim()
        content = ''
      }
  }
  for (const piece of pieces) take(tag.push(piece))
  take(tag.end())
  return { content, reasoning }
}

/** The same of a whole text, by one expression: nothing of the code above is asked. */
function plain(text: string) {
  const found = /^[ \t]*<\/(think|thinking)>[ \t]*\r?$/im.exec(text)
  const before = text.slice(0, found?.index ?? 0)
  const fences = before.match(/^[ \t]*(```|~~~)/gm) ?? []
  if (found === null || fences.length % 2 === 1 || /<think(ing)?>/i.test(before))
    return { content: text, reasoning: '' }
  return {
    content: text.slice(found.index + found[0].length).trimStart(),
    reasoning: before.trim(),
  }
}

describe('thoughts that were never opened', () => {
  it('are told apart as soon as the line of their closing tag is there', () => {
    const tag = unopenedThoughts()
    expect(tag.push('Let me see.\n</thi')).toEqual([{ type: 'content', text: 'Let me see.\n' }])
    expect(tag.push('nk>\n\n')).toEqual([{ type: 'parted' }])
    expect(tag.push('\nFour')).toEqual([{ type: 'content', text: 'Four' }])
    expect(tag.push('.\n</think>\n')).toEqual([{ type: 'content', text: '.\n</think>\n' }])
    expect(tag.end()).toEqual([])
  })

  it.each([
    ['inside of a line', 'It ends with </think> there.\nSo it is.'],
    ['inside of code', 'See:\n```\n</think>\n```\nSo it is.\n</think>\nEnd.'],
    ['behind an opening tag', 'Write <think>\nand\n</think>\nand go on.'],
    ['in words that only begin like it', 'a\n</thinker>\nb\n  </\nc'],
  ])('a tag %s is what it says', (_where, text) => {
    expect(read([text])).toEqual({ content: text, reasoning: '' })
    expect(read(text.split(''))).toEqual({ content: text, reasoning: '' })
  })

  it('stand beside the answer, also where it was broken off, and are told while they stream', async () => {
    const home = preparedHome(temp())
    const { events } = await home.play([
      [content('Two and '), content('two.\n'), { type: 'parted' }, content('Four')],
    ])
    const deltas = events.flatMap((event) =>
      event.type === 'delta' ? [[event.seq, event.kind, event.text]] : [],
    )
    expect(deltas).toEqual([
      [0, 'content', 'Two and '],
      [1, 'content', 'two.\n'],
      [2, 'parted', ''],
      [3, 'content', 'Four'],
    ])
    const entry = (await home.entriesOf()).findLast(({ role }) => role === 'agent')
    expect([entry?.content, entry?.metadata?.reasoning]).toEqual(['Four', 'Two and two.'])
  })

  it('come from a server as words, then the news, then the answer, without the keys in them', async () => {
    const key = 'sk-0123456789abcdef'
    const server = await rawServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        eventStream(
          chunk({ content: 'The key is sk-01234' }),
          chunk({ content: '56789abcdef\n</thi' }),
          chunk({ content: 'nk>\n\nFour.' }, 'stop'),
          '[DONE]',
        ),
      )
    })
    onTestFinished(() => server.close())
    const told: string[] = []
    const stream = openAiStream({ baseUrl: server.url, apiKey: key })
    const request = { model: 'm', messages: [{ role: 'user', content: 'x' }] } as const
    for await (const event of stream(request, new AbortController().signal))
      if (event.type === 'content') told.push(event.text)
      else if (event.type === 'parted') told.push('(parted)')
    expect(told.join('')).toBe('The key is [key]\n(parted)Four.')
  })

  it('are told apart the same however the answer is cut', () => {
    const piece = fc.constantFrom(
      ...[
        '</think>',
        '</thinking>',
        '<think>',
        '\n',
        '\r\n',
        ' ',
        '\t',
        '```',
        'a',
        '</',
        'think',
        '>',
      ],
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 24 }),
        fc.array(fc.nat(8), { maxLength: 40 }),
        (words, cuts) => {
          const text = words.join('')
          const pieces: string[] = []
          let at = 0
          for (const cut of cuts) {
            pieces.push(text.slice(at, at + cut))
            at += cut
          }
          pieces.push(text.slice(at))
          expect(read(pieces)).toEqual(plain(text))
        },
      ),
      { numRuns: 3000 },
    )
  })
})
