import { z } from 'zod'
import { writtenKeys } from './key-words'
import { type KeyPlatform, type Keystroke, KeystrokeText } from './keystroke'
import { refusalOf } from './reserved-keys'
import {
  standardKeysOf,
  type WindowCommand,
  windowCommandNames,
  windowCommands,
} from './window-commands'

/** Greatest number of keystrokes that one command has. */
export const mostKeystrokes = 4

/** Keystrokes that a person has given to commands, in place of the standard; an empty list is none at all. */
export const OwnKeys = z
  .partialRecord(z.enum(windowCommandNames), z.array(KeystrokeText).max(mostKeystrokes).readonly())
  .readonly()
export type OwnKeys = z.infer<typeof OwnKeys>

/** Table of the keystrokes of all commands: each keystroke is of one command at the most. */
export interface KeyTable {
  readonly platform: KeyPlatform
  /** The first one is shown in menus. */
  keysOf(command: WindowCommand): readonly Keystroke[]
  commandOf(keystroke: Keystroke): WindowCommand | undefined
  /** Sentences about keystrokes of a person's own that are not used, and about standard ones that another command has. */
  readonly problems: readonly string[]
}

/**
 * Makes the table of a person's own keys and the standard ones. Own keys come before standard ones, and the earlier command of the
 * list before a later one; what loses a keystroke that way, or has a reserved one, is among the problems.
 */
export function makeKeyTable(own: OwnKeys, platform: KeyPlatform): KeyTable {
  const keys = new Map<WindowCommand, Keystroke[]>()
  const holders = new Map<Keystroke, WindowCommand>()
  const problems: string[] = []

  function give(command: WindowCommand, given: readonly Keystroke[]): void {
    const taken = new Set(keys.get(command))
    for (const keystroke of given) {
      const shown = writtenKeys(keystroke, platform)
      const refusal = refusalOf(keystroke, platform)
      const holder = holders.get(keystroke)
      if (refusal !== undefined)
        problems.push(`${nameOf(command)} does not have ${shown}: ${refusal}`)
      else if (holder !== undefined && holder !== command)
        problems.push(`${shown} is of ${nameOf(holder)}; ${nameOf(command)} does not have it.`)
      else {
        holders.set(keystroke, command)
        taken.add(keystroke)
      }
    }
    keys.set(command, [...taken])
  }

  for (const command of windowCommandNames) {
    const given = own[command]
    if (given !== undefined) give(command, given)
  }
  for (const command of windowCommandNames)
    if (own[command] === undefined) give(command, standardKeysOf(command, platform))

  return {
    platform,
    keysOf: (command) => keys.get(command) ?? [],
    commandOf: (keystroke) => holders.get(keystroke),
    problems,
  }
}

function nameOf(command: WindowCommand): string {
  return `“${windowCommands[command].name}”`
}

/** A change of one command's keys, which may take some from others. */
export interface KeyChange {
  readonly own: OwnKeys
  /** Commands that lose a keystroke by it, with that one. */
  readonly losers: readonly { readonly command: WindowCommand; readonly keystroke: Keystroke }[]
}

/**
 * Returns a person's own keys once a command has these alone, and which others lose one by that. A list that names one of them without
 * having it, as settings.json may, names it no more. What is the standard again is no own key any more.
 */
export function withKeys(
  own: OwnKeys,
  platform: KeyPlatform,
  command: WindowCommand,
  keystrokes: readonly Keystroke[],
): KeyChange {
  const table = makeKeyTable(own, platform)
  const losers = keystrokes.flatMap((keystroke) => {
    const holder = table.commandOf(keystroke)
    return holder === undefined || holder === command ? [] : [{ command: holder, keystroke }]
  })
  const changed: Partial<Record<WindowCommand, readonly Keystroke[]>> = { ...own }
  for (const loser of losers) changed[loser.command] ??= table.keysOf(loser.command)
  for (const other of windowCommandNames)
    changed[other] &&= changed[other].filter((each) => !keystrokes.includes(each))
  changed[command] = keystrokes
  return { own: withoutStandard(changed, platform), losers }
}

function withoutStandard(own: OwnKeys, platform: KeyPlatform): OwnKeys {
  return Object.fromEntries(
    windowCommandNames.flatMap((command) => {
      const keystrokes = own[command]
      if (keystrokes === undefined) return []
      const isStandard = keystrokes.join(' ') === standardKeysOf(command, platform).join(' ')
      return isStandard ? [] : [[command, keystrokes]]
    }),
  )
}
