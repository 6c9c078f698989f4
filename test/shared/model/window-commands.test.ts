import { describe, expect, it } from 'vitest'
import {
  commandOfKey,
  keyCapsOf,
  windowCommandNames,
  windowCommands,
} from '../../../src/shared/model/window-commands'

const press = (caps: readonly string[], key: string, control: 'ctrlKey' | 'metaKey' = 'ctrlKey') =>
  commandOfKey({
    key,
    ctrlKey: false,
    metaKey: false,
    shiftKey: caps.includes('Shift'),
    altKey: caps.includes('Alt'),
    [control]: caps.includes('Ctrl'),
  })

describe('the shortcuts of commands', () => {
  it('run their command by Ctrl and by Cmd, whatever the case in which the browser tells the key', () => {
    expect(press(['Ctrl'], 'p')).toBe('palette')
    expect(press(['Ctrl'], 'P', 'metaKey')).toBe('palette')
    expect(press(['Ctrl', 'Shift'], 'F')).toBe('search')
    expect(press(['Ctrl', 'Shift'], 'f')).toBe('search')
    expect(press(['Ctrl'], 'f')).toBe('find')
    expect(press(['Ctrl', 'Alt'], 'b')).toBe('toggle-details')
    expect(press(['Ctrl'], 'b')).toBe('toggle-library')
    expect(press(['Ctrl'], ',')).toBe('settings')
  })

  it('take a plus from every keyboard', () => {
    for (const [caps, key] of [
      [['Ctrl'], '='],
      [['Ctrl'], '+'],
      [['Ctrl', 'Shift'], '+'],
    ] as const)
      expect(press(caps, key)).toBe('zoom-in')
    expect(press(['Ctrl'], '-')).toBe('zoom-out')
  })

  it('are no other keys: without Ctrl, with one more, or of nobody', () => {
    expect(press([], 'p')).toBeUndefined()
    expect(press(['Ctrl', 'Alt'], 'p')).toBeUndefined()
    expect(press(['Ctrl', 'Shift', 'Alt'], 'f')).toBeUndefined()
    expect(press(['Ctrl'], 'q')).toBeUndefined()
    expect(press(['Ctrl'], 'ArrowLeft')).toBeUndefined()
    expect(press(['Ctrl'], '')).toBeUndefined()
  })

  it('belong to one command each, and every command has a name', () => {
    const caps = windowCommandNames.flatMap((name) => keyCapsOf(name)?.join(' ') ?? [])
    expect(new Set(caps).size).toBe(caps.length)
    for (const name of windowCommandNames) expect(windowCommands[name].name).toMatch(/^[A-Z]/)
  })
})
