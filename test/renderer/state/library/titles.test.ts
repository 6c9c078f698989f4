import { expect, it } from 'vitest'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { openWindow } from '../support/open-window'

const garden = LibraryKey.parse('garden')

async function windowOf() {
  const { home, stores } = await openWindow()
  const titles = () => stores.titles.getState()
  const row = () => stores.library.getState().conversations.find(({ key }) => key === garden)
  return { home, stores, titles, row }
}

it('a title that a person writes is the one of the row, until it is taken away', async () => {
  const { titles, row } = await windowOf()
  titles().open('write', garden)
  expect(await titles().write('Tulips')).toBe(true)
  expect(titles().question).toBeUndefined()
  expect(row()).toMatchObject({ title: 'Tulips', titled: { by: 'person' } })
  expect(await titles().remove(garden)).toBe(true)
  expect(row()?.title).toBe('garden')
  expect(row()?.titled).toBeUndefined()
})

it('what is refused keeps the question open, with why', async () => {
  const { home, titles } = await windowOf()
  titles().open('write', garden)
  home.refuse(new AppError('disk-full', 'The title of "garden" was not saved: the disk is full.'))
  expect(await titles().write('Tulips')).toBe(false)
  expect(titles().question).toEqual({ type: 'write', key: garden })
  expect(titles().failure?.message).toContain('the disk is full')
  expect(titles().isBusy).toBe(false)
})

it('what would be sent is known before the model is asked; a failure of it is told', async () => {
  const { home, titles } = await windowOf()
  titles().open('ask', garden)
  await quiet()
  expect(titles().preview).toMatchObject({ model: 'small/one', host: 'models.example' })
  home.titles.answerWith({ outcome: 'failed', words: 'The provider withheld the answer.' })
  expect(await titles().ask()).toBe(false)
  expect(titles().failure?.message).toBe('The provider withheld the answer.')
  expect(await titles().ask()).toBe(true)
  expect(titles().told).toBe('New title: “Planting tulips”.')
})

it('that another title came meanwhile is told, and is no failure', async () => {
  const { home, titles, row } = await windowOf()
  titles().open('ask', garden)
  home.titles.answerWith({ outcome: 'kept' })
  expect(await titles().ask()).toBe(true)
  expect(titles().told).toContain('stays')
  expect(row()?.title).toBe('garden')
})

it('leaving the question stops the model, and what comes of it then is not shown', async () => {
  const { home, titles } = await windowOf()
  titles().open('ask', garden)
  home.titles.answerWith('hang')
  const asking = titles().ask()
  await quiet()
  expect(titles().isBusy).toBe(true)
  titles().leave()
  await asking
  await quiet()
  expect(home.api.calls.map(({ channel }) => channel)).toContain('titles.cancel')
  expect(titles()).toMatchObject({ question: undefined, isBusy: false, told: undefined })
})
