import { expect, it } from 'vitest'
import {
  hasChosen,
  hasSeveralChosen,
  isWhollyChosen,
} from '../../../../src/renderer/conversations/chosen/use-row-choice'
import { groupRows } from '../../../../src/renderer/conversations/order/groups'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { summaryOf } from '../../harness/memory-home'
import { openWindow } from '../support/open-window'

const keys = ['garden', 'tram'].map((name) => LibraryKey.parse(name))

it('a change of several is made one by one, and one undo takes back what was made', async () => {
  const { home, stores, actions } = await openWindow()
  const [first, second] = stores.library.getState().conversations.map(({ key }) => key)
  if (first === undefined || second === undefined) throw new Error('no two conversations')
  const tagsOf = () =>
    stores.library.getState().conversations.map(({ key, tags }) => [key, tags?.join() ?? ''])
  const before = tagsOf()
  await actions.changeChosen({ type: 'tagged', tag: 'spring' }, [first, second])
  await quiet()
  expect(tagsOf().filter(([, tags]) => tags === 'spring')).toHaveLength(2)
  expect(stores.undo.getState().act).toMatchObject({ type: 'several', keys: [first, second] })
  await actions.undo()
  await quiet()
  expect(tagsOf()).toEqual(before)

  // One that is refused does not keep the others.
  home.refuse(new AppError('disk-full', 'The disk is full.'))
  await actions.changeChosen({ type: 'pinned' }, [first, second])
  expect(stores.chosen.getState().refused).toEqual([{ key: first, message: 'The disk is full.' }])
  expect(stores.undo.getState().act).toMatchObject({ type: 'several', keys: [second] })
})

it('choosing goes by rows: what was chosen is taken away again, and another home has none', async () => {
  const { stores } = await openWindow()
  const chosen = stores.chosen.getState
  chosen().toggle(keys, 'family')
  expect([...chosen().keys]).toEqual(keys)
  chosen().toggle(keys.slice(1), 'tram')
  expect([...chosen().keys]).toEqual(['garden'])
  chosen().toggle(keys, 'family')
  expect([...chosen().keys]).toEqual(keys)
  chosen().toggle(keys, 'family')
  expect([...chosen().keys]).toEqual([])
})

it('a change that another home interrupts offers no undo there', async () => {
  const { stores, actions } = await openWindow()
  const [first, second] = stores.library.getState().conversations.map(({ key }) => key)
  if (first === undefined || second === undefined) throw new Error('no two conversations')
  const change = actions.changeChosen({ type: 'pinned' }, [first, second])
  stores.undo.getState().reset()
  stores.chosen.getState().reset()
  await change
  expect(stores.undo.getState().act).toBeUndefined()
  expect(stores.chosen.getState()).toMatchObject({ work: undefined, refused: [] })
})

it('an undo names each conversation that refuses it, and says of how many it is', async () => {
  const { home, stores, actions } = await openWindow()
  const all = stores.library.getState().conversations.slice(0, 2)
  const some = all.map(({ key }) => key)
  await actions.changeChosen({ type: 'pinned' }, some)
  home.refuse(new AppError('disk-full', 'The disk is full.'))
  await actions.undo()
  expect(stores.chosen.getState().refused).toEqual([{ key: some[0], message: 'The disk is full.' }])
  expect(stores.undo.getState().told).toBe('Undone for 1 of 2 conversations.')
  // While others are changed it stays offered.
  await actions.changeChosen({ type: 'pinned' }, some)
  stores.chosen.setState({ work: { done: 0, total: 1 } })
  expect(await actions.undo()).toBeUndefined()
  expect(stores.contexts.getState().failure).toMatchObject({ code: 'busy' })
  expect(stores.undo.getState().act).toMatchObject({ keys: some })
})

it('a tag that comes back stands at its place, as it was spelled', async () => {
  const { stores, actions } = await openWindow()
  const [key] = stores.library.getState().conversations.map((row) => row.key)
  if (key === undefined) throw new Error('no conversation')
  const tags = () => stores.library.getState().conversations.find((row) => row.key === key)?.tags
  for (const tag of ['Spring', 'deck', 'later'])
    await actions.changeChosen({ type: 'tagged', tag }, [key])
  await quiet()
  await actions.changeChosen({ type: 'untagged', tag: 'spring' }, [key])
  await quiet()
  expect(tags()).toEqual(['deck', 'later'])
  await actions.undo()
  await quiet()
  expect(tags()).toEqual(['Spring', 'deck', 'later'])
})

