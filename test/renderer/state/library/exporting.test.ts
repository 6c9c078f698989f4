import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createExportingStore } from '../../../../src/renderer/state/library/exporting'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { ExportFormat, LossReport, SavedAll } from '../../../../src/shared/model/export'
import type { ExportChoices } from '../../../../src/shared/model/export-choices'
import { createMemoryApi } from '../../../support/memory-api'
import { quiet } from '../../../support/quiet'
import { keptInMap } from '../support/map-storage'

const garden = LibraryKey.parse('garden')

/** A store whose counts of losses are answered by the test, in any order. */
function opened() {
  const waiting: {
    readonly format: ExportFormat
    answer(report: LossReport): void
    fail(error: Error): void
  }[] = []
  const previews: (ExportChoices | undefined)[] = []
  const ends: ((saved: SavedAll) => void)[] = []
  /** What exports of one wait for; others are cancelled. */
  const waits: Promise<null>[] = []
  const memory = createMemoryApi({
    exports: {
      losses: ({ format }) => new Promise((answer, fail) => waiting.push({ format, answer, fail })),
      preview: async ({ choices }) => {
        previews.push(choices)
        return { text: '# Garden', isWhole: true, redacted: null }
      },
      save: async () => waits.shift() ?? null,
      saveAll: () => new Promise((answer) => ends.push(answer)),
      tryPattern: async () => ({ places: 0 }),
      stop: async () => {},
    },
  })
  const kept = keptInMap()
  const store = createExportingStore(createApi(memory.transport), kept)
  return { store, waiting, previews, ends, waits, kept, memory }
}

const none: LossReport = { entries: 3, written: 3, losses: [] }
const some: LossReport = {
  entries: 3,
  written: 2,
  losses: [{ kind: 'system', count: 1, sentence: '1 system message is left out.' }],
}

it('counts what has no place as soon as the dialog opens, and anew for another format', async () => {
  const { store, waiting } = opened()
  store.getState().open(garden)
  expect(store.getState().losses).toEqual({ type: 'counting' })
  await quiet()
  waiting[0]?.answer(none)
  await quiet()
  expect(store.getState().losses).toEqual({ type: 'counted', report: none })

  store.getState().choose('fluux')
  expect(store.getState().losses).toEqual({ type: 'counting' })
  await quiet()
  waiting[1]?.answer(some)
  await quiet()
  expect(waiting.map(({ format }) => format)).toEqual(['md', 'fluux'])
  expect(store.getState().losses).toEqual({ type: 'counted', report: some })
})

it('takes no answer for a format that is no longer chosen', async () => {
  const { store, waiting } = opened()
  store.getState().open(garden)
  await quiet()
  store.getState().choose('csv')
  await quiet()
  waiting[1]?.answer(some)
  await quiet()
  waiting[0]?.answer(none)
  await quiet()
  expect(store.getState().losses).toEqual({ type: 'counted', report: some })

  store.getState().choose('txt')
  await quiet()
  store.getState().choose('html')
  waiting[2]?.fail(new AppError('cancelled', 'counted for another format'))
  await quiet()
  expect(store.getState().losses).toEqual({ type: 'counting' })
})

it('can be saved when the count fails, and says why it did', async () => {
  const { store, waiting, memory } = opened()
  store.getState().open(garden)
  await quiet()
  waiting[0]?.fail(new AppError('unreadable', 'It cannot be read.'))
  await quiet()
  expect(store.getState().losses).toMatchObject({
    type: 'failed',
    failure: { code: 'unreadable', message: 'It cannot be read.' },
  })
  await store.getState().save()
  expect(memory.calls.at(-1)).toEqual({
    channel: 'exports.save',
    args: { key: garden, format: 'md' },
  })
})

it('keeps the format for the next time, and takes none that it does not know', () => {
  const { store, kept, memory } = opened()
  store.getState().choose('voicemode')
  const again = () => createExportingStore(createApi(memory.transport), kept).getState().format
  expect(again()).toBe('voicemode')
  kept.set('skein.export-format', 'docx')
  expect(again()).toBe('md')
})

const saved: SavedAll = {
  place: '~/all',
  conversations: 2,
  bytes: 9,
  losses: none,
  failures: [],
  failed: 0,
  stopped: false,
}

