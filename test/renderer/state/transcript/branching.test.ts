import { describe, expect, it } from 'vitest'
import { spotKey } from '../../../../src/renderer/state/transcript/branching'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { quiet } from '../../../support/quiet'
import { type MemoryHomeOptions, summaryOf } from '../../harness/memory-home'
import { answered, type RowDraft, rowsOf, said } from '../../harness/rows'
import { openWindow } from '../support/open-window'
import { quietHome } from '../support/quiet-home'

const garden = LibraryKey.parse('garden')
const kitchen = LibraryKey.parse('kitchen')
const foreign = LibraryKey.parse('cycod:soup')

async function windowOf(options: MemoryHomeOptions = quietHome()) {
  const { home, stores, actions } = await openWindow(options)
  const texts = () =>
    stores.transcript
      .getState()
      .run.rows.map((row) => (row.type === 'entry' ? row.entry.content : 'damaged'))
  return { home, stores, actions, texts, place: () => stores.app.getState().place }
}

function withContext(key: LibraryKey, drafts: readonly RowDraft[]): MemoryHomeOptions {
  const home = quietHome()
  const source = key.startsWith('cycod') ? 'cycod' : 'chibi'
  const summary = summaryOf(key, { key, source, updated: '2026-11-26T09:00:00.000Z' })
  return { ...home, contexts: [...home.contexts, { summary, rows: rowsOf(drafts) }] }
}

const many = (count: number): readonly RowDraft[] =>
  Array.from({ length: count }, (_, row) => said(`row ${row}`))
const placeOf = (rows: ReturnType<typeof rowsOf>, index: number) => {
  const row = rows[index]
  if (row?.type !== 'entry') throw new Error('no entry there')
  return { entry: row.entry.id, file: row.entry.file, offset: row.entry.offset }
}

describe('going to a place', () => {
  const long = LibraryKey.parse('long')
  const options = () => withContext(long, many(1000))
  const rows = rowsOf(many(1000))

  it('reads the rows around it, and pages go on from there on both sides', async () => {
    const { stores, actions, texts, place } = await windowOf(options())
    const { entry: _entry, ...line } = placeOf(rows, 500)
    expect(await actions.openAt(long, line, { marked: ['row'] })).toBe(true)
    expect(place()).toEqual({ type: 'conversation', key: 'long' })
    expect(texts().length).toBe(120)
    expect(texts()).toContain('row 500')
    expect(stores.reading.getState().landing).toMatchObject({ place: line, marked: ['row'] })
    await stores.transcript.getState().loadBefore()
    await stores.transcript.getState().loadAfter()
    expect([texts()[0], texts().at(-1), texts().length]).toEqual(['row 190', 'row 809', 620])
  })

  it('asks where an entry stands, and not when its row is here', async () => {
    const { home, actions } = await windowOf(options())
    const { entry } = placeOf(rows, 700)
    expect(await actions.openAt(long, { entry })).toBe(true)
    expect(await actions.openAt(long, { entry: placeOf(rows, 710).entry })).toBe(true)
    const located = home.api.calls.filter(({ channel }) => channel === 'transcript.locate')
    expect(located.map(({ args }) => args)).toEqual([{ key: 'long', entry }])
  })

  it('that is gone shows the end and says so', async () => {
    const { stores, actions, texts } = await windowOf(options())
    for (const target of [{ file: 'gone.jsonl', offset: 0 }, { entry: EntryId.parse('gone') }]) {
      expect(await actions.openAt(long, target)).toBe(false)
      expect(texts().at(-1)).toBe('row 999')
      expect(stores.reading.getState().fault?.words).toContain('no longer in this conversation')
    }
  })

  it('finds a line that was rotated into another file meanwhile', async () => {
    const { home, stores, actions } = await windowOf(options())
    const archived = rowsOf(many(1000), { file: '1-2.jsonl' })
    const context = home.contexts.get('long')
    if (context === undefined) throw new Error('no such context')
    context.rows = archived
    const { entry: _entry, ...line } = placeOf(archived, 500)
    // The home answers as main does: by the offset alone, where the file has another name.
    context.movedTo = '1-2.jsonl'
    expect(await actions.openAt(long, { ...line, file: 'active.jsonl' })).toBe(true)
    expect(stores.reading.getState().landing?.place).toEqual(line)
  })

  it('is given up when somebody opens another conversation meanwhile', async () => {
    const { home, stores, actions, texts, place } = await windowOf(options())
    home.hold()
    const { entry: _entry, ...line } = placeOf(rows, 500)
    const going = actions.openAt(long, line)
    actions.openConversation(kitchen)
    home.release()
    expect(await going).toBe(false)
    await quiet()
    expect(place()).toEqual({ type: 'conversation', key: 'kitchen' })
    expect(texts()).toEqual(['soup?', 'soup.'])
    expect(stores.reading.getState().landing).toBe(undefined)
  })

  it('leaves what is appended below for those who go down there', async () => {
    const { home, stores, actions, texts } = await windowOf(options())
    actions.openConversation(long)
    await quiet()
    const { entry: _entry, ...line } = placeOf(rows, 10)
    await actions.openAt(long, line)
    home.append('long', [said('new')])
    await quiet()
    expect(texts()).not.toContain('new')
    expect(stores.transcript.getState().moreBelow).toBe(true)
    await stores.transcript.getState().goToEnd()
    expect(texts().at(-1)).toBe('new')
  })
})

