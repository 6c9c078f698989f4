import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import { fixedKeys } from '../../../../src/shared/model/keys/fixed-keys'
import {
  makeKeyTable,
  mostKeystrokes,
  OwnKeys,
  withKeys,
} from '../../../../src/shared/model/keys/key-table'
import { type KeyPlatform, parseKeystroke } from '../../../../src/shared/model/keys/keystroke'
import { refusalOf } from '../../../../src/shared/model/keys/reserved-keys'
import {
  standardKeysOf,
  type WindowCommand,
  windowCommandNames,
  windowCommands,
} from '../../../../src/shared/model/keys/window-commands'

const platforms: readonly KeyPlatform[] = ['linux', 'darwin', 'win32']

/** Every keystroke of a command leads back to it, and to no other one. */
function expectOneMeaning(own: OwnKeys, platform: KeyPlatform): void {
  const table = makeKeyTable(own, platform)
  const all = windowCommandNames.flatMap((name) => table.keysOf(name))
  expect(new Set(all).size).toBe(all.length)
  for (const name of windowCommandNames)
    for (const keystroke of table.keysOf(name)) {
      expect(table.commandOf(keystroke)).toBe(name)
      expect(refusalOf(keystroke, platform)).toBeUndefined()
    }
}

describe('the standard keys', () => {
  it.each(platforms)('have one meaning each and are none that is reserved, on %s', (platform) => {
    expectOneMeaning({}, platform)
    expect(makeKeyTable({}, platform).problems).toEqual([])
    for (const name of windowCommandNames) {
      expect(makeKeyTable({}, platform).keysOf(name)).toEqual(standardKeysOf(name, platform))
      expect(windowCommands[name].name).toMatch(/^[A-Z]/)
      for (const keystroke of standardKeysOf(name, platform))
        expect(parseKeystroke(keystroke)).toBe(keystroke)
    }
  })

  it('and the fixed ones are written as Skein writes them', () => {
    const fixed = Object.values(fixedKeys).flatMap((rows) => rows.flatMap(({ keys }) => keys))
    for (const keystroke of fixed) expect(parseKeystroke(keystroke)).toBe(keystroke)
  })
})

describe('keys of a person’s own', () => {
  it('come in place of the standard, and an empty list is no key', () => {
    const table = makeKeyTable({ map: ['Ctrl+Shift+Y', 'F9'], statistics: [] }, 'linux')
    expect(table.keysOf('map')).toEqual(['Ctrl+Shift+Y', 'F9'])
    expect(table.commandOf('F9')).toBe('map')
    expect(table.commandOf('Ctrl+Shift+M')).toBeUndefined()
    expect(table.keysOf('statistics')).toEqual([])
    expect(table.problems).toEqual([])
  })

  it('win over the standard of another command, which is said', () => {
    const table = makeKeyTable({ map: ['Ctrl+P'] }, 'linux')
    expect(table.commandOf('Ctrl+P')).toBe('map')
    expect(table.keysOf('palette')).toEqual(['Ctrl+Shift+P'])
    expect(table.problems).toEqual([
      'Ctrl+P is of “Map of branches”; “Command palette” does not have it.',
    ])
  })

  it('that two commands have are of the first, and reserved ones of none, which is said', () => {
    const table = makeKeyTable({ export: ['F9'], find: ['F9'], map: ['Ctrl+C', 'F7'] }, 'linux')
    expect(table.commandOf('F9')).toBe('find')
    expect(table.keysOf('map')).toEqual([])
    expect(table.problems).toEqual([
      '“Map of branches” does not have Ctrl+C: Ctrl+C copies.',
      '“Map of branches” does not have F7: F7 has a meaning of its own: Comparison, “Next difference”.',
      'F9 is of “Find in conversation”; “Export…” does not have it.',
    ])
  })

  it('take a key from another command only with its name told, and give none away twice', () => {
    const first = withKeys({}, 'linux', 'map', ['Ctrl+P'])
    expect(first.losers).toEqual([{ command: 'palette', keystroke: 'Ctrl+P' }])
    expect(first.own).toEqual({ map: ['Ctrl+P'], palette: ['Ctrl+Shift+P'] })
    expect(makeKeyTable(first.own, 'linux').problems).toEqual([])
    const back = withKeys(first.own, 'linux', 'map', standardKeysOf('map', 'linux'))
    expect(back.losers).toEqual([])
    expect(back.own).toEqual({ palette: ['Ctrl+Shift+P'] })
    const all = withKeys(back.own, 'linux', 'palette', standardKeysOf('palette', 'linux'))
    expect(all.own).toEqual({})
  })

  it('that several commands name in the file are of the one that gets them, and of no other', () => {
    const twice: OwnKeys = { map: ['F9'], compare: ['F9', 'F12'], statistics: ['F9'] }
    const given = withKeys(twice, 'linux', 'settings', ['F9'])
    expect(given.losers).toEqual([{ command: 'map', keystroke: 'F9' }])
    expect(given.own).toEqual({ map: [], compare: ['F12'], statistics: [], settings: ['F9'] })
    expect(makeKeyTable(given.own, 'linux').commandOf('F9')).toBe('settings')
    const others: OwnKeys = { map: ['Ctrl+,'], compare: ['Ctrl+,'], settings: ['F9'] }
    const back = withKeys(others, 'linux', 'settings', standardKeysOf('settings', 'linux'))
    expect(back.own).toEqual({ map: [], compare: [] })
    expect(makeKeyTable(back.own, 'linux').commandOf('Ctrl+,')).toBe('settings')
  })

  it('are those that a command is given, whatever the file had', () => {
    const random = createRandom(96)
    const keystrokes = ['F9', 'F12', 'Ctrl+P', 'Ctrl+,'] as const
    for (let file = 0; file < 200; file += 1) {
      const own: OwnKeys = Object.fromEntries(
        Array.from({ length: 5 }, () => [
          random.pick(windowCommandNames),
          [random.pick(keystrokes)],
        ]),
      )
      const command: WindowCommand = random.pick(windowCommandNames)
      const given = [random.pick(keystrokes)]
      const { own: changed } = withKeys(own, 'linux', command, given)
      expect(makeKeyTable(changed, 'linux').keysOf(command)).toEqual(given)
    }
  })

  it('have one meaning each after any changes that are drawn', () => {
    const random = createRandom(95)
    const keystrokes: readonly [string, ...string[]] = [
      'Ctrl+P',
      'Ctrl+K',
      'F9',
      'Alt+Left',
      'Ctrl+Shift+Y',
      'Ctrl+?',
      'Ctrl+[',
    ]
    for (const platform of platforms)
      for (let life = 0; life < 20; life += 1) {
        let own: OwnKeys = {}
        for (let step = 0; step < 8; step += 1) {
          const command: WindowCommand = random.pick(windowCommandNames)
          const given = [...new Set([random.pick(keystrokes), random.pick(keystrokes)])].filter(
            (each) => refusalOf(each, platform) === undefined,
          )
          own = withKeys(own, platform, command, given).own
          expect(OwnKeys.parse(own)).toEqual(own)
          expectOneMeaning(own, platform)
          expect(makeKeyTable(own, platform).problems).toEqual([])
          expect(makeKeyTable(own, platform).keysOf(command)).toEqual(given)
        }
      }
  })

  it('are refused by the schema where they are no keys, too many or of no command', () => {
    expect(OwnKeys.safeParse({ map: ['ctrl+p'] }).success).toBe(false)
    expect(OwnKeys.safeParse({ map: Array(mostKeystrokes + 1).fill('F9') }).success).toBe(false)
    expect(OwnKeys.safeParse({ nothing: ['F9'] }).success).toBe(false)
  })
})

