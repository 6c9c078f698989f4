import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryId } from '../../../../src/shared/model/conversation/entry'
import { blockingKeys, groupRelatives } from '../../../../src/shared/model/family/blocking-keys'
import { familiesOf } from '../../../../src/shared/model/family/branches'
import {
  type ContextOrigin,
  contextOrigin,
  type Family,
  forksOf,
  isInFamily,
  leavesOf,
  pathBetween,
  pathTo,
} from '../../../../src/shared/model/family/family'
import { mergeTree } from '../../../../src/shared/model/family/merge'
import {
  type OutlinedConversation,
  type OutlinedEntry,
  outlineOf,
} from '../../../../src/shared/model/family/outline'
import { kinshipsOf } from '../../../../src/shared/model/family/parents'
import { familyViewOf } from '../../../../src/shared/model/family-view/family-view'
import { conversation, drawn, key, lines, message, uuid } from '../../../support/outlined'

const familiesFrom = (conversations: readonly OutlinedConversation[]) =>
  familiesOf(conversations.map(outlineOf))
const drawnFrom = (conversations: readonly OutlinedConversation[]) =>
  familiesFrom(conversations).map((family) => readable(drawn(family)))
const kinshipsFrom = (conversations: readonly OutlinedConversation[]) =>
  kinshipsOf(mergeTree(conversations.map(outlineOf)))

/** UUIDs back to the words that they stand for. */
function readable(rows: readonly string[]): readonly string[] {
  return rows.map((row) =>
    row.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (found) =>
      Buffer.from(found.replaceAll('-', ''), 'hex').toString().replace(/\.+$/, ''),
    ),
  )
}

/** An entry of a context of ours: its id is a UUID. */
const own = (word: string, who: 'user' | 'agent' = 'user') =>
  message(who, `text of ${word}`, { id: uuid(word) })
