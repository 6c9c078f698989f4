import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { expect, it } from 'vitest'
import { watchUserInput } from '../../../src/main/app/user-input'

it('a key, a click and a touch are acts of a person; moving, scrolling and letting go are none', () => {
  const app = new EventEmitter()
  const contents = new EventEmitter()
  let acts = 0
  const quickEntry = new EventEmitter()
  const isAppWindow = (one: unknown) => one === contents
  watchUserInput(app as unknown as App, isAppWindow, () => {
    acts += 1
  })
  app.emit('web-contents-created', {}, contents)
  app.emit('web-contents-created', {}, quickEntry)
  const input = (type: string) => contents.emit('input-event', {}, { type })
  for (const type of [
    'mouseMove',
    'mouseUp',
    'keyUp',
    'char',
    'mouseWheel',
    'mouseEnter',
    'touchEnd',
  ])
    input(type)
  expect(acts).toBe(0)
  for (const type of ['rawKeyDown', 'keyDown', 'mouseDown', 'touchStart']) input(type)
  expect(acts).toBe(4)
  // Only the app window's count: a page of the quick entry answers no dialog of the app window's.
  for (const type of ['rawKeyDown', 'keyDown', 'mouseDown', 'touchStart'])
    quickEntry.emit('input-event', {}, { type })
  expect(acts).toBe(4)
})