it('what is chosen follows its new name, and is chosen no more in the trash', async () => {
  const { home, stores } = await openWindow()
  const [first, second] = stores.library.getState().conversations.map(({ key }) => key)
  if (first === undefined || second === undefined) throw new Error('no two conversations')
  const chosen = stores.chosen.getState
  chosen().choose([first, second], first)
  const to = LibraryKey.parse('another-name')
  home.api.tell.contexts.renamed({ from: first, to })
  await quiet()
  expect([...chosen().keys]).toEqual([to, second])
  expect(chosen().anchor).toBe(to)
  home.api.tell.contexts.destroyed({ key: second })
  await quiet()
  expect([...chosen().keys]).toEqual([to])
})

it('another choice leaves the question of the one before', async () => {
  const { stores } = await openWindow()
  const chosen = stores.chosen.getState
  for (const next of [() => chosen().choose(keys, 'tram'), () => chosen().toggle(keys, 'tram')]) {
    chosen().ask('trash')
    next()
    expect(chosen().question).toBeUndefined()
  }
})

it('only what is listed and can be chosen counts as a choice', () => {
  const rows = groupRows([summaryOf('garden'), summaryOf('tram', { gone: true })], 'none', 0)
  const all = rows.filter((row) => row.type !== 'head')
  expect(hasChosen(rows, new Set(keys.slice(1)))).toBe(false)
  expect(hasChosen(rows, new Set([LibraryKey.parse('hidden')]))).toBe(false)
  expect(hasChosen(rows, new Set(keys))).toBe(true)
  expect(all.map((row) => isWhollyChosen(row, new Set(keys)))).toEqual([true, false])
})

it('one alone is changed and undone while several are, and its refusal is told as that of any act on one', async () => {
  const { home, stores, actions } = await openWindow()
  const [first, second] = stores.library.getState().conversations.map(({ key }) => key)
  if (first === undefined || second === undefined) throw new Error('no two conversations')
  const row = (key: LibraryKey) =>
    stores.library.getState().conversations.find((one) => one.key === key)
  const refused = [{ key: second, message: 'The disk is full.' }]
  stores.chosen.setState({ work: { done: 0, total: 2 }, refused })
  await actions.changeOne({ type: 'colored', color: 'green' }, first)
  await quiet()
  expect(row(first)?.color).toBe('green')
  await actions.undo()
  await quiet()
  expect(row(first)?.color).toBeUndefined()
  await actions.changeOne({ type: 'hidden' }, first)
  await quiet()
  expect(row(first)?.hidden).toBe(true)

  home.refuse(new AppError('disk-full', 'No room.'))
  await actions.undo()
  expect(stores.contexts.getState().failure).toMatchObject({ message: 'No room.' })
  stores.contexts.getState().dismissFailure()
  home.refuse(new AppError('disk-full', 'No room.'))
  await actions.changeOne({ type: 'unhidden' }, first)
  expect(stores.contexts.getState().failure).toMatchObject({ message: 'No room.' })
  // What is told of several stays.
  expect(stores.chosen.getState()).toMatchObject({ refused, work: { done: 0, total: 2 } })
})

it('what an act takes out of the list is chosen no longer, and one that is refused stays chosen', async () => {
  for (const [type, back] of [
    ['hidden', 'unhidden'],
    ['archived', 'unarchived'],
  ] as const) {
    const { home, stores, actions } = await openWindow()
    const [first, second] = stores.library.getState().conversations.map(({ key }) => key)
    if (first === undefined || second === undefined) throw new Error('no two conversations')
    const { choose } = stores.chosen.getState()
    const left = () => [...stores.chosen.getState().keys]
    choose([first, second], first)
    home.refuse(new AppError('disk-full', 'The disk is full.'))
    await actions.changeChosen({ type }, [first, second])
    expect(left()).toEqual([first])
    choose([first, second], first)
    await actions.changeChosen({ type: 'pinned' }, [first, second])
    expect(left()).toEqual([first, second])
    if (type === 'hidden') await actions.changeOne({ type: back }, second)
    else await actions.setArchived(second, false)
    expect(left()).toEqual([first])
  }
})

it('several are chosen where more than one is shown', () => {
  const [garden, tram] = keys
  if (garden === undefined || tram === undefined) throw new Error('no two keys')
  const rows = groupRows([summaryOf(garden)], 'none', 0)
  expect(hasSeveralChosen(rows, new Set(keys))).toBe(false)
  const both = groupRows([summaryOf(garden), summaryOf(tram)], 'none', 0)
  expect(hasSeveralChosen(both, new Set(keys))).toBe(true)
  expect(hasSeveralChosen(both, new Set([garden]))).toBe(false)
})