const anchor = (word: string, origin?: ContextOrigin): OutlinedEntry => ({
  ...message('system', 'Context created', { id: uuid(word) }),
  entry_type: 'context_created',
  role: undefined,
  metadata: origin === undefined ? undefined : { origin },
})
const origin = (name: string, entry: EntryId | null, entries: number, source = 'chibi') => ({
  source,
  key: key(name),
  entry,
  entries,
})
const context = (name: string, day: number, entries: readonly OutlinedEntry[]) =>
  conversation(name, entries, {
    source: 'chibi',
    created: `2026-03-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  })

const parent = context('garden', 1, [
  anchor('a0'),
  own('q1'),
  own('r1', 'agent'),
  own('q2'),
  own('r2', 'agent'),
])

describe('branches of our own contexts', () => {
  it('joins an edited message with its parent where the copies end', () => {
    const edited = context('garden-2', 2, [
      anchor('a1', origin('garden', uuid('r1'), 2)),
      own('q1'),
      own('r1', 'agent'),
      own('q2b'),
      own('r2b', 'agent'),
    ])
    expect(drawnFrom([edited, parent])).toEqual([
      [
        'garden a0..r1 [garden garden-2] *',
        '  garden q2..r2 [garden]',
        '  garden-2 q2b..r2b [garden-2] *',
      ],
    ])
    expect(kinshipsFrom([parent, edited])[1]).toMatchObject({
      parent: { key: 'garden', entries: 2, messages: 2 },
    })
  })

  it('keeps what stands before the copied window on the way of the branch', () => {
    const long = context('long', 1, [
      anchor('a0'),
      own('q1'),
      own('r1', 'agent'),
      { ...anchor('c1'), entry_type: 'compaction' },
      own('q2'),
      own('r2', 'agent'),
      own('q3'),
    ])
    const branch = context('branch', 2, [
      anchor('a1', origin('long', uuid('r2'), 2)),
      own('q2'),
      own('r2', 'agent'),
      own('q3b'),
    ])
    expect(drawnFrom([long, branch])).toEqual([
      ['long a0..r2 [long branch] *', '  long q3..q3 [long]', '  branch q3b..q3b [branch] *'],
    ])
  })

  it('shows a branch in which nothing was said yet, by its anchor', () => {
    const fresh = context('fresh', 2, [anchor('a1', origin('garden', uuid('q1'), 1)), own('q1')])
    expect(drawnFrom([parent, fresh])).toEqual([
      ['garden a0..q1 [garden fresh] *', '  garden r1..r2 [garden]', '  fresh a1..a1 [fresh] *'],
    ])
  })

  it('hangs a branch of a branch on the branch, also before its first copy', () => {
    const second = context('second', 2, [
      anchor('a1', origin('garden', uuid('r1'), 2)),
      own('q1'),
      own('r1', 'agent'),
      own('q2b'),
    ])
    const third = context('third', 3, [
      anchor('a2', origin('second', uuid('q2b'), 3)),
      own('q1'),
      own('r1', 'agent'),
      own('q2b'),
      own('r2c', 'agent'),
    ])
    const first = context('other-begin', 4, [
      anchor('a3', origin('second', uuid('a1'), 0)),
      own('q1d'),
    ])
    expect(drawnFrom([first, third, second, parent])).toEqual([
      [
        'garden a0..a0 [garden second third other-begin] *',
        '  garden q1..r1 [garden second third]',
        '    garden q2..r2 [garden]',
        '    second q2b..q2b [second third]',
        '      third r2c..r2c [third]',
        '  other-begin q1d..q1d [other-begin] *',
      ],
    ])
  })

  it('joins an adopted foreign path with its source, whatever ids the copies have', () => {
    const source = conversation(
      'chat-history-1',
      lines([message('user', 'hello'), message('agent', 'good day'), message('user', 'tell me')]),
      { created: '2026-02-01T00:00:00.000Z' },
    )
    const adopted = context('taken', 5, [
      anchor('a1', origin('chat-history-1', [...source.entries][1]?.id ?? null, 2, 'cycod')),
      own('copy1'),
      own('copy2', 'agent'),
      own('new1'),
    ])
    expect(drawnFrom([adopted, source])).toEqual([
      [
        'chat-history-1 L1..L2 [chat-history-1 taken] *',
        '  chat-history-1 L3..L3 [chat-history-1]',
        '  taken new1..new1 [taken] *',
      ],
    ])
    expect(kinshipsFrom([source, adopted])[1]).toMatchObject({
      parent: { source: 'cycod', key: 'chat-history-1', entries: 2 },
    })
  })

  it('keeps siblings together by their copies when the parent is gone', () => {
    const twins = ['b', 'c'].map((word, i) =>
      context(`twin-${word}`, 2 + i, [
        anchor(`a${word}`, origin('gone', uuid('q1'), 1)),
        own('q1'),
        own(`r${word}`, 'agent'),
      ]),
    )
    expect(drawnFrom(twins)).toEqual([
      ['twin-b q1..q1 [twin-b twin-c] *', '  twin-b rb..rb [twin-b]', '  twin-c rc..rc [twin-c] *'],
    ])
  })

  it('uses the last copy that the parent still has when the entry that the origin names is gone', () => {
    const branch = context('branch', 2, [
      anchor('a1', origin('garden', uuid('cut-off'), 2)),
      own('q1'),
      own('cut-off', 'agent'),
      own('new'),
    ])
    expect(drawnFrom([parent, branch])[0]?.[0]).toBe('garden a0..q1 [garden branch] *')
  })

  it('ends when two contexts name each other as origin', () => {
    const a = context('a', 1, [anchor('a0', origin('b', uuid('q'), 1)), own('q')])
    const b = context('b', 2, [anchor('b0', origin('a', uuid('q'), 1)), own('q'), own('z')])
    expect(familiesFrom([a, b])).toHaveLength(1)
  })

  it('does not join contexts whose equal words have ids of their own: they were said twice', () => {
    const twice = ['one', 'two'].map((word) =>
      context(word, 1, [
        anchor(`${word}-0`),
        { ...own(`${word}-1`), content: 'hello' },
        { ...own(`${word}-2`, 'agent'), content: 'Hello! How can I help?' },
      ]),
    )
    expect(familiesFrom(twice)).toHaveLength(2)
  })

  it('joins a context that was copied by hand, and takes equal twins as no parents of each other', () => {
    const copy = { ...parent, key: key('garden-copy'), created: '2026-03-09T00:00:00.000Z' }
    expect(drawnFrom([copy, parent])).toEqual([['garden a0..r2 [garden garden-copy] *']])
    expect(kinshipsFrom([copy, parent]).map((kinship) => kinship.parent)).toEqual([
      undefined,
      undefined,
    ])
  })

  it('takes an origin of another shape for no origin', () => {
    const odd = { ...anchor('a1'), metadata: { origin: { source: 'chibi', key: '', entries: -1 } } }
    expect(contextOrigin(odd)).toBeUndefined()
    expect(drawnFrom([context('odd', 1, [odd, own('q1')])])).toEqual([['odd a1..q1 [odd] *']])
  })
})

describe('what counts as the same', () => {
  const call = (toolId: string, args = '{}') =>
    message('agent', args, { entry_type: 'tool_call', role: undefined, tool_call_id: toolId })
  const result = (toolId: string, text: string) =>
    message('agent', text, { entry_type: 'tool_result', role: undefined, tool_call_id: toolId })
  const unique = 'toolu_01WKbsDE5kGZoDiPCFdcERFm'
  const file = (n: number, entries: readonly OutlinedEntry[]) =>
    conversation(`chat-history-${n}`, lines(entries), { created: new Date(n).toISOString() })
  const start = [message('user', 'find it'), message('agent', 'looking')]

  it('has every message that one file has under one id with another text, also beside its copy in another file', () => {
    const texts = fc.array(fc.tuple(fc.nat(3), fc.nat(2), fc.nat(9)), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(texts, (drawnOnes) => {
        const entries = drawnOnes.map(([id, text, parent], at): OutlinedEntry => {
          const before = drawnOnes[parent % (at + 1)]?.[0] ?? 0
          return message(at % 2 === 0 ? 'user' : 'agent', `text ${text}`, {
            id: uuid(`m${id}`),
            parent: at === 0 ? null : uuid(`m${before}`),
          })
        })
        // The same line twice is one entry, as readers give it.
        const seen = new Set<string>()
        const once = entries.filter(({ id, content }) => {
          const isNew = !seen.has(`${id} ${content}`)
          seen.add(`${id} ${content}`)
          return isNew
        })
        const one = conversation('one', once)
        const [family] = familiesFrom([one])
        const held = (found: Family | undefined) =>
          found?.nodes.reduce((sum, node) => sum + node.entries, 0)
        expect(held(family)).toBe(once.length)
        const both = familiesFrom([one, conversation('two', once)])
        expect(both.map(held).reduce((sum, entries) => (sum ?? 0) + (entries ?? 0), 0)).toBe(
          once.length * both.length,
        )
      }),
    )
  })

  it('takes a result that was cut for the same, by its call id', () => {
    const whole = file(1, [
      ...start,
      call(unique),
      result(unique, 'x'.repeat(2000)),
      message('agent', 'here'),
    ])
    const cut = file(2, [
      ...start,
      call(unique),
      result(unique, '...snip...'),
      message('agent', 'here'),
      message('user', 'go on'),
    ])
    expect(drawnFrom([whole, cut])[0]?.[0]).toBe(
      'chat-history-1 L1..L5 [chat-history-1 chat-history-2] *',
    )
  })

  it('joins by a run of tool calls though words before it differ and one file has a line more', () => {
    const a = file(1, [...start, call(unique), result(unique, 'x'), message('user', 'a')])
    const b = file(2, [
      message('system', 'now with rules'),
      message('user', 'find it!'),
      ...start.slice(1),
      call(unique),
      result(unique, 'x'),
      message('user', 'b'),
    ])
    expect(drawnFrom([a, b])).toEqual([
      [
        'chat-history-1 L1..L4 [chat-history-1 chat-history-2] *',
        '  chat-history-1 L5..L5 [chat-history-1]',
        '  chat-history-2 L6..L6 [chat-history-2] *',
      ],
    ])
  })

  it('does not join unrelated files because their calls are numbered from 0', () => {
    const a = file(1, [message('user', 'what time is it'), call('call_0'), result('call_0', 'ten')])
    const b = file(2, [message('user', 'list the files'), call('call_0'), result('call_0', 'a b')])
    expect(familiesFrom([a, b])).toHaveLength(2)
  })

  it('takes a long text that was cut for the same, but not two long texts with one beginning', () => {
    const log = 'line of a log\n'.repeat(200)
    const whole = file(1, [
      ...start,
      message('user', `${log}which one?`),
      message('agent', 'the third'),
    ])
    const cut = file(2, [
      ...start,
      message('user', `${log.slice(0, 1500)}...snip...`),
      message('agent', 'the third'),
    ])
    const other = file(3, [...start, message('user', `${log}how many?`), message('agent', '200')])
    expect(drawnFrom([whole, cut, other])).toEqual([
      [
        'chat-history-1 L1..L2 [chat-history-1 chat-history-2 chat-history-3] *',
        '  chat-history-1 L3..L4 [chat-history-1 chat-history-2]',
        '  chat-history-3 L3..L4 [chat-history-3] *',
      ],
    ])
  })

  it('never parts in the middle of a line: equal words with another call are another message', () => {
    const withCall = (n: number, args: string): OutlinedConversation => {
      const entries = lines([...start, message('user', 'again')])
      const said = {
        ...message('agent', 'Let me check.'),
        id: entries[0]?.id.replace('1', '4') as EntryId,
      }
      return {
        ...file(n, []),
        entries: [...entries, said, { ...call(`call_${n}`, args), id: `${said.id}#2` as EntryId }],
      }
    }
    expect(drawnFrom([withCall(1, '{"a":1}'), withCall(2, '{"a":2}')])[0]?.slice(1)).toEqual([
      '  chat-history-1 L4..L4#2 [chat-history-1]',
      '  chat-history-2 L4..L4#2 [chat-history-2] *',
    ])
  })

  it('prefers the parent that shares most, then the older one', () => {
    const short = file(1, start)
    const long = file(2, [...start, message('user', 'and then')])
    const twin = file(3, [...start, message('user', 'and then')])
    const child = file(4, [...start, message('user', 'and then'), message('agent', 'this')])
    const parents = Object.fromEntries(
      kinshipsFrom([child, twin, long, short]).map((kinship) => [kinship.key, kinship.parent?.key]),
    )
    expect(parents).toEqual({
      'chat-history-1': undefined,
      'chat-history-2': 'chat-history-1',
      'chat-history-3': 'chat-history-1',
      'chat-history-4': 'chat-history-2',
    })
  })
})

