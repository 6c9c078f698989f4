import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createMentionsStore } from '../../../../src/renderer/state/run/mentions'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { createMemoryHome } from '../../harness/memory-home'
import { quietHome } from '../support/quiet-home'

const garden = LibraryKey.parse('garden')
const kitchen = LibraryKey.parse('kitchen')

it('keeps files with the conversation and the word that they were found for', async () => {
  const store = createMentionsStore(createApi(createMemoryHome(quietHome()).api.transport))
  await store.getState().find(garden, 'rain')
  const { found } = store.getState()
  expect([found?.key, found?.query, found?.isCut]).toEqual([garden, 'rain', false])
  expect(found?.files.map(({ name }) => name)).toEqual(['rain.csv'])
})

it('says that not all was looked through where folders could not be listed', async () => {
  const api = createApi(createMemoryHome(quietHome()).api.transport)
  const files = () => Promise.reject(new Error('io'))
  const store = createMentionsStore({ ...api, mentions: { ...api.mentions, files } })
  await store.getState().find(garden, 'rain')
  expect(store.getState().found).toMatchObject({ files: [], isCut: true })
})

it('asks for the draft in which a conversation is quoted, whatever part is chosen', async () => {
  const store = createMentionsStore(createApi(createMemoryHome(quietHome()).api.transport))
  store.getState().ask(garden, kitchen, 'kitchen')
  store.getState().choose('all')
  await quiet()
  expect(store.getState().question).toMatchObject({ place: garden, key: kitchen, part: 'all' })
  expect(store.getState().question?.quote?.text).toContain('> soup.')
})
