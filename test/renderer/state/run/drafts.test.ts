import { expect, it } from 'vitest'
import { createDraftsStore, type ReadFiles } from '../../../../src/renderer/state/run/drafts'
import type { PdfReading } from '../../../../src/shared/model/attachments/pdf'
import { keptInMap } from '../support/map-storage'

const file = { name: 'rain.csv', bytes: new TextEncoder().encode('1;3\n') }

/** A draft that waits for a file; `come` ends its reading. */
function waiting() {
  const store = createDraftsStore(keptInMap())
  store.getState().enter('/home')
  store.getState().set('garden', { text: 'rain.csv' })
  let come: (read: ReadFiles) => void = () => undefined
  const read = new Promise<ReadFiles>((resolve) => {
    come = resolve
  })
  const attached = store.getState().attachRead('garden', read)
  const namesAt = (place: string) =>
    store
      .getState()
      .textsAt(place)
      .map(({ name }) => name)
  return {
    ...{ store, namesAt },
    reading: () => store.getState().reading,
    async end() {
      come({ given: [file] })
      await attached
    },
  }
}

it('waits for a file that is read, and has it then', async () => {
  const { reading, end, namesAt } = waiting()
  expect(reading()).toEqual({ garden: 1 })
  await end()
  expect([reading(), namesAt('garden')]).toEqual([{}, ['rain.csv']])
})

it('drops a file that comes after the draft was cleared, or in another home', async () => {
  const cleared = waiting()
  cleared.store.getState().clear('garden')
  expect(cleared.reading()).toEqual({})
  await cleared.end()
  expect(cleared.namesAt('garden')).toEqual([])
  const left = waiting()
  left.store.getState().enter('/other')
  await left.end()
  expect([left.reading(), left.namesAt('garden')]).toEqual([{}, []])
})

it('takes what is read along to where it is moved', async () => {
  const { store, reading, end, namesAt } = waiting()
  store.getState().move('garden', 'kitchen')
  expect(reading()).toEqual({ kitchen: 1 })
  await end()
  expect([namesAt('garden'), namesAt('kitchen')]).toEqual([[], ['rain.csv']])
})

const pdf = (name: string) => ({ name, bytes: new TextEncoder().encode('%PDF-1.7') })

it('tells of PDFs that have no text, and of the pages of others that do not go', async () => {
  const readings: PdfReading[] = [
    { fault: 'is protected by a password' },
    { text: 'plum', pages: 2, empty: 1, unread: 0 },
  ]
  const kept = keptInMap()
  const store = createDraftsStore(kept, async () => readings.shift() ?? { fault: '' })
  const given = [pdf('a.pdf'), pdf('b.pdf')]
  await store
    .getState()
    .attachRead('garden', Promise.resolve({ given, fault: '"c" cannot be read.' }))
  const texts = (from = store) =>
    from
      .getState()
      .textsAt('garden')
      .map(({ name, frame, note }) => [name, frame, note])
  const note = '"b.pdf" goes without one of its 2 pages, which has no text.'
  const all = [['b.pdf', 'File "b.pdf":\n\n```\nplum\n```', note]]
  expect(texts()).toEqual(all)
  expect(store.getState().attachFaults).toEqual({
    garden: '"c" cannot be read. "a.pdf" is protected by a password.',
  })
  // After a restart its text goes, as what the model gets was.
  expect(texts(createDraftsStore(kept))).toEqual(all)
})

it('says of each PDF that is not attached why, also where there is too much of it', async () => {
  const text = 'x'.repeat(1024 * 1024)
  const store = createDraftsStore(keptInMap(), async () => ({
    text,
    pages: 1,
    empty: 0,
    unread: 0,
  }))
  const given = ['a.pdf', 'b.pdf', 'c.pdf'].map(pdf)
  await store
    .getState()
    .attachRead('garden', Promise.resolve({ given, fault: '"d" cannot be read.' }))
  const { textsAt, attachFaults } = store.getState()
  expect(textsAt('garden').map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf'])
  expect(attachFaults).toEqual({
    garden: '"d" cannot be read. Together the text files are larger than 2 MB.',
  })
})

it('has what needs no reading at once, and drops a PDF whose reading is stopped', async () => {
  const store = createDraftsStore(
    keptInMap(),
    (_bytes, stop) =>
      new Promise((resolve) =>
        stop?.addEventListener('abort', () => resolve({ fault: 'was stopped' })),
      ),
  )
  const given = [pdf('x/a.pdf'), pdf('b.pdf'), file]
  const attached = store.getState().attachRead('garden', Promise.resolve({ given }))
  const { stopReading, textsAt } = store.getState()
  const reading = () => (store.getState().readingPdfs.garden ?? []).map(({ name }) => name)
  await expect.poll(reading).toEqual(['a.pdf', 'b.pdf'])
  expect(textsAt('garden').map(({ name }) => name)).toEqual(['rain.csv'])
  for (const { id } of [...(store.getState().readingPdfs.garden ?? [])].reverse())
    stopReading('garden', id)
  await attached
  expect([store.getState().reading, reading(), store.getState().attachFaults]).toEqual([{}, [], {}])
  expect(textsAt('garden').map(({ name }) => name)).toEqual(['rain.csv'])
})

it('stops the reading of a PDF whose draft is cleared', async () => {
  const stopped: boolean[] = []
  const store = createDraftsStore(
    keptInMap(),
    (_bytes, stop) =>
      new Promise((resolve) =>
        stop?.addEventListener('abort', () => {
          stopped.push(true)
          resolve({ fault: 'was stopped' })
        }),
      ),
  )
  const attached = store.getState().attachRead('garden', Promise.resolve({ given: [pdf('a.pdf')] }))
  await expect.poll(() => store.getState().readingPdfs.garden?.length).toBe(1)
  store.getState().clear('garden')
  await attached
  expect([stopped, store.getState().attachFaults]).toEqual([[true], {}])
})

it('stores no files rather than others, where the storage takes no more', () => {
  const map = keptInMap()
  let isFull = false
  const kept = { ...map, set: (name: string, value: string) => !isFull && map.set(name, value) }
  const store = createDraftsStore(kept)
  store.getState().attach('garden', [file])
  isFull = true
  store.getState().attach('garden', [{ name: 'b.txt', bytes: file.bytes }])
  expect(store.getState().filesNotKept.garden).toBe(true)
  expect(createDraftsStore(map).getState().textsAt('garden')).toEqual([])
})