describe('ways through a family', () => {
  const [family] = familiesFrom([
    parent,
    context('garden-2', 2, [
      anchor('a1', origin('garden', uuid('r1'), 2)),
      own('q1'),
      own('r1', 'agent'),
      own('q2b'),
    ]),
    context('garden-3', 3, [
      anchor('a2', origin('garden', uuid('r1'), 2)),
      own('q1'),
      own('r1', 'agent'),
      own('q2c'),
    ]),
  ]) as readonly [Family]
  const [root, first, second, third] = family.nodes.map((node) => node.id) as [
    string,
    string,
    string,
    string,
  ]

  it('tells the fork marker of every version: which it is, and of what', () => {
    const marks = ['garden', 'garden-2', 'garden-3'].map((name) =>
      forksOf(family, { source: 'chibi', key: key(name) }).map((fork) => [
        readable([fork.entry])[0],
        `${fork.index + 1} / ${fork.siblings.length}`,
      ]),
    )
    expect(marks).toEqual([[['q2', '1 / 3']], [['q2b', '2 / 3']], [['q2c', '3 / 3']]])
  })

  it('finds the path to a node, and the way between two over their fork', () => {
    const ids = (nodes: readonly { readonly id: string }[]) => nodes.map((node) => node.id)
    expect(ids(pathTo(family, third))).toEqual([root, third])
    expect(pathTo(family, 'nowhere')).toEqual([])
    const way = pathBetween(family, first, second)
    expect([ids(way.up), way.common?.id, ids(way.down)]).toEqual([[first], root, [second]])
    expect(pathBetween(family, root, root)).toMatchObject({
      up: [],
      common: { id: root },
      down: [],
    })
  })

  it('follows the conversation that is asked for, else the one that changed last', () => {
    const outlines = [
      { ...parent, updated: '2026-03-20T00:00:00.000Z' },
      context('garden-2', 2, [
        anchor('a1', origin('garden', uuid('r1'), 2)),
        own('q1'),
        own('r1', 'agent'),
        own('q2b'),
      ]),
    ].map(outlineOf)
    const tips = (current?: string) =>
      familiesOf(
        outlines,
        current === undefined ? undefined : { source: 'chibi', key: key(current) },
      )
        .flatMap(leavesOf)
        .filter((node) => node.active)
        .map((node) => node.key)
    expect([tips(), tips('garden-2')]).toEqual([['garden'], ['garden-2']])
    expect(isInFamily(family, { source: 'cycod', key: key('garden') })).toBe(false)
  })
})

