import { describe, expect, it, vi } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createActions } from '../../../../src/renderer/state/actions'
import { readTextFile } from '../../../../src/renderer/state/run/attached-texts'
import { createQueueStore } from '../../../../src/renderer/state/run/queue'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { createMemoryHome } from '../../harness/memory-home'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const garden = LibraryKey.parse('garden')
const image = { name: 'bed.png', bytes: new Uint8Array([1, 2, 3]) }

/** A window over a home in memory in which an answer is coming; another window of it finds what this one kept. */
async function windowWhileAnswering(kept = keptInMap(), home = createMemoryHome(quietHome())) {
  const api = createApi(home.api.transport)
  const stores = createStores(api, kept)
  const leave = followMain(api, stores)
  const actions = createActions(stores, kept)
  await actions.start()
  await quiet()
  if (stores.completion.getState().runs.garden === undefined) {
    await actions.send(garden, 'first')
    await quiet()
  }
  const sent = () =>
    home.api.calls.flatMap(({ channel, args }) =>
      channel === 'completion.start' ? [(args as { text: string }).text] : [],
    )
  const queue = () => {
    const { messages, hold } = stores.queue.getState().get('garden')
    return { texts: messages.map(({ text }) => text), hold }
  }
  const finish = async (outcome?: 'complete' | 'stopped' | 'unfinished') => {
    home.finish('garden', outcome)
    await quiet()
  }
  return { home, kept, stores, actions, sent, queue, finish, leave }
}

