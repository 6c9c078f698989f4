import { describe, expect, it } from 'vitest'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import {
  copyTextOf,
  type Item,
  sourceLinesOf,
} from '../../../../src/renderer/transcript/items/items'
import { rowKey, type TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import { answered, called, type RowDraft, returned, rowsOf, said } from '../../harness/rows'

const shownAs = new Map<string, string>()

function itemsOf(drafts: readonly RowDraft[], hasBefore = false): Item[] {
  return buildItems(rowsOf(drafts), { hasBefore, shownAs })
}

/** Items in short: their type, and what tells them apart. */
function short(items: readonly Item[]): string[] {
  return items.map((item) => {
    if (item.type === 'agent') return `agent ${item.isHead ? 'head ' : ''}${item.text}`
    if (item.type === 'user') return `user ${item.text}`
    if (item.type === 'tool')
      return `tool ${item.isHead ? 'head ' : ''}${item.call?.to ?? '-'} ${item.result?.content ?? '-'}`
    if (item.type === 'seam')
      return `seam ${item.entries.map((entry) => entry.entry_type).join('+')}`
    return item.type
  })
}

describe('pairs of call and result', () => {
  it('are one item, by their ids, whatever the order of the results', () => {
    const items = itemsOf([
      called('read', { path: 'a' }, '1'),
      called('list', {}, '2'),
      returned('list', 'second', '2'),
      returned('read', 'first', '1'),
    ])
    expect(short(items)).toEqual(['day', 'tool head read first', 'tool list second'])
  })

  it('are joined by position where there are no ids', () => {
    const items = itemsOf([
      called('read', {}),
      called('list', {}),
      returned('read', 'first'),
      returned('list', 'second'),
      called('run', {}),
      returned('run', 'third'),
    ])
    expect(short(items)).toEqual([
      'day',
      'tool head read first',
      'tool list second',
      'tool run third',
    ])
  })

  it('are not made of two ids that differ', () => {
    const items = itemsOf([called('read', {}, '1'), returned('read', 'of another', '9')])
    expect(short(items)).toEqual(['day', 'tool head read -', 'tool - of another'])
  })

  it('leave a call without its result, and a result without its call, on the page', () => {
    const items = itemsOf([returned('read', 'lost', '0'), said('Hm.'), called('read', {}, '1')])
    expect(short(items)).toEqual(['day', 'tool head - lost', 'user Hm.', 'tool head read -'])
  })
})

describe('turns', () => {
  it('have one head for all that a model does in a row', () => {
    const items = itemsOf([
      said('Go.'),
      answered('First I look.'),
      called('read', {}, '1'),
      returned('read', 'text', '1'),
      answered('Done.'),
      said('Thanks.'),
      answered('Welcome.'),
    ])
    expect(short(items)).toEqual([
      'day',
      'user Go.',
      'agent head First I look.',
      'tool read text',
      'agent Done.',
      'user Thanks.',
      'agent head Welcome.',
    ])
  })

  it('show the words of call_user as the answer that they are', () => {
    const flow = { from: 'garden', tool_call_id: 'c' }
    const items = itemsOf([
      {
        ...flow,
        to: 'call_user',
        entry_type: 'flow_control_call',
        content: '{"message":"Found it"}',
      },
      {
        ...flow,
        from: 'call_user',
        to: 'garden',
        entry_type: 'flow_control_result',
        content: 'Returning to user',
      },
    ])
    expect(short(items)).toEqual(['day', 'agent head Found it'])
    expect(sourceLinesOf(items[1] as Item).map(({ line }) => line)).toEqual([1, 2])
  })

  it('show call_user without words as any other call', () => {
    const items = itemsOf([
      { from: 'garden', to: 'call_user', entry_type: 'flow_control_call', content: '{}' },
    ])
    expect(short(items)).toEqual(['day', 'tool head call_user -'])
  })

  it('show people the words without the time that chibi puts before them', () => {
    expect(short(itemsOf([said('[20260202-0240+0000] hi')]))).toEqual(['day', 'user hi'])
  })

  it('know people and models in files without roles, by whom they speak to', () => {
    const items = itemsOf([
      { from: 'mira', to: 'garden', content: 'hi' },
      { from: 'garden', to: 'user', content: 'hello' },
    ])
    expect(short(items)).toEqual(['day', 'user hi', 'agent head hello'])
  })
})

describe('what nobody says', () => {
  it('folds anchors that follow one another into one seam', () => {
    const anchor = (entry_type: string): RowDraft => ({ from: 'system', entry_type })
    const items = itemsOf([
      anchor('compaction'),
      anchor('context_created'),
      anchor('system_prompt_changed'),
    ])
    expect(short(items)).toEqual([
      'day',
      'seam compaction+context_created',
      'seam system_prompt_changed',
    ])
  })

  it('keeps damaged lines, errors and entries of unknown types in their places', () => {
    const items = itemsOf([
      said('a'),
      { damaged: '{"torn', reason: 'text ends inside a string' },
      { from: 'system', entry_type: 'run_error', content: 'It broke' },
      { entry_type: 'weather_report', content: 'rain' },
    ])
    expect(short(items)).toEqual(['day', 'user a', 'damaged', 'error', 'other'])
    expect(items.map(copyTextOf)).toEqual(['', 'a', '{"torn', 'It broke', 'rain'])
  })

  it('begins a day where the date changes, and gives the model its head again', () => {
    const day = 86_400
    const items = itemsOf([
      answered('before midnight', { timestamp: 1_764_000_000 }),
      answered('the day after', { timestamp: 1_764_000_000 + day }),
      answered('without a time', { timestamp: null }),
    ])
    expect(short(items)).toEqual([
      'day',
      'agent head before midnight',
      'day',
      'agent head the day after',
      'agent without a time',
    ])
  })
})

describe('a page with others before it', () => {
  const drafts: readonly RowDraft[] = [
    said('one'),
    answered('two'),
    called('read', {}),
    called('list', {}),
    returned('read', 'r'),
    returned('list', 'l'),
    { from: 'system', entry_type: 'compaction' },
    { from: 'system', entry_type: 'context_created' },
    answered('three'),
    returned('lost', 'x', '7'),
    said('four'),
  ]

  it('shows no item that changes when the page before it arrives, wherever it is cut', () => {
    const rows = rowsOf(drafts)
    const whole = buildItems(rows, { hasBefore: false, shownAs })
    for (let cut = 1; cut < rows.length; cut++) {
      const items = buildItems(rows.slice(cut), { hasBefore: true, shownAs })
      expect(whole.slice(whole.length - items.length), `cut before row ${cut}`).toEqual(items)
    }
  })

  it('shows all it has once there is nothing before it', () => {
    const rows = rowsOf(drafts).slice(4)
    expect(short(buildItems(rows, { hasBefore: false, shownAs }))).toContain('tool head - r')
  })
})

it('shows a row under the key that it had on the screen before', () => {
  const rows: TranscriptRow[] = rowsOf([answered('streamed')])
  const key = rowKey(rows[0] as TranscriptRow)
  const items = buildItems(rows, { hasBefore: false, shownAs: new Map([[key, 'live:run-1:0']]) })
  expect(items.map((item) => item.key)).toEqual(['day:live:run-1:0', 'live:run-1:0'])
})

it('makes 100,000 rows into as many items', () => {
  const rows = rowsOf(
    Array.from({ length: 100_000 }, (_, row) => said(`row ${row}`, { timestamp: 1 })),
  )
  expect(buildItems(rows, { hasBefore: false, shownAs })).toHaveLength(100_001)
})

describe('reasoning that a source keeps as an entry', () => {
  const thought = {
    from: 'codex',
    to: 'user',
    entry_type: 'reasoning',
    content: 'First the table.',
  }

  it('is an item of the answer, whose name is above the first of them', () => {
    const items = itemsOf([said('when?'), thought, called('read', {}, '1'), answered('now')])
    expect(short(items)).toEqual(['day', 'user when?', 'reasoning', 'tool read -', 'agent now'])
    expect(items[2]).toMatchObject({ type: 'reasoning', isHead: true })
    const again = itemsOf([answered('wait'), thought])
    expect(again[2]).toMatchObject({ type: 'reasoning', isHead: false })
  })

  it('is copied as its text, and has its line', () => {
    const [, item] = itemsOf([thought])
    if (item === undefined) throw new Error('no item')
    expect(copyTextOf(item)).toBe('First the table.')
    expect(sourceLinesOf(item)).toHaveLength(1)
  })
})