describe('random families', () => {
  // Few words, so that prefixes meet; no system prompts and no ids: words alone decide.
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 7 })
  const histories = fc.array(texts, { minLength: 1, maxLength: 12 })
  const make = (history: readonly string[], n: number) =>
    conversation(
      `c${n}`,
      lines(history.map((text, at) => message(at % 2 === 0 ? 'user' : 'agent', text))),
      { created: new Date(1000 + n).toISOString() },
    )
  const said = (family: Family, all: readonly (readonly string[])[], name: string) =>
    family.nodes
      .filter((node) => node.keys.some((holder) => holder === name))
      .flatMap((node) => {
        const owner = all[Number(node.key.slice(1))] ?? []
        return owner.slice(Number(node.fromEntry.slice(1)) - 1, Number(node.toEntry.slice(1)))
      })

  it('holds every conversation whole, every message once, and joins exactly those that share two', () => {
    fc.assert(
      fc.property(histories, (all) => {
        const families = familiesFrom(all.map(make))
        all.forEach((history, n) => {
          const holders = families.filter((family) =>
            isInFamily(family, { source: 'cycod', key: key(`c${n}`) }),
          )
          expect(holders).toHaveLength(1)
          expect(holders.flatMap((family) => said(family, all, `c${n}`))).toEqual(history)
        })
        for (const family of families) {
          const members = all.filter((_, n) =>
            isInFamily(family, { source: 'cycod', key: key(`c${n}`) }),
          )
          const prefixes = new Set(
            members.flatMap((history) => history.map((_, at) => history.slice(0, at + 1).join())),
          )
          expect(family.nodes.reduce((sum, node) => sum + node.entries, 0)).toBe(prefixes.size)
          expect(
            members.every(
              (member) =>
                members.length === 1 ||
                member.slice(0, 2).join() === members[0]?.slice(0, 2).join(),
            ),
          ).toBe(true)
        }
        const openings = all.map((history, n) =>
          history.length < 2 ? `${n} alone` : history.slice(0, 2).join(),
        )
        expect(families).toHaveLength(new Set(openings).size)
      }),
      { numRuns: 300 },
    )
  })

  it('names as parent the longest other history that this one goes on from, and the older of equals', () => {
    fc.assert(
      fc.property(histories, (all) => {
        const outlines = all.map(make).map(outlineOf)
        const groups = groupRelatives(outlines.map(blockingKeys))
        const got = groups
          .flatMap((group) => kinshipsOf(mergeTree(group.flatMap((i) => outlines[i] ?? []))))
          .map((kinship) => [kinship.key, kinship.parent?.key, kinship.parent?.entries])
          .sort()
        const want = all
          .map((history, n) => {
            const parents = all
              .map((other, m) => ({ other, m }))
              .filter(
                ({ other }) =>
                  other.length >= 2 &&
                  other.length < history.length &&
                  other.every((text, at) => text === history[at]),
              )
              .sort((a, b) => b.other.length - a.other.length || a.m - b.m)
            return [
              `c${n}`,
              parents[0] === undefined ? undefined : `c${parents[0].m}`,
              parents[0]?.other.length,
            ]
          })
          .sort()
        expect(got).toEqual(want)
      }),
      { numRuns: 300 },
    )
  })
})