describe('a reserved key', () => {
  it.each([
    ['Ctrl+C', 'linux', 'Ctrl+C copies.'],
    ['Ctrl+Q', 'win32', 'Ctrl+Q quits Skein.'],
    ['Tab', 'linux', 'Tab is for fields, lists and dialogs.'],
    ['Ctrl+Enter', 'linux', 'Ctrl+Enter is for fields, lists and dialogs.'],
    ['Esc', 'darwin', 'Esc is for fields, lists and dialogs.'],
    ['Ctrl+Shift+Left', 'linux', 'Ctrl+Shift+← moves in texts and lists.'],
    ['K', 'linux', 'K types text; a command needs Ctrl, Alt or a function key.'],
    ['Shift+K', 'linux', 'Shift+K types text; a command needs Ctrl, Alt or a function key.'],
    ['F2', 'linux', 'F2 has a meaning of its own: Library, “Rename”.'],
    ['Alt+F', 'linux', 'Alt+F opens the menu File.'],
    ['Alt+Left', 'darwin', '⌥← moves in texts and lists.'],
    ['Alt+Shift+Right', 'darwin', '⌥⇧→ moves in texts and lists.'],
    ['Alt+Up', 'darwin', '⌥↑ moves in texts and lists.'],
    ['Alt+PageDown', 'darwin', '⌥PageDown moves in texts and lists.'],
    ['Alt+K', 'darwin', '⌥K types a character.'],
    ['Alt+Shift+K', 'darwin', '⌥⇧K types a character.'],
    ['Alt+1', 'darwin', '⌥1 types a character.'],
    ['Alt+Plus', 'darwin', '⌥+ types a character.'],
    ['Ctrl+Alt+Shift+V', 'darwin', '⌘⌥⇧V pastes without form.'],
    ['Ctrl+Alt+I', 'darwin', '⌘⌥I opens the tools of developers.'],
    ['Alt+=', 'linux', 'Alt+= has a meaning of its own: Map, “Longer and shorter lines”.'],
    ['Alt+_', 'win32', 'Alt+_ has a meaning of its own: Map, “Longer and shorter lines”.'],
    [
      'Ctrl+J',
      'linux',
      'Ctrl+J has a meaning of its own: Everywhere, always, “Go to a tool that waits for you”.',
    ],
  ] as const)('%s on %s: %s', (keystroke, platform, words) => {
    expect(refusalOf(keystroke, platform)).toBe(words)
  })

  it.each(['Ctrl+Shift+Y', 'F9', 'Shift+F9', 'Alt+X', 'Ctrl+?', 'Ctrl+1', 'Ctrl+Alt+Left'])(
    '%s is none',
    (keystroke) => expect(refusalOf(keystroke, 'linux')).toBeUndefined(),
  )

  it.each(['Ctrl+Alt+K', 'Ctrl+Alt+Left', 'Alt+F9', 'Ctrl+Alt+Plus'])(
    '%s is none on a Mac, where Option alone would type or move',
    (keystroke) => expect(refusalOf(keystroke, 'darwin')).toBeUndefined(),
  )
})
