import { expect, it } from 'vitest'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
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