describe('a branch', () => {
  const at = placeOf(rowsOf([said('hi'), answered('hello')]), 0)

  it('is opened when it is made, and the family is asked for again', async () => {
    const { stores, actions, texts, place } = await windowOf()
    expect(await actions.branch('spot', garden, at, { type: 'branch' })).toBe(true)
    await quiet()
    expect(place()).toEqual({ type: 'conversation', key: 'garden-2' })
    expect(texts()).toEqual(['hi'])
    expect(stores.branches.getState().key).toBe('garden-2')
    expect(stores.branching.getState().making).toEqual({})
  })

  it('that asks the model goes on at once', async () => {
    const { stores, actions } = await windowOf()
    await actions.branch('spot', garden, at, { type: 'edit', text: 'good day' })
    await quiet()
    expect(stores.completion.getState().runs['garden-2']?.phase).toBe('streaming')
  })

  it('that is refused says why at its spot, and keeps the text', async () => {
    const { home, stores, actions, place } = await windowOf()
    const { branching } = stores
    const spot = spotKey(garden, 'item')
    branching.getState().openEdit(spot, 'hi')
    branching.getState().edit(spot, 'good day')
    home.refuse(new AppError('no-key', 'There is no key.'))
    expect(await actions.branch(spot, garden, at, { type: 'edit', text: 'good day' })).toBe(false)
    expect(branching.getState().refusals[spot]).toMatchObject({ of: 'edit', code: 'no-key' })
    expect(branching.getState().edits[spot]).toEqual({ text: 'good day', isOpen: true })
    expect(place()).toEqual({ type: 'conversation', key: 'garden' })
  })

  it('does not call back somebody who went elsewhere while it was made', async () => {
    const { home, actions, place } = await windowOf()
    home.hold()
    const making = actions.branch('spot', garden, at, { type: 'branch' })
    actions.openConversation(kitchen)
    home.release()
    expect(await making).toBe(false)
    await quiet()
    expect(place()).toEqual({ type: 'conversation', key: 'kitchen' })
  })

  it('of a whole conversation begins at its last entry, however much damage follows it', async () => {
    const damage = Array.from({ length: 250 }, () => ({ damaged: '{', reason: 'no end' }))
    const drafts = [said('soup?'), answered('soup.'), ...damage]
    const { home, stores, actions, place } = await windowOf(withContext(foreign, drafts))
    actions.openConversation(foreign)
    expect(await actions.takeOver(foreign)).toBe(true)
    const created = home.api.calls.find(({ channel }) => channel === 'branches.create')
    expect(created?.args).toEqual({
      key: foreign,
      at: placeOf(rowsOf(drafts), 1),
      action: { type: 'branch' },
    })
    expect(place()).toEqual({ type: 'conversation', key: 'soup-2' })
    expect(stores.branching.getState().adopted['soup-2']).toMatchObject({
      source: 'cycod',
      report: { entries: 2, kept: 1 },
    })
  })

  it('from a place of the map opens where the map was, and adopts what is of another system', async () => {
    const drafts = [said('soup?'), answered('soup.'), said('salt?'), answered('salt.')]
    const { home, stores, actions, place } = await windowOf(withContext(foreign, drafts))
    stores.map.getState().open(garden)
    const { entry } = placeOf(rowsOf(drafts), 1)
    expect(await actions.branch('node', foreign, { entry }, { type: 'branch' })).toBe(true)
    expect([place(), stores.map.getState().isOpen]).toEqual([
      { type: 'conversation', key: 'soup-2' },
      false,
    ])
    expect(stores.branching.getState().adopted['soup-2']?.source).toBe('cycod')
    expect(home.contexts.get('soup-2')?.rows.length).toBe(2)
  })

  it('waits for the summary of what it leaves, and says why there is none', async () => {
    const { home, stores, actions, texts, place } = await windowOf()
    const { branching } = stores
    expect(await actions.branch('spot', garden, at, { type: 'branch' }, {})).toBe(true)
    await quiet()
    expect(place()).toEqual({ type: 'conversation', key: 'garden-2' })
    expect(texts().at(-1)).toContain('Gravel was not tried.')
    expect(branching.getState().unwritten).toEqual({})
    actions.openConversation(garden)
    await quiet()
    const wish = { words: 'everything' }
    const making = actions.branch('spot', garden, at, { type: 'branch' }, wish)
    await quiet()
    expect(branching.getState().making).toEqual({ spot: 'branch' })
    branching.getState().stopSummary(garden)
    expect(await making).toBe(true)
    expect(branching.getState().unwritten).toEqual({ 'garden-3': { type: 'stopped' } })
    branching.getState().dismissUnwritten('garden-3')
    expect(branching.getState().unwritten).toEqual({})
    const asked = home.api.calls.filter(({ channel }) => channel === 'branches.create')
    expect(asked.map(({ args }) => (args as { summary?: unknown }).summary)).toEqual([{}, wish])
  })

  it('of a conversation without entries says that there is none', async () => {
    const { stores, actions } = await windowOf(withContext(foreign, []))
    actions.openConversation(foreign)
    expect(await actions.takeOver(foreign)).toBe(false)
    expect(stores.branching.getState().refusals[spotKey(foreign)]?.message).toBe(
      'This conversation has no entry to continue from.',
    )
  })
})
