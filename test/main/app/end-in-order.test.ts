import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { expect, it } from 'vitest'
import { endInOrder } from '../../../src/main/app/end-in-order'

/** Electron's part in quitting: it quits where nobody prevents it. */
function quittingApp() {
  const events = new EventEmitter()
  const told: string[] = []
  function quit(): void {
    let isPrevented = false
    const preventDefault = () => {
      isPrevented = true
    }
    events.emit('before-quit', { preventDefault })
    told.push(isPrevented ? 'stays' : 'quits')
  }
  const app = { on: events.on.bind(events), quit } as unknown as App
  return { app, told, quit }
}

it('quits when the work has ended, which is asked for once', async () => {
  const { app, told, quit } = quittingApp()
  let ends = 0
  const { promise, resolve } = newPromise()
  const end = () => {
    ends += 1
    return promise
  }
  endInOrder(app, end, (error) => told.push(String(error)))
  quit()
  quit()
  expect([ends, told]).toEqual([1, ['stays', 'stays']])
  resolve()
  await expect.poll(() => told).toEqual(['stays', 'stays', 'quits'])
  expect(ends).toBe(1)
})

it('quits also where the work ends in a failure, and says so', async () => {
  const { app, told, quit } = quittingApp()
  endInOrder(
    app,
    async () => {
      throw new Error('the disk is full')
    },
    (error) => told.push(String(error)),
  )
  quit()
  await expect.poll(() => told).toEqual(['stays', 'Error: the disk is full', 'quits'])
})

function newPromise() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
