import { expect, it } from 'vitest'
import { openGlobalKey } from '../../../../src/main/app/system/global-key'

/** Keys of a system, some of which another program has. */
function systemWith(...others: string[]) {
  const given = new Map<string, () => void>()
  const taken = new Set(others)
  return {
    given,
    taken,
    register(accelerator: string, pressed: () => void) {
      if (accelerator.includes('F24')) throw new TypeError('no such key')
      if (taken.has(accelerator)) return false
      given.set(accelerator, pressed)
      return true
    },
    unregister: (accelerator: string) => void given.delete(accelerator),
  }
}

it('takes one key at the most, and none where it is off', () => {
  const system = systemWith()
  let pressed = 0
  const key = openGlobalKey(system, {}, () => {
    pressed += 1
  })
  expect(key.retry()).toBe('off')
  expect(key.set('Ctrl+Alt+K')).toBe('on')
  expect(key.set('Ctrl+Alt+L')).toBe('on')
  expect(system.given.size).toBe(1)
  for (const press of system.given.values()) press()
  expect(pressed).toBe(1)
  expect(key.set('')).toBe('off')
  expect(system.given.size).toBe(0)
})

it('tells a key that another program has, and takes it when it is tried again and free', () => {
  const system = systemWith()
  const key = openGlobalKey(system, {}, () => undefined)
  key.set('Ctrl+Alt+K')
  const [accelerator = ''] = system.given.keys()
  key.set('')
  system.taken.add(accelerator)
  expect(key.set('Ctrl+Alt+K')).toBe('taken')
  expect(key.retry()).toBe('taken')
  system.taken.clear()
  expect(key.retry()).toBe('on')
  // It is taken once.
  expect([key.retry(), system.given.size]).toEqual(['on', 1])
  expect(key.set('F24')).toBe('taken')
})

it('asks Wayland for none', () => {
  const system = systemWith()
  for (const environment of [{ XDG_SESSION_TYPE: 'wayland' }, { WAYLAND_DISPLAY: 'wayland-0' }])
    expect(openGlobalKey(system, environment, () => undefined).set('Ctrl+Alt+K')).toBe('wayland')
  expect(system.given.size).toBe(0)
})
