import { describe, expect, it } from 'vitest'
import { newDraftPlace } from '../../../src/renderer/state/run/drafts'
import { AppError } from '../../../src/shared/model/basics/errors'
import { LibraryKey, libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import { LinkedPlace } from '../../../src/shared/model/conversation-link'
import type { UpdateAnswer } from '../../../src/shared/model/updates'
import { quiet } from '../../support/quiet'
import { type MemoryHomeOptions, summaryOf } from '../harness/memory-home'
import { type RowDraft, said } from '../harness/rows'
import { keptInMap } from './support/map-storage'
import { openWindow } from './support/open-window'
import { quietHome } from './support/quiet-home'

const garden = LibraryKey.parse('garden')

/** A window's state over a home in memory, as far as it gets without anybody to look at it. */
async function windowOf(options: MemoryHomeOptions = quietHome(), kept = keptInMap()) {
  const { home, stores, actions } = await openWindow(options, kept)
  const texts = () =>
    stores.transcript
      .getState()
      .run.rows.map((row) => (row.type === 'entry' ? row.entry.content : 'damaged'))
  return { home, stores, actions, kept, texts, place: () => stores.app.getState().place }
}

const many = (count: number): readonly RowDraft[] =>
  Array.from({ length: count }, (_, row) => said(`row ${row}`))

describe('a window that starts', () => {
  it('opens the newest conversation, at its end', async () => {
    const { place, texts, home } = await windowOf()
    expect(place()).toEqual({ type: 'conversation', key: 'garden' })
    expect(texts()).toEqual(['hi', 'hello'])
    const channels = home.api.calls.map(({ channel }) => channel)
    expect(channels.indexOf('transcript.watch')).toBeGreaterThan(
      channels.indexOf('transcript.page'),
    )
  })

  it('opens what was open the last time', async () => {
    const kept = keptInMap()
    kept.set('skein.last:/home/mira/.chibi', 'kitchen')
    const { texts } = await windowOf(quietHome(), kept)
    expect(texts()).toEqual(['soup?', 'soup.'])
  })

  it('opens the place of a link that Skein was started with, once', async () => {
    const link = LinkedPlace.parse({ key: 'kitchen' })
    const { texts, actions, place } = await windowOf({ ...quietHome(), link })
    expect(texts()).toEqual(['soup?', 'soup.'])

    actions.openConversation(libraryKeyOf('chibi', 'garden'))
    await actions.openLinked()
    expect(place()).toEqual({ type: 'conversation', key: 'garden' })
  })

  it('shows that the place of a link is not there, and opens as before the next time', async () => {
    const kept = keptInMap()
    kept.set('skein.last:/home/mira/.chibi', 'kitchen')
    const link = LinkedPlace.parse({ key: 'nowhere' })
    const { place } = await windowOf({ ...quietHome(), link }, kept)
    expect(place()).toEqual({ type: 'conversation', key: 'nowhere' })
    expect(kept.get('skein.last:/home/mira/.chibi')).toBe('kitchen')
  })

  it('opens the place of a link once there is a home, where there was none', async () => {
    const link = LinkedPlace.parse({ key: 'kitchen' })
    const { actions, place } = await windowOf({
      ...quietHome(),
      link,
      status: { ...quietHome().status, phase: 'first-run' },
    })
    await actions.openHome('default')
    expect(place()).toEqual({ type: 'conversation', key: 'kitchen' })
  })

  it('begins a conversation where there is none', async () => {
    const { place } = await windowOf({ ...quietHome(), contexts: [] })
    expect(place()).toEqual({ type: 'draft' })
  })

  it('shows Settings, Sources for files that Skein is opened with, and for nothing else', async () => {
    const { home, stores, actions } = await windowOf()
    await actions.openFiles()
    expect(stores.app.getState().settings).toBeUndefined()
    home.sources.openWith(['pears.jsonl'])
    await actions.openFiles()
    expect(stores.app.getState().settings).toBe('sources')
    expect(stores.sources.getState().imported.map(({ name }) => name)).toEqual(['pears.jsonl'])
  })

  it('takes in the files that it is opened with when no dialog is open any more, all at once', async () => {
    let close = () => {}
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    const { home, stores, actions } = await openWindow(quietHome(), keptInMap(), () => closed)
    home.sources.openWith(['pears.jsonl'])
    const opening = actions.openFiles()
    await quiet()
    home.sources.openWith(['plums.jsonl'])
    await actions.openFiles()
    expect(stores.app.getState().settings).toBeUndefined()
    close()
    await opening
    expect(stores.app.getState().settings).toBe('sources')
    const channels = home.api.calls.map(({ channel }) => channel)
    expect(channels.filter((one) => one === 'sources.importOpened')).toHaveLength(1)
  })

  it('asks for updates when a person wants it, and keeps the answer or why there is none', async () => {
    const answers: (() => UpdateAnswer)[] = [
      () => {
        throw new AppError('io', 'skein.example cannot be asked for updates.')
      },
      () => ({ type: 'newer', version: '0.2.0', packages: [] }),
    ]
    const updates = () => answers.shift()?.() ?? { type: 'off' as const }
    const { stores, home } = await windowOf({ ...quietHome(), updates })
    const app = () => stores.app.getState()
    expect(home.api.calls.map(({ channel }) => channel)).not.toContain('app.checkForUpdates')
    await app().checkForUpdates()
    expect(app().updateFailure?.message).toBe('skein.example cannot be asked for updates.')
    await app().checkForUpdates()
    expect(app()).toMatchObject({ update: { type: 'newer' }, updateFailure: undefined })
  })

  it('asks for no conversations while there is no home', async () => {
    const { home } = await windowOf({
      ...quietHome(),
      status: { ...quietHome().status, phase: 'first-run' },
    })
    expect(home.api.calls.map(({ channel }) => channel)).toEqual([
      'app.status',
      'settings.get',
      'sources.isOpenedWith',
    ])
  })

  it('reads every page of a long library', async () => {
    const contexts = Array.from({ length: 1201 }, (_, index) => ({
      summary: summaryOf(`c${index}`, { updated: new Date(1e12 - index * 1000).toISOString() }),
      rows: [],
    }))
    const { stores, home } = await windowOf({ ...quietHome(), contexts })
    const { conversations, phase, total } = stores.library.getState()
    expect([conversations.length, phase, total]).toEqual([1201, 'ready', 1201])
    expect(home.api.calls.filter(({ channel }) => channel === 'library.list')).toHaveLength(3)
    expect(conversations.map(({ title }) => title)).toEqual(
      contexts.map(({ summary }) => summary.title),
    )
  })
})

describe('the open transcript', () => {
  it('takes what is appended, once, and nothing of other conversations', async () => {
    const { home, texts } = await windowOf()
    home.append('kitchen', [said('salt?')])
    home.append('garden', [said('rain?')])
    expect(texts()).toEqual(['hi', 'hello', 'rain?'])
  })

  it('loses nothing that is appended while its page is on the way', async () => {
    const { home, actions, texts } = await windowOf()
    home.hold()
    actions.openConversation(garden)
    await quiet()
    home.append('garden', [said('in between')])
    home.release()
    await quiet()
    expect(texts()).toEqual(['hi', 'hello', 'in between'])
  })

  it('shows the last one that was opened, whichever answers first', async () => {
    const { home, actions, texts, stores } = await windowOf()
    home.hold()
    actions.openConversation(LibraryKey.parse('kitchen'))
    actions.openConversation(garden)
    home.release()
    await quiet()
    expect(texts()).toEqual(['hi', 'hello'])
    expect(stores.transcript.getState().phase).toBe('ready')
  })

  it('reads on upwards and downwards to both ends', async () => {
    const { stores, texts } = await windowOf(quietHome(many(1000)))
    const { transcript } = stores
    expect(texts()).toHaveLength(120)
    await transcript.getState().loadBefore()
    expect([texts().length, texts()[0]]).toEqual([370, 'row 630'])
    await transcript.getState().goToStart()
    expect([texts()[0], transcript.getState().opensAt, transcript.getState().run.atEnd]).toEqual([
      'row 0',
      'start',
      false,
    ])
    await transcript.getState().loadAfter()
    expect(texts()).toHaveLength(370)
    await transcript.getState().goToEnd()
    expect(texts().at(-1)).toBe('row 999')
  })

  it('says that there is more below when something comes that it does not hold', async () => {
    const { stores, home, texts } = await windowOf(quietHome(many(500)))
    await stores.transcript.getState().goToStart()
    home.append('garden', [said('new')])
    expect([stores.transcript.getState().moreBelow, texts().includes('new')]).toEqual([true, false])
    await stores.transcript.getState().goToEnd()
    expect([stores.transcript.getState().moreBelow, texts().at(-1)]).toEqual([false, 'new'])
  })

  it('keeps what it has when an edge cannot be read', async () => {
    const options = quietHome(many(500))
    const { stores, home, texts } = await windowOf(options)
    const context = home.contexts.get('garden')
    if (context === undefined) throw new Error('no garden')
    home.contexts.set('garden', { ...context, failure: new AppError('unreadable', 'Not now.') })
    await stores.transcript.getState().loadBefore()
    expect(stores.transcript.getState().before).toEqual({
      type: 'failed',
      failure: { code: 'unreadable', message: 'Not now.' },
    })
    expect(texts()).toHaveLength(120)
    home.contexts.set('garden', context)
    await stores.transcript.getState().loadBefore()
    expect(texts()).toHaveLength(370)
  })

  it('is read again when its files were replaced, but not under the eyes of somebody further up', async () => {
    const { stores, home, texts } = await windowOf()
    const context = home.contexts.get('garden')
    if (context === undefined) throw new Error('no garden')
    context.rows = context.rows.map((row) =>
      row.type === 'entry'
        ? { ...row, entry: { ...row.entry, file: 'partitions/1-2.jsonl' } }
        : row,
    )
    stores.reading.getState().setReadingUp(true)
    home.api.tell.transcript.changed({ key: garden })
    await quiet()
    expect(stores.transcript.getState().changedOnDisk).toBe(true)
    await stores.transcript.getState().readAgain()
    const { changedOnDisk, shownAs, run } = stores.transcript.getState()
    expect([changedOnDisk, texts()]).toEqual([false, ['hi', 'hello']])
    // The same entries stay under the keys that they have on the screen.
    expect([...shownAs.values()]).toEqual([
      'active.jsonl:0:active.jsonl-1',
      `active.jsonl:${lengthOf(run.rows[0])}:active.jsonl-2`,
    ])
  })

  it('tells of a lock, and forgets it with the conversation', async () => {
    const { stores, home, actions } = await windowOf()
    home.lock('garden', { state: 'held', holder: 'chibi', beatAt: 1, staleAt: 46 })
    home.lock('kitchen', { state: 'ours' })
    expect(stores.transcript.getState().lock.state).toBe('held')
    actions.openConversation(LibraryKey.parse('kitchen'))
    expect(stores.transcript.getState().lock.state).toBe('free')
  })
})

describe('a message', () => {
  it('clears its draft once it is durable, and streams its answer in', async () => {
    const { home, stores, actions, texts, kept } = await windowOf()
    stores.drafts.getState().set('garden', { text: 'And now?' })
    await expect(actions.send(garden, 'And now?')).resolves.toBe(true)
    expect([
      stores.drafts.getState().get('garden').text,
      kept.values.has('skein.draft:/home/mira/.chibi:garden'),
    ]).toEqual(['', false])
    home.delta('garden', 'Now it rains.')
    home.finish('garden')
    expect(texts()).toEqual(['hi', 'hello', 'And now?', 'Now it rains.'])
    const { shownAs, run } = stores.transcript.getState()
    expect([...shownAs.values()]).toEqual(['live:run-1:0'])
    expect(run.atEnd).toBe(true)
  })

  it('keeps its draft while only somebody else’s line ends with the same words', async () => {
    const { home, stores, actions } = await windowOf()
    stores.drafts.getState().set('garden', { text: 'And now?' })
    home.hold()
    const sending = actions.send(garden, 'And now?')
    await quiet()
    home.append('garden', [said('He asked: And now?')])
    expect(stores.drafts.getState().get('garden').text).toBe('And now?')
    home.release()
    expect(await sending).toBe(true)
    expect(stores.drafts.getState().get('garden').text).toBe('')
  })

  it('that is refused stays in its draft', async () => {
    const { home, stores, actions } = await windowOf()
    stores.drafts.getState().set('garden', { text: 'And now?' })
    home.refuse(new AppError('locked', 'chibi writes there.'))
    await expect(actions.send(garden, 'And now?')).resolves.toBe(false)
    expect(stores.drafts.getState().get('garden').text).toBe('And now?')
    expect(stores.completion.getState().refusals.garden?.message).toBe('chibi writes there.')
  })

  it('that is the first one makes its conversation and opens it', async () => {
    const { stores, actions, place, texts } = await windowOf({ ...quietHome(), contexts: [] })
    stores.drafts.getState().set(newDraftPlace, { text: 'Hello' })
    await expect(actions.begin('Hello')).resolves.toBe(true)
    await quiet()
    expect([place(), texts(), stores.drafts.getState().get(newDraftPlace)]).toEqual([
      { type: 'conversation', key: 'chat-2026-11-28' },
      ['Hello'],
      { text: '' },
    ])
  })
})

describe('the library', () => {
  it('folds in what is new, changed and gone, newest first', async () => {
    const { home, stores } = await windowOf()
    home.changeLibrary({
      conversations: [
        summaryOf('attic', { updated: '2026-11-28T10:00:00.000Z' }),
        summaryOf('kitchen', { updated: '2026-11-28T11:00:00.000Z' }),
      ],
      gone: ['garden'],
    })
    expect(stores.library.getState().conversations.map(({ title }) => title)).toEqual([
      'kitchen',
      'attic',
    ])
  })

  it('says why it cannot be listed', async () => {
    const { stores, place } = await windowOf({
      ...quietHome(),
      libraryFailure: new AppError('unreadable', 'No.'),
    })
    expect([stores.library.getState().phase, stores.library.getState().failure?.message]).toEqual([
      'failed',
      'No.',
    ])
    expect(place()).toEqual({ type: 'none' })
  })
})

describe('the text size', () => {
  it('goes in steps, within its bounds', async () => {
    const { stores, actions } = await windowOf()
    const zoom = () => stores.settings.getState().view?.preferences.textZoom
    actions.zoom('in')
    await quiet()
    expect(zoom()).toBe(1.1)
    for (let step = 0; step < 9; step++) {
      actions.zoom('in')
      await quiet()
    }
    expect(zoom()).toBe(2)
    actions.zoom('reset')
    await quiet()
    actions.zoom('out')
    await quiet()
    expect(zoom()).toBe(0.9)
  })
})

function lengthOf(row: unknown): number {
  const { entry } = row as { entry: { length: number } }
  return entry.length + 1
}
