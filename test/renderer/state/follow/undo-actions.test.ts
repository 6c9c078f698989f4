import { expect, it } from 'vitest'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { openWindow } from '../support/open-window'

const garden = LibraryKey.parse('garden')

async function windowOf() {
  const { home, stores, actions } = await openWindow()
  const offered = () => stores.undo.getState().act
  const keys = () => stores.library.getState().conversations.map(({ key }) => key)
  const refusal = () => stores.contexts.getState().failure?.message
  return { home, stores, actions, offered, keys, refusal }
}

/** A window with a branch from the last entry of its first conversation. */
async function branched() {
  const window = await windowOf()
  const { stores, actions } = window
  const row = stores.transcript.getState().run.rows.at(-1)
  if (row?.type !== 'entry') throw new Error('no entry there')
  await actions.branch('spot', garden, { entry: row.entry.id }, { type: 'branch' })
  await quiet()
  const act = window.offered()
  if (act?.type !== 'branched') throw new Error('no branch is offered')
  return { ...window, made: act.key }
}

it('an archived conversation is listed again by undo, and one that was listed again is archived', async () => {
  const { stores, actions, offered } = await windowOf()
  const archived = () => [...stores.contexts.getState().archived]
  await actions.setArchived(garden, true)
  expect(archived()).toEqual(['garden'])
  expect(offered()).toEqual({ type: 'archived', key: 'garden' })
  expect(await actions.undo()).toEqual({ type: 'archived', key: 'garden' })
  expect([archived(), offered()]).toEqual([[], undefined])
  await actions.setArchived(garden, true)
  await actions.setArchived(garden, false)
  await actions.undo()
  expect(archived()).toEqual(['garden'])
  expect(await actions.undo()).toBe(undefined)
})

it('a pinned conversation is no longer so by undo, and one that lost its pin has it again', async () => {
  const { stores, actions, offered } = await windowOf()
  const isPinned = () =>
    stores.library.getState().conversations.find(({ key }) => key === garden)?.pinned === true
  await actions.setPinned(garden, true)
  await quiet()
  expect([isPinned(), offered()]).toEqual([true, { type: 'pinned', key: 'garden' }])
  await actions.undo()
  await quiet()
  expect(isPinned()).toBe(false)
  await actions.setPinned(garden, true)
  await actions.setPinned(garden, false)
  await actions.undo()
  await quiet()
  expect(isPinned()).toBe(true)
})

it('offers nothing where the act was refused, and says why an undo was', async () => {
  const { home, actions, offered, refusal } = await windowOf()
  home.refuse(new AppError('locked', 'garden is in use by chibi.'))
  await actions.setArchived(garden, true)
  expect(offered()).toBe(undefined)
  await actions.setArchived(garden, true)
  home.refuse(new AppError('locked', 'chibi has it again.'))
  expect(await actions.undo()).toBe(undefined)
  expect(refusal()).toBe('chibi has it again.')
})

it('a branch goes to the trash by undo, and the conversation that it came from is open again', async () => {
  const { stores, actions, keys, made } = await branched()
  expect(keys()).toContain(made)
  expect(stores.app.getState().place).toEqual({ type: 'conversation', key: made })
  expect(await actions.undo()).toMatchObject({ type: 'branched', key: made, from: 'garden' })
  await quiet()
  expect(keys()).not.toContain(made)
  expect(stores.app.getState().place).toEqual({ type: 'conversation', key: 'garden' })
})

it('a branch in which something was written since stays, and that is said', async () => {
  const { actions, keys, made, refusal } = await branched()
  await actions.send(made, 'And low water?')
  await quiet()
  expect(await actions.undo()).toBe(undefined)
  expect(refusal()).toBe('Something was written in the new conversation, so it stays.')
  expect(keys()).toContain(made)
})

it('a branch for which a message is begun stays, with the message', async () => {
  const { stores, actions, keys, made, refusal } = await branched()
  stores.drafts.getState().set(made, { text: 'And low' })
  expect(await actions.undo()).toBe(undefined)
  expect(refusal()).toBe('A message for the new conversation is begun, so it stays.')
  expect(keys()).toContain(made)
  expect(stores.drafts.getState().get(made).text).toBe('And low')
})

it('an offer ends with its conversation, and with its home', async () => {
  const { stores, offered, made } = await branched()
  stores.contexts.getState().ask('destroy', made)
  await stores.contexts.getState().destroy()
  expect(offered()).toBe(undefined)
  stores.undo.getState().offer({ type: 'archived', key: garden })
  stores.undo.getState().reset()
  expect(offered()).toBe(undefined)
})
