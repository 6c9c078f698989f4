import { expect, it } from 'vitest'
import type { HomeReading } from '../../../src/main/home/home-reading'
import {
  presentFamilies,
  presentFinding,
  presentLandmarks,
} from '../../../src/main/home/present-reading'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'

const groups = { families: [], counting: false }

/** A reading whose families answer with this. Nothing else of it is asked. */
function reading(answer: () => Promise<typeof groups>): HomeReading {
  return { families: { groups: answer } } as never
}

it('asks the reading that took the place of a closed one', async () => {
  const after = reading(async () => groups)
  let present = reading(async () => {
    present = after
    throw new Error('the thread ended')
  })
  expect(await presentFamilies({ now: () => present }).groups()).toBe(groups)
})

it('fails where the present reading fails', async () => {
  const present = reading(() => Promise.reject(new Error('the thread ended')))
  await expect(presentFamilies({ now: () => present }).groups()).rejects.toThrow('the thread ended')
})

const of = { key: LibraryKey.parse('garden') }
const wanted = { text: 'peas', matchesCase: false, wantsWholeWords: false, isRegex: false }

/** A reading whose landmarks and finding answer so. */
function readingOf(answer: (what: string) => Promise<unknown>): HomeReading {
  const landmarks = { list: () => answer('list'), places: () => answer('places') }
  const finding = {
    find: () => answer('find'),
    place: () => answer('place'),
    texts: () => answer('texts'),
  }
  return { landmarks, finding } as never
}

it('asks for landmarks and matches again, too, where the reading was closed meanwhile', async () => {
  for (const ask of [
    (now: () => HomeReading) => presentLandmarks({ now }).list(of, 0),
    (now: () => HomeReading) => presentLandmarks({ now }).places(of, []),
    (now: () => HomeReading) => presentFinding({ now }).find({ ...of, wanted }),
    (now: () => HomeReading) => presentFinding({ now }).place({ ...of, wanted }, 0, 0),
    (now: () => HomeReading) => presentFinding({ now }).texts({ ...of, wanted }, []),
  ]) {
    const after = readingOf(async (what) => `after: ${what}`)
    let present = readingOf(() => {
      present = after
      return Promise.reject(new Error('a worker thread ended'))
    })
    expect(await ask(() => present)).toMatch(/^after: /)
  }
})

it('does not ask again what a later question has ended, and so ends none itself', async () => {
  const elsewhere = { key: LibraryKey.parse('kitchen') }
  for (const [first, later] of [
    [(one: ReturnType<typeof presentLandmarks>) => one.list(of, 0), 'list'],
    [(one: ReturnType<typeof presentLandmarks>) => one.places(of, []), 'places'],
  ] as const) {
    const asked: string[] = []
    const after = readingOf(async (what) => asked.push(`after: ${what}`))
    let fail = (_: Error) => {}
    let present = readingOf((what) => {
      asked.push(what)
      return new Promise((_, reject) => {
        fail = reject
      })
    })
    const landmarks = presentLandmarks({ now: () => present })
    const ended = first(landmarks)
    const end = fail
    present = after
    await (later === 'list' ? landmarks.list(elsewhere, 0) : landmarks.places(elsewhere, []))
    end(new Error('cancelled'))
    await expect(ended).rejects.toThrow('cancelled')
    expect(asked).toEqual([later, `after: ${later}`])
  }
})
