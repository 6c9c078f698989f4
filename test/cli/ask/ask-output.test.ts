import { describe, expect, it } from 'vitest'
import { type AskForm, askOutput } from '../../../src/cli/ask/ask-output'
import type { RunEvent } from '../../../src/shared/model/run/run'
import { message } from '../../support/entries'

/** What comes out, written as bytes each time, as a stream does it. */
async function printed(events: readonly RunEvent[], form: AskForm = 'text'): Promise<string> {
  const bytes: Buffer[] = []
  const output = {
    write: async (data: string | Uint8Array) => void bytes.push(Buffer.from(data)),
    say: () => {},
    isTerminal: false,
  }
  const told = askOutput(output, form, false)
  for (const event of events) await told.tell(event)
  await told.end('garden')
  return Buffer.concat(bytes).toString('utf8')
}

const deltas = (...texts: readonly string[]): RunEvent[] =>
  texts.map((text, seq) => ({ type: 'delta', seq, kind: 'content', text }))
const done: RunEvent = { type: 'ended', outcome: 'complete' }

describe('a character that comes in two parts', () => {
  const family = '👩‍👩‍👧 𝒳!'

  it('is printed whole, wherever it is cut', async () => {
    for (let at = 0; at <= family.length; at++)
      expect(await printed([...deltas(family.slice(0, at), family.slice(at)), done])).toBe(
        `${family}\n`,
      )
    expect(await printed([...deltas(...family.split('')), done])).toBe(`${family}\n`)
    expect(await printed([...deltas('a\ud83d', '', '\udc69b'), done])).toBe('a👩b\n')
  })

  it('is told as broken where the other half never comes', async () => {
    expect(await printed([...deltas('a\ud83d'), done])).toBe('a\ufffd\n')
    expect(await printed([...deltas('a\ud83d', 'b'), done])).toBe('a\ufffdb\n')
    // The next turn's words do not finish it.
    const entry = { ...message('a', { role: 'agent' }), file: 'active.jsonl', offset: 0, length: 2 }
    const row: RunEvent = { type: 'appended', row: { type: 'entry', entry } }
    expect(await printed([...deltas('a\ud83d'), row, ...deltas('\udc69b'), done])).toBe(
      'a\ufffd\n\n\ufffdb\n',
    )
  })
})

describe('what comes with an answer', () => {
  const answer = (role: 'agent' | 'user'): RunEvent => {
    const images = [{ file: 'attachments/a.png', mime: 'image/png', name: 'image 1' }]
    const attachments = [
      { filename: 'b.pdf', mime_type: 'application/pdf', size: '2KB', file: 'attachments/b.bin' },
      { filename: 'c', mime_type: 'unknown', url: 'https://example.org/c' },
      'no attachment',
    ]
    const entry = message('', { role, metadata: { images, attachments } })
    return {
      type: 'appended',
      row: { type: 'entry', entry: { ...entry, file: 'f', offset: 0, length: 2 } },
    }
  }

  it('is named with its place, so that an answer of a picture alone is not nothing', async () => {
    expect(await printed([answer('agent'), done])).toBe(
      [
        'Attached: b.pdf (application/pdf, 2KB): attachments/b.bin',
        'Attached: c (unknown): https://example.org/c',
        'Image: image 1 (image/png): attachments/a.png',
        '',
      ].join('\n'),
    )
    expect(await printed([answer('user'), done])).toBe('')
  })
})

describe('a request that had to differ from what was meant', () => {
  it('is told on standard error, each change once', async () => {
    const said: string[] = []
    const output = {
      write: async () => undefined,
      say: (words: string) => void said.push(words),
      isTerminal: false,
    }
    const told = askOutput(output, 'text', false)
    const metadata = {
      without_tools: true,
      without_parameters: ['top_p', 7],
      adapted: ['system-as-user', 'no-such-way'],
    }
    for (const id of ['a', 'b']) {
      const entry = { ...message(id, { role: 'agent', metadata }), file: 'f', offset: 0, length: 2 }
      await told.tell({ type: 'appended', row: { type: 'entry', entry } })
    }
    await told.tell(done)
    await told.end('garden')
    expect(said).toEqual([
      'The model takes no tools: none were offered.',
      'Sent without top_p: the provider refused it.',
      'The model takes no system prompt: it was sent before the first message.',
    ])
  })
})
