import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createReadListStore } from '../../../../src/renderer/state/library/read-list'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { createMemoryApi } from '../../../support/memory-api'
import { quiet } from '../../../support/quiet'

it('knows of how many conversations not all could be read, until another list is shown', async () => {
  const keys = [LibraryKey.parse('garden')]
  const reading = { read: 3, total: 3, isDone: true }
  const api = createMemoryApi({
    statistics: {
      conversations: async () => ({ keys, reading, unread: 2 }),
      read: async () => {
        throw new Error('no statistics are asked for')
      },
    },
  })
  const list = createReadListStore(createApi(api.transport))
  list.getState().follow('failed')
  await quiet()
  expect(list.getState()).toMatchObject({ keys: new Set(keys), reading: undefined, unread: 2 })
  list.getState().follow(undefined)
  expect(list.getState().unread).toBe(0)
})
