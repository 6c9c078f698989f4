import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageChange } from '../../../../src/renderer/sent/comparison/align-messages'
import { compareSent as compareSentWithin } from '../../../../src/renderer/sent/comparison/compare'
import type { TextChange } from '../../../../src/shared/model/comparison/text-diff'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { Sent, type SentMessage } from '../../../../src/shared/model/run/sent'

/** Without a look at the clock: a busy machine compares as any other. */
const unhurried = Number.POSITIVE_INFINITY
const compareSent = (before: Sent, after: Sent) => compareSentWithin(before, after, unhurried)

const message = (role: string, text: string, more: Partial<SentMessage> = {}): SentMessage => ({
  role,
  text,
  calls: [],
  images: 0,
  tokens: 1,
  entryIds: [],
  ...more,
})

const sent = (messages: readonly SentMessage[], more: Partial<Sent> = {}): Sent =>
  Sent.parse({
    entryId: EntryId.parse('an-answer'),
    origin: 'log',
    match: 'exact',
    sentAtMs: null,
    answeredAtMs: 7_000,
    messages,
    tools: [],
    parameters: {},
    parts: { system: 0, history: 0, tools: 0, attachments: 0 },
    countedBy: { by: 'estimate' },
    notes: [],
    ...more,
  })

/** What a change leaves where what came is taken away, or what went. */
function side(change: TextChange, without: 'added' | 'removed'): string {
  return change.pieces
    .filter(({ type }) => type !== without)
    .map(({ text }) => text)
    .join('')
}

/** The texts of the messages of one request, put together from the changes alone. */
function texts(changes: readonly MessageChange[], without: 'added' | 'removed'): string[] {
  return changes.flatMap((change) => {
    if (change.type === 'same') return change.messages.map(({ text }) => text)
    if (change.type === 'changed') return [side(change.change, without)]
    return change.type === without ? [] : [change.message.text]
  })
}

describe('two requests', () => {
  it('give the messages of both back, in their order', () => {
    const one = fc
      .record({
        role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
        text: fc.constantFrom('a seed', 'a seed of beans', 'a leaf', 'water it now', '', 'x'),
      })
      .map(({ role, text }) => message(role, text))
    const many = fc.array(one, { maxLength: 14 })
    fc.assert(
      fc.property(many, many, (before, after) => {
        const { system, messages } = compareSent(sent(before), sent(after))
        const all = [...system, ...messages]
        expect(texts(all, 'added')).toEqual(before.map(({ text }) => text))
        expect(texts(all, 'removed')).toEqual(after.map(({ text }) => text))
      }),
      { numRuns: 400 },
    )
  })

  it('fold what is equal, and say what came after it', () => {
    const before = Array.from({ length: 38 }, (_, at) => message('user', `question ${at}`))
    const answer = message('assistant', 'Because of the frost.')
    const { system, messages } = compareSent(
      sent([message('system', 'Be brief.'), ...before]),
      sent([message('system', 'Be kind.'), ...before, answer]),
    )
    expect(system.map(({ type }) => type)).toEqual(['changed'])
    expect(messages).toEqual([
      { type: 'same', messages: before },
      { type: 'added', message: answer },
    ])
  })

  it('know a message again by its words, and by its entry where all of them are others', () => {
    const id = EntryId.parse('note')
    const { messages } = compareSent(
      sent([
        message('user', 'The plot by the wall is dry in June.'),
        message('user', 'one', { entryIds: [id] }),
        message('user', 'gone'),
      ]),
      sent([
        message('user', 'The plot by the wall is dry in July.'),
        message('user', 'quite another', { entryIds: [id] }),
        message('assistant', 'new'),
      ]),
    )
    expect(messages.map(({ type }) => type)).toEqual(['changed', 'changed', 'removed', 'added'])
  })

  it('differ where a call has other arguments, or an image went', () => {
    const call = { id: 'c1', name: 'read_file', arguments: '{"path":"a.md"}' }
    const { messages } = compareSent(
      sent([message('assistant', '', { calls: [call] }), message('user', 'Look', { images: 1 })]),
      sent([
        message('assistant', '', { calls: [{ ...call, arguments: '{"path":"b.md"}' }] }),
        message('user', 'Look'),
      ]),
    )
    const [first, second] = messages
    if (first?.type !== 'changed' || second?.type !== 'changed') throw new Error('not compared')
    expect(side(first.change, 'added')).toContain('"a.md"')
    expect(side(first.change, 'removed')).toContain('"b.md"')
    expect(second.change.pieces.map(({ type }) => type)).toEqual(['same', 'removed'])
  })

  it('name tools and parameters that differ, and count the others', () => {
    const tool = (name: string, description: string) => ({ name, description, tokens: 1 })
    const { tools, sameTools, parameters, sameParameters, model } = compareSent(
      sent([], {
        model: 'small',
        tools: [tool('read', 'Reads.'), tool('write', 'Writes.'), tool('same', '')],
        parameters: { temperature: '0.2', seed: '7' },
      }),
      sent([], {
        model: 'large',
        tools: [tool('read', 'Reads a file.'), tool('list', 'Lists.'), tool('same', '')],
        parameters: { temperature: '0.9', seed: '7' },
      }),
    )
    expect(tools.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'changed read',
      'removed write',
      'added list',
    ])
    expect(sameTools).toBe(1)
    expect(parameters.map(({ name }) => name)).toEqual(['temperature'])
    expect(sameParameters).toBe(1)
    expect(model && side(model, 'added')).toBe('small')
  })

  it('of thousands of messages that all differ are told at once, all of them', () => {
    const many = (from: number) =>
      Array.from({ length: 3_000 }, (_, at) => message('user', `${from + at}`))
    const { messages } = compareSentWithin(sent(many(0)), sent(many(10_000)))
    expect(texts(messages, 'added')).toEqual(many(0).map(({ text }) => text))
    expect(texts(messages, 'removed')).toEqual(many(10_000).map(({ text }) => text))
  })
})
