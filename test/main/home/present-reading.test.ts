import { expect, it } from 'vitest'
import type { HomeReading } from '../../../src/main/home/home-reading'
import { presentFamilies } from '../../../src/main/home/present-reading'

const groups = { families: [], counting: false }

/** A reading whose families answer with this. Nothing else of it is asked. */
function reading(answer: () => Promise<typeof groups>): HomeReading {
  return { families: { groups: answer } } as never
}

it('asks the reading that took the place of a closed one', async () => {
  const after = reading(async () => groups)
  let present = reading(async () => {
    present = after
    throw new Error('the thread ended')
  })
  expect(await presentFamilies({ now: () => present }).groups()).toBe(groups)
})

it('fails where the present reading fails', async () => {
  const present = reading(() => Promise.reject(new Error('the thread ended')))
  await expect(presentFamilies({ now: () => present }).groups()).rejects.toThrow('the thread ended')
})
