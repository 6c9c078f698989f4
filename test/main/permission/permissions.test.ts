import { expect, it } from 'vitest'
import { openPermissions } from '../../../src/main/permission/permissions'
import type { NativeQuestion } from '../../../src/main/permission/question'

const question: NativeQuestion = {
  message: 'May I?',
  detail: '',
  refusal: 'Cancel',
  answers: ['Allow'],
}

/** Dialogs that are answered in this order, and refused after that; counts those that were shown. */
function answering(...answers: readonly number[]) {
  const left = [...answers]
  const shown: NativeQuestion[] = []
  const permissions = openPermissions(async (asked) => {
    shown.push(asked)
    return left.shift()
  })
  return { permissions, shown }
}

const busy = { code: 'busy' }

it('after a refusal nothing is asked, however often, until a person acts in the window', async () => {
  const { permissions, shown } = answering()
  expect(await permissions.ask(question)).toBeUndefined()
  for (let n = 0; n < 20; n++) await expect(permissions.ask(question)).rejects.toMatchObject(busy)
  await expect(permissions.require(question, 'Kept.')).rejects.toMatchObject(busy)
  await expect(permissions.pick(async () => '/picked')).rejects.toMatchObject(busy)
  expect(shown).toHaveLength(1)

  permissions.acted()
  await expect(permissions.require(question, 'Kept.')).rejects.toMatchObject({ code: 'denied' })
  await expect(permissions.ask(question)).rejects.toMatchObject(busy)
  expect(shown).toHaveLength(2)
})

it('what is allowed may be followed by what belongs to it: an address, and its key', async () => {
  const { permissions, shown } = answering(0, 0)
  await permissions.require(question, 'Kept.')
  await permissions.require(question, 'Kept.')
  expect(shown).toHaveLength(2)
})

it('a cancelled picker, a dialog that fails and a question that was withdrawn count as refused', async () => {
  const rests = async (first: (of: ReturnType<typeof answering>) => Promise<unknown>) => {
    const made = answering(0)
    await first(made).catch(() => undefined)
    await expect(made.permissions.ask(question)).rejects.toMatchObject(busy)
    made.permissions.acted()
    expect(await made.permissions.pick(async () => 'picked')).toBe('picked')
  }
  await rests(({ permissions }) => permissions.pick(async () => undefined))
  await rests(({ permissions }) => permissions.pick(() => Promise.reject(new Error('no display'))))
  await rests(({ permissions }) => {
    const withdrawn = new AbortController()
    const asked = permissions.ask(question, withdrawn.signal)
    withdrawn.abort()
    return asked
  })
})

it('a key that is pressed while a dialog is open does not count as one after it', async () => {
  const { permissions } = answering()
  const pressed = async () => {
    permissions.acted()
    return undefined
  }
  await permissions.pick(pressed)
  await expect(permissions.ask(question)).rejects.toMatchObject(busy)
})
