import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createReadingStore, outputKey } from '../../../../src/renderer/state/transcript/reading'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { createMemoryApi } from '../../../support/memory-api'
import { quiet } from '../../../support/quiet'
import { answered, said } from '../../harness/rows'
import { openWindow } from '../support/open-window'
import { quietHome } from '../support/quiet-home'

const key = LibraryKey.parse('claude-code:s')
const place = { file: 's.jsonl', output: 'a.txt' }

/** A store over an output of ten bytes, which comes four bytes at a time while `isThere`. */
function storeOf() {
  const state = { isThere: true }
  const text = '0123456789'
  const output = async ({ from }: { readonly from: number }) => {
    if (!state.isThere) throw new AppError('not-found', 'a.txt is no longer there.')
    const to = Math.min(text.length, from + 4)
    return { text: text.slice(from, to), to, bytes: text.length }
  }
  const api = createMemoryApi({ transcript: { output } as never })
  const store = createReadingStore(createApi(api.transport))
  const read = () => store.getState().readOutput(key, place, { to: 2, bytes: text.length })
  return { state, store, read, now: () => store.getState().outputs[outputKey(place)] }
}

it('reads a saved output on from what the entry has, part by part, and keeps what it has where one fails', async () => {
  const { state, read, now } = storeOf()
  await read()
  expect(now()).toEqual({ text: '2345', to: 6, bytes: 10, isReading: false })
  state.isThere = false
  await read()
  expect(now()).toMatchObject({ text: '2345', to: 6, failure: { code: 'not-found' } })
  state.isThere = true
  await read()
  expect(now()).toEqual({ text: '23456789', to: 10, bytes: 10, isReading: false })
})

it('reads a part once however often it is asked for, and drops it where another conversation was opened meanwhile', async () => {
  const { store, read, now } = storeOf()
  await Promise.all([read(), read()])
  expect(now()?.text).toBe('2345')
  const late = read()
  store.getState().reset()
  await late
  expect(now()).toBeUndefined()
})

it('the last message that is edited is a person’s own; one that cannot be edited says why', async () => {
  const goingOn = { ...said('Go on.'), metadata: { continued_by: 'call_agent' } }
  const own = await openWindow(quietHome([said('hi'), answered('hello'), goingOn]))
  own.actions.openConversation(LibraryKey.parse('garden'))
  await quiet()
  expect(await own.actions.editLast()).toBe(true)
  expect(Object.values(own.stores.branching.getState().edits)).toMatchObject([{ text: 'hi' }])

  const long = await openWindow(quietHome([{ ...said('hi'), wholeLength: 9_000_000 }]))
  long.actions.openConversation(LibraryKey.parse('garden'))
  await quiet()
  expect(await long.actions.editLast()).toBe(false)
  expect(long.stores.reading.getState().fault).toMatchObject({ title: 'Not edited.' })
})