describe('queued messages', () => {
  it('go out one by one, each when the answer before it is whole', async () => {
    const { actions, sent, queue, finish } = await windowWhileAnswering()
    actions.enqueue(garden, 'second')
    actions.enqueue(garden, 'third')
    await quiet()
    expect([sent(), queue()]).toEqual([['first'], { texts: ['second', 'third'], hold: undefined }])
    await finish()
    expect([sent(), queue().texts]).toEqual([['first', 'second'], ['third']])
    await finish()
    expect([sent(), queue().texts]).toEqual([['first', 'second', 'third'], []])
    await finish()
    expect(sent()).toHaveLength(3)
  })

  it('wait for a person after a stop, a failure and an answer that is not whole', async () => {
    const { home, actions, sent, queue, finish } = await windowWhileAnswering()
    actions.enqueue(garden, 'second')
    await finish('stopped')
    expect([sent(), queue()]).toEqual([['first'], { texts: ['second'], hold: 'stopped' }])
    actions.sendQueued(garden)
    await quiet()
    expect([sent(), queue().texts]).toEqual([['first', 'second'], []])

    actions.enqueue(garden, 'third')
    await finish('unfinished')
    expect(queue()).toEqual({ texts: ['third'], hold: 'unfinished' })
    await actions.send(garden, 'another')
    home.fail('garden', { kind: 'server', message: 'No.', advice: '', attempts: 1 })
    await quiet()
    expect(queue()).toEqual({ texts: ['third'], hold: 'failed' })
    await actions.send(garden, 'yet another')
    await quiet()
    await finish()
    expect([sent().slice(2), queue()]).toEqual([
      ['another', 'yet another'],
      { texts: ['third'], hold: 'failed' },
    ])
  })

  it('leave what is being written alone, and take its images along', async () => {
    const { home, stores, actions, finish } = await windowWhileAnswering()
    stores.drafts.setState({ attached: { garden: [{ ...image, id: 'image-1' }] } })
    actions.enqueue(garden, 'second')
    expect(stores.drafts.getState().attached.garden).toBe(undefined)
    stores.drafts.getState().set('garden', { text: 'sec' })
    await finish()
    expect(stores.drafts.getState().get('garden').text).toBe('sec')
    const last = home.api.calls.filter(({ channel }) => channel === 'completion.start').at(-1)
    expect(last?.args).toEqual({ key: garden, text: 'second', images: [image] })
  })

  it('are no draft, and neither are the words that have an answer go on', async () => {
    const { home, stores, actions, finish } = await windowWhileAnswering()
    await finish('unfinished')
    stores.drafts.getState().set('garden', { text: 'half a mess' })
    stores.drafts.setState({ attached: { garden: [{ ...image, id: 'image-1' }] } })
    await actions.sendBeside(garden, 'Go on.')
    await quiet()
    expect(stores.drafts.getState().get('garden').text).toBe('half a mess')
    expect(stores.drafts.getState().attached.garden).toHaveLength(1)
    const last = home.api.calls.filter(({ channel }) => channel === 'completion.start').at(-1)
    expect(last?.args).toEqual({ key: garden, text: 'Go on.' })
  })

  it('stay when they are refused, with the reason', async () => {
    const { home, stores, actions, queue, finish } = await windowWhileAnswering()
    actions.enqueue(garden, 'second')
    home.refuse(new AppError('disk-full', 'The disk is full.'))
    await finish()
    expect(queue()).toEqual({ texts: ['second'], hold: 'refused' })
    expect(stores.completion.getState().refusals.garden?.message).toBe('The disk is full.')
    actions.sendQueued(garden)
    await quiet()
    expect(queue().texts).toEqual([])
  })

  it('can be changed and removed; one that is being edited goes out when the edit has ended', async () => {
    const { stores, actions, sent, queue, finish } = await windowWhileAnswering()
    for (const text of ['second', 'third', 'fourth']) actions.enqueue(garden, text)
    const [second, third] = stores.queue.getState().get('garden').messages
    stores.queue.getState().remove('garden', third?.id ?? '')
    stores.queue.getState().edit('garden', { id: second?.id ?? '', text: 'sec' })
    await finish()
    expect([sent(), queue()]).toEqual([['first'], { texts: ['second', 'fourth'], hold: 'editing' }])
    actions.endEdit(garden, second?.id ?? '', 'second, better')
    await quiet()
    expect([sent(), queue().texts]).toEqual([['first', 'second, better'], ['fourth']])
  })

  it('survive a reload: those behind an answer that still comes go on, others wait', async () => {
    const { home, kept, stores, actions, leave } = await windowWhileAnswering()
    actions.enqueue(garden, 'second')
    stores.queue.getState().add('garden', 'with an image', [image])
    leave()
    const again = await windowWhileAnswering(kept, home)
    expect(again.queue()).toEqual({ texts: ['second', 'with an image'], hold: undefined })
    await again.finish()
    expect(again.sent()).toEqual(['first', 'second'])
    await again.finish()
    expect(again.queue()).toEqual({ texts: ['with an image'], hold: 'no-images' })
    again.leave()

    const queue = createQueueStore(kept)
    queue.getState().enter('/home/mira/.chibi')
    expect(queue.getState().get('garden')).toMatchObject({
      messages: [{ text: 'with an image', lostImages: 1 }],
      hold: 'reopened',
    })
  })

  it('that were being sent when the window went are not sent a second time by themselves', async () => {
    const kept = keptInMap()
    const before = createQueueStore(kept)
    before.getState().enter('/h')
    before.getState().add('garden', 'second', [])
    expect(before.getState().take('garden')?.text).toBe('second')
    const after = createQueueStore(kept)
    after.getState().enter('/h')
    expect(after.getState().get('garden')).toMatchObject({ hold: 'unsure' })
    expect(after.getState().take('garden')).toBe(undefined)
  })

  it('go along with a conversation that is renamed, and with one that is removed', async () => {
    const { stores, actions } = await windowWhileAnswering()
    actions.enqueue(garden, 'second')
    stores.queue.getState().move('garden', 'kitchen')
    expect(stores.queue.getState().get('garden').messages).toEqual([])
    expect(stores.queue.getState().get('kitchen').messages).toMatchObject([{ text: 'second' }])
    stores.queue.getState().clear('kitchen')
    expect(stores.queue.getState().get('kitchen').messages).toEqual([])
  })

  it('are stored where they change, with each file encoded once, and not for a keystroke in an edit', () => {
    const kept = keptInMap()
    const stored: string[] = []
    const encode = vi.spyOn(globalThis, 'btoa')
    const set = (name: string, value: string) => {
      stored.push(value)
      return kept.set(name, value)
    }
    const { getState } = createQueueStore({ ...kept, set })
    const bytes = Uint8Array.from({ length: 70_001 }, (_, at) => 32 + (at % 90))
    const { text: file } = readTextFile({ name: 'a.txt', bytes }, [])
    getState().add('garden', 'second', [], file === undefined ? [] : [file])
    const [{ id } = { id: '' }] = getState().get('garden').messages
    for (const text of ['s', 'se', 'sec']) getState().edit('garden', { id, text })
    getState().hold('garden', 'stopped')
    getState().release('garden')
    expect(stored).toHaveLength(1)
    getState().change('garden', id, 'sec')
    expect(stored).toHaveLength(2)
    expect(encode).toHaveBeenCalledTimes(1)
    encode.mockRestore()
    const [again] = createQueueStore(kept).getState().get('garden').messages
    expect([again?.text, again?.files[0]?.bytes]).toEqual(['sec', bytes])
  })

  it('that the browser does not keep say so, also while they are edited', () => {
    const queue = createQueueStore(keptInMap({ isFull: true }))
    queue.getState().add('garden', 'long', [])
    queue.getState().edit('garden', { id: 'queued-1', text: 'longer' })
    expect(queue.getState().get('garden')).toMatchObject({ isNotKept: true })
  })
})

it('a message on its way while its context gets another name waits there for a person, and sending goes on', () => {
  const queue = createQueueStore(keptInMap())
  queue.getState().add('garden', 'second', [])
  expect(queue.getState().take('garden')?.text).toBe('second')
  queue.getState().move('garden', 'allotment')
  queue.getState().settle('garden', true)
  const { messages, hold, isSending } = queue.getState().get('allotment')
  expect([messages.map(({ text }) => text), hold, isSending]).toEqual([['second'], 'unsure', false])
  expect(queue.getState().get('garden').messages).toEqual([])
})
