import { describe, expect, it } from 'vitest'
import {
  acceleratorOf,
  ariaKeys,
  capsOf,
  spokenKeys,
} from '../../../../src/shared/model/keys/key-words'
import {
  type KeyPlatform,
  keystrokeOf,
  type PressedKey,
  parseKeystroke,
} from '../../../../src/shared/model/keys/keystroke'

const nothing = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
const pressed = (event: Partial<PressedKey>, platform: KeyPlatform = 'linux') =>
  keystrokeOf({ ...nothing, key: '', ...event }, platform)

describe('a keystroke that a person writes', () => {
  it.each([
    ['Ctrl+Shift+F', 'Ctrl+Shift+F'],
    [' shift + ctrl + f ', 'Ctrl+Shift+F'],
    ['Ctrl P', 'Ctrl+P'],
    ['Cmd+,', 'Ctrl+,'],
    ['CmdOrCtrl+Plus', 'Ctrl+Plus'],
    ['Ctrl++', 'Ctrl+Plus'],
    ['Ctrl +', 'Ctrl+Plus'],
    ['+', 'Plus'],
    ['option+ArrowLeft', 'Alt+Left'],
    ['Alt ←', 'Alt+Left'],
    ['f12', 'F12'],
    ['ctrl+esc', 'Ctrl+Esc'],
    ['Ctrl+?', 'Ctrl+?'],
  ])('%j is %s', (text, keystroke) => expect(parseKeystroke(text)).toBe(keystroke))

  it.each([
    '',
    ' ',
    'Ctrl',
    'Ctrl+',
    'Ctrl+Ctrl+P',
    'Hyper+P',
    'Ctrl+PP',
    'Ctrl+F25',
    'Ctrl+ö',
    'Ctrl+P+K',
    // Which sign that is depends on the keyboard.
    'Ctrl+Shift+1',
    'Ctrl+Shift+,',
    '__proto__',
    'Ctrl+constructor',
  ])('%j is none', (text) => expect(parseKeystroke(text)).toBeUndefined())
})

describe('a keystroke that is pressed', () => {
  it('is the character of the layout, whatever its place', () => {
    expect(pressed({ key: 'p', code: 'KeyP', ctrlKey: true })).toBe('Ctrl+P')
    // In France A is where Q is in the USA.
    expect(pressed({ key: 'a', code: 'KeyQ', ctrlKey: true })).toBe('Ctrl+A')
    expect(pressed({ key: 'F', code: 'KeyF', ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+F')
    expect(pressed({ key: 'ArrowLeft', code: 'ArrowLeft', altKey: true })).toBe('Alt+Left')
    expect(pressed({ key: 'F9', code: 'F9', shiftKey: true })).toBe('Shift+F9')
  })

  it('is the sign itself, with the Shift that a keyboard needs for it or without', () => {
    expect(pressed({ key: '+', code: 'Equal', ctrlKey: true, shiftKey: true })).toBe('Ctrl+Plus')
    expect(pressed({ key: '+', code: 'BracketRight', ctrlKey: true })).toBe('Ctrl+Plus')
    expect(pressed({ key: '0', code: 'Digit0', ctrlKey: true, shiftKey: true })).toBe('Ctrl+0')
  })

  it('is what is printed beside the character where that is none of ASCII', () => {
    expect(pressed({ key: 'з', code: 'KeyP', ctrlKey: true })).toBe('Ctrl+P')
    expect(pressed({ key: 'б', code: 'Comma', ctrlKey: true })).toBe('Ctrl+,')
    expect(pressed({ key: 'à', code: 'Digit0', ctrlKey: true })).toBe('Ctrl+0')
    expect(pressed({ key: 'ö', code: 'Semicolon', ctrlKey: true })).toBeUndefined()
  })

  it('is I for both letters i of Turkish, wherever a Turkish keyboard has them', () => {
    // Turkish Q has İ where the USA has an apostrophe, Turkish F has ı where they have S.
    expect(pressed({ key: 'ı', code: 'KeyI', ctrlKey: true })).toBe('Ctrl+I')
    expect(pressed({ key: 'İ', code: 'Quote', ctrlKey: true })).toBe('Ctrl+I')
    expect(pressed({ key: 'ı', code: 'KeyS', ctrlKey: true })).toBe('Ctrl+I')
    expect(pressed({ key: 'İ', code: 'KeyS', ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+I')
  })

  it('is nothing while a character is typed by AltGr, a dead key or an input method, or a modifier alone', () => {
    const altGraph = { ctrlKey: true, altKey: true, getModifierState: () => true }
    expect(pressed({ key: 'b', code: 'KeyB', ...altGraph })).toBeUndefined()
    expect(pressed({ key: 'Dead', code: 'Quote', ctrlKey: true })).toBeUndefined()
    expect(pressed({ key: 'p', code: 'KeyP', ctrlKey: true, isComposing: true })).toBeUndefined()
    expect(pressed({ key: 'Control', code: 'ControlLeft', ctrlKey: true })).toBeUndefined()
    expect(pressed({ key: '' })).toBeUndefined()
  })

  it('has Cmd for Ctrl on a Mac, where Control moves in texts and Alt types other characters', () => {
    expect(pressed({ key: 'p', code: 'KeyP', metaKey: true }, 'darwin')).toBe('Ctrl+P')
    expect(pressed({ key: 'p', code: 'KeyP', ctrlKey: true }, 'darwin')).toBeUndefined()
    expect(pressed({ key: 'p', code: 'KeyP', metaKey: true })).toBeUndefined()
    expect(pressed({ key: '∫', code: 'KeyB', metaKey: true, altKey: true }, 'darwin')).toBe(
      'Ctrl+Alt+B',
    )
  })
})

describe('a keystroke for people and systems', () => {
  it('is caps, words of a screen reader, and what menus and pages write', () => {
    expect(capsOf('Ctrl+Shift+Plus', 'linux')).toEqual(['Ctrl', 'Shift', '+'])
    expect(capsOf('Alt+Left', 'win32')).toEqual(['Alt', '←'])
    expect(capsOf('Ctrl+Alt+Shift+K', 'darwin')).toEqual(['⌘', '⌥', '⇧', 'K'])
    expect(spokenKeys('Ctrl+,', 'linux')).toBe('Control Comma')
    expect(spokenKeys('Alt+Left', 'darwin')).toBe('Option Left arrow')
    expect(ariaKeys(['Ctrl+P', 'Alt+Left'], 'linux')).toBe('Control+P Alt+ArrowLeft')
    expect(ariaKeys(['Ctrl+P'], 'darwin')).toBe('Meta+P')
    expect(acceleratorOf('Ctrl+Shift+Plus')).toBe('CmdOrCtrl+Shift+Plus')
  })
})

it('is none in an event that no keyboard made, as where a field is filled in', () => {
  expect(keystrokeOf(nothing, 'linux')).toBe(undefined)
  expect(keystrokeOf({ ...nothing, altKey: true, code: 'KeyP' }, 'darwin')).toBe(undefined)
})