it('writes several one after the other, tells how far it is, and what it came to', async () => {
  const { store, ends, memory } = opened()
  const keys = [garden, LibraryKey.parse('shed')]
  store.getState().open(garden)
  const saving = store.getState().saveAll(keys)
  expect(store.getState()).toMatchObject({
    isBusy: true,
    all: { type: 'going', soFar: { done: 0, total: 2 } },
  })
  store.getState().foldProgress({ done: 1, total: 2 })
  expect(store.getState().all).toEqual({ type: 'going', soFar: { done: 1, total: 2 } })
  // One at a time.
  await store.getState().saveAll(keys)
  await quiet()
  expect(ends).toHaveLength(1)
  ends[0]?.(saved)
  await saving
  expect(store.getState()).toMatchObject({ isBusy: false, all: { type: 'ended', saved } })
  store.getState().foldProgress({ done: 2, total: 2 })
  expect(store.getState().all).toEqual({ type: 'ended', saved })
  expect(memory.calls.filter(({ channel }) => channel === 'exports.saveAll')).toEqual([
    { channel: 'exports.saveAll', args: { keys, format: 'md', into: 'folder' } },
  ])
})

it('says that one is being written once its place was chosen, and that it was stopped', async () => {
  const { store, waits } = opened()
  let answer: (none: null) => void = () => undefined
  waits.push(
    new Promise((resolve) => {
      answer = resolve
    }),
  )
  store.getState().open(garden)
  const saving = store.getState().save()
  expect(store.getState()).toMatchObject({ isBusy: true, one: undefined })
  store.getState().foldProgress({ done: 0, total: 1 })
  expect(store.getState().one).toBe('going')
  store.getState().stop()
  answer(null)
  await saving
  expect(store.getState()).toMatchObject({ isBusy: false, one: 'stopped' })
  // This one is cancelled before it has a place.
  await store.getState().save()
  expect(store.getState()).toMatchObject({ isBusy: false, one: undefined })
})

it('ends an export of several with its dialog, and tells nothing of it in the next one', async () => {
  const { store, ends, memory } = opened()
  store.getState().open(garden)
  const saving = store.getState().saveAll([garden])
  await quiet()
  store.getState().close()
  await quiet()
  expect(memory.calls.at(-1)?.channel).toBe('exports.stop')
  store.getState().open(garden)
  ends[0]?.({ ...saved, stopped: true })
  await saving
  expect(store.getState()).toMatchObject({ all: undefined, isBusy: false })
})

it('makes the preview after the losses, and anew for each choice; keeps the choices for the next time', async () => {
  const { store, waiting, previews, kept, memory } = opened()
  store.getState().open(garden, { from: 'a', before: 'b' })
  await quiet()
  expect(previews).toEqual([])
  waiting[0]?.answer(none)
  await quiet()
  expect(store.getState().preview).toMatchObject({ type: 'shown', preview: { text: '# Garden' } })
  expect(previews).toEqual([undefined])

  store.getState().writeSelected(true)
  store.getState().change({ redacts: true, groups: ['emails'], branches: 'all' })
  store.getState().keep('f1', true)
  // What is there stays to be looked at meanwhile.
  expect(store.getState().preview).toMatchObject({ type: 'reading', preview: { text: '# Garden' } })
  await quiet()
  // Those before are no longer asked for.
  waiting.at(-1)?.answer(none)
  await quiet()
  expect(previews.at(-1)).toEqual({
    branches: 'all',
    range: { from: 'a', before: 'b' },
    redaction: { groups: ['emails'], patterns: [], kept: ['f1'] },
  })
  expect(previews).toHaveLength(2)

  const next = createExportingStore(createApi(memory.transport), kept)
  expect(next.getState()).toMatchObject({
    choices: { redacts: true, groups: ['emails'], branches: 'all' },
    kept: [],
    range: undefined,
  })
})

it('asks for nothing but the bytes of the original', async () => {
  const { store, waiting, previews } = opened()
  store.getState().change({ redacts: true })
  store.getState().choose('original')
  store.getState().open(garden)
  await quiet()
  waiting.at(-1)?.answer(none)
  await quiet()
  expect(previews).toEqual([undefined])
})

it('is of all of the library also where that is one conversation, and of one where one was chosen', () => {
  const { store } = opened()
  store.getState().openAll(garden)
  expect(store.getState()).toMatchObject({ key: garden, several: 'all' })
  store.getState().openSeveral([garden])
  expect(store.getState()).toMatchObject({ key: garden, several: undefined })
  store.getState().widen()
  expect(store.getState().several).toBe('all')
})
