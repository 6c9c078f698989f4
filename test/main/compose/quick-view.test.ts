import { expect, it } from 'vitest'
import { quickView } from '../../../src/main/compose/quick-view'
import { LibraryKey, libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import {
  defaultPreferences,
  type VisibleSettings,
} from '../../../src/shared/model/settings/settings'

type Feed = NonNullable<Parameters<typeof quickView>[1]>['feed']
type Library = NonNullable<Parameters<typeof quickView>[1]>['library']

const settings = {
  view: async (key?: string) =>
    ({
      model: { value: key === undefined ? 'usual' : 'own', origin: 'settings', where: 'Settings' },
      ...(key === undefined ? { notReady: 'There is no key.' } : {}),
      preferences: { ...defaultPreferences, textZoom: 1.25 },
    }) as VisibleSettings,
}

const homeThatShows = (key: LibraryKey | undefined) => ({
  feed: { followed: () => key } as Feed,
  library: { find: async (one: string) => ({ title: `Title of ${one}` }) } as unknown as Library,
})

it('names the model of a new conversation, and the conversation of ours that the app window shows with its own', async () => {
  const garden = LibraryKey.parse('garden')
  expect(await quickView(settings, homeThatShows(garden))).toEqual({
    begins: { model: 'usual', notReady: 'There is no key.' },
    conversation: { key: garden, title: 'Title of garden', goesOn: { model: 'own' } },
    theme: 'system',
    contrast: 'system',
    textZoom: 1.25,
  })
})

it('keeps to that conversation where it cannot be read, and says so', async () => {
  const broken = {
    ...homeThatShows(LibraryKey.parse('garden')),
    library: { find: async () => Promise.reject(new Error('No.')) } as unknown as Library,
  }
  const view = await quickView(settings, broken)
  expect(view.begins.model).toBe('usual')
  expect(view.conversation).toEqual({
    key: 'garden',
    title: 'garden',
    goesOn: { model: '', notReady: 'This conversation cannot be read right now.' },
  })
})

it.each([
  ['nothing', homeThatShows(undefined)],
  ['another system’s conversation', homeThatShows(libraryKeyOf('codex', 'x'))],
  ['no home', undefined],
])('names no conversation where the app window shows %s', async (_, home) => {
  expect((await quickView(settings, home)).conversation).toBeUndefined()
})
