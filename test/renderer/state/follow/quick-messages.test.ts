import { expect, it } from 'vitest'
import { newDraftPlace } from '../../../../src/renderer/state/run/drafts'
import { QuickMessage } from '../../../../src/shared/ipc/app/quick'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { openWindow } from '../support/open-window'
import { quietHome } from '../support/quiet-home'

const kitchen = LibraryKey.parse('kitchen')
const messages = (...all: { text: string; key?: string }[]) =>
  all.map((each) => QuickMessage.parse(each))

async function windowWith(...all: { text: string; key?: string }[]) {
  const opened = await openWindow({ ...quietHome(), messages: messages(...all) })
  const { stores } = opened
  return {
    ...opened,
    place: () => stores.app.getState().place,
    newDraft: () => stores.drafts.getState().get(newDraftPlace).text,
    texts: () =>
      stores.transcript
        .getState()
        .run.rows.map((row) => (row.type === 'entry' ? row.entry.content : 'damaged')),
  }
}

it('a message that waits when the window opens begins a conversation, and leaves no draft', async () => {
  const { place, texts, newDraft } = await windowWith({ text: 'Buy seeds' })
  expect(place()).toEqual({ type: 'conversation', key: 'chat-2026-11-28' })
  expect(texts()).toContain('Buy seeds')
  expect(newDraft()).toBe('')
})

it('one for a conversation opens it and goes on there, after what is queued', async () => {
  const { place, texts, stores } = await windowWith({ text: 'With leek?', key: 'kitchen' })
  expect(place()).toEqual({ type: 'conversation', key: 'kitchen' })
  expect(texts()).toEqual(['soup?', 'soup.', 'With leek?'])
  expect(stores.queue.getState().get(kitchen).messages).toEqual([])
})

it('one that is refused stands below the draft that is there, with the reason', async () => {
  const { home, stores, actions, newDraft, place } = await windowWith()
  stores.drafts.getState().set(newDraftPlace, { text: 'Half a question' })
  home.give(...messages({ text: 'Buy seeds' }))
  home.refuse(new AppError('no-key', 'There is no key.'))
  await actions.sendQuick()
  expect(newDraft()).toBe('Half a question\n\nBuy seeds')
  expect(place()).toEqual({ type: 'draft' })
  expect(stores.completion.getState().refusals[newDraftPlace]?.message).toBe('There is no key.')
})

it('a draft that was there stays as it was, and is on the disk with the message until that is written', async () => {
  const { home, stores, actions, newDraft, kept } = await windowWith()
  stores.drafts.getState().set(newDraftPlace, { text: 'Half a question' })
  home.give(...messages({ text: 'Buy seeds' }, { text: 'And soil' }))
  home.hold()
  const sent = actions.sendQuick()
  await quiet()
  expect([...kept.values.values()]).toContainEqual(
    JSON.stringify({ text: 'Half a question\n\nBuy seeds' }),
  )
  home.release()
  await sent
  await quiet()
  expect(newDraft()).toBe('Half a question')
  const begun = home.api.calls.filter(({ channel }) => channel === 'completion.begin')
  expect(begun.map(({ args }) => (args as { text: string }).text)).toEqual([
    'Buy seeds',
    'And soil',
  ])
})