describe('subagents', () => {
  const day = (n: number) => ({ created: `2026-03-0${n}T00:00:00.000Z` })
  const linked = (word: string, parent: string | null, who: 'user' | 'agent' = 'user', more = {}) =>
    message(who, `text of ${word}`, {
      id: uuid(word),
      parent: parent === null ? null : uuid(parent),
      ...more,
    })
  const call = 'toolu_01TaskCCCCCCCCCCCCCCCC'
  const task = linked('c', 'q', 'agent', {
    entry_type: 'tool_call',
    role: undefined,
    tool_call_id: call,
  })
  const session = conversation(
    'session',
    [linked('q', null), task, linked('n1', 'c'), linked('n2', 'c')],
    { ...day(1), forkRule: 'human-turns' },
  )

  it('stand below the run that called them, as no branch of it', () => {
    const agent = conversation('session/agent-1', [linked('p', null), linked('b', 'p', 'agent')], {
      ...day(2),
      subagentOf: { key: key('session'), call },
    })
    const [family] = familiesFrom([agent, session])
    expect(family?.nodes.map(({ key, kind, parent }) => [key, kind, parent])).toEqual([
      ['session', 'run', null],
      ['session', 'run', family?.nodes[0]?.id],
      ['session', 'run', family?.nodes[0]?.id],
      ['session/agent-1', 'subagent', family?.nodes[0]?.id],
    ])
    expect(leavesOf(family ?? { root: '', nodes: [] })).toHaveLength(2)
    // The newest is the subagent's; the family is where its session is.
    expect(family?.nodes.map(({ active }) => active)).toEqual([true, false, true, false])
  })

  it('are named at the call, in the view of their session', () => {
    const agent = conversation('session/agent-1', [linked('p', null), linked('b', 'p', 'agent')], {
      ...day(2),
      subagentOf: { key: key('session'), call },
    })
    const outlines = [session, agent].map(outlineOf)
    const view = familyViewOf(outlines, { source: 'cycod', key: key('session') })
    expect(view?.subagents).toEqual([
      {
        caller: uuid('c'),
        key: 'cycod:session/agent-1',
        entry: uuid('p'),
        title: 'text of p',
      },
    ])
    // One whose call cannot be found is at the last message by then.
    const lost = {
      ...agent,
      subagentOf: { key: key('session'), call: 'toolu_01LostDDDDDDDDDDDDDD' },
    }
    const other = familyViewOf([session, lost].map(outlineOf), {
      source: 'cycod',
      key: key('session'),
    })
    expect(other?.subagents).toHaveLength(1)
  })

  it('in the file of their session are no roots of it', () => {
    const aside = (word: string, parent: string | null) =>
      linked(word, parent, 'agent', { metadata: { subagent: '' } })
    const whole = { ...session, entries: [...session.entries, aside('p', null), aside('b', 'p')] }
    const [family] = familiesFrom([whole])
    const kinds = family?.nodes.map(({ kind, fromEntry }) => [kind, fromEntry])
    expect(kinds).toContainEqual(['subagent', uuid('p')])
    expect(family?.nodes.filter(({ parent }) => parent === null)).toHaveLength(1)
  })

  it('that name each other as callers lose none of their entries', () => {
    const one = conversation('one', [linked('p', null)], {
      ...day(1),
      subagentOf: { key: key('two') },
    })
    const two = conversation('two', [linked('b', null)], {
      ...day(2),
      subagentOf: { key: key('one') },
    })
    const [family] = familiesFrom([one, two])
    expect(family?.nodes).toHaveLength(2)
  })
})

it('takes an older conversation with the same ids for the parent, and its entries for inherited', () => {
  const linked = (word: string, parent: string | null, who: 'user' | 'agent' = 'user') =>
    message(who, `text of ${word}`, {
      id: uuid(word),
      parent: parent === null ? null : uuid(parent),
    })
  const shared = [linked('q1', null), linked('a1', 'q1', 'agent')]
  const older = conversation('older', [...shared, linked('q2', 'a1')], {
    created: '2026-03-01T00:00:00.000Z',
  })
  const fork = conversation('fork', [...shared, linked('q3', 'a1')], {
    created: '2026-03-02T00:00:00.000Z',
  })
  const [first, second] = kinshipsFrom([fork, older])
  expect([first?.key, first?.parent, first?.copies]).toEqual(['older', undefined, []])
  expect(second?.parent).toMatchObject({ key: 'older', entries: 2 })
  expect(second?.copies).toEqual([0, 1])
})
