import { z } from 'zod'
import { AppError } from '../../../shared/model/basics/errors'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { mostKeystrokes, type OwnKeys } from '../../../shared/model/keys/key-table'
import { type Keystroke, keyPlatformOf, parseKeystroke } from '../../../shared/model/keys/keystroke'
import { QuickKey, quickKeyRefusal } from '../../../shared/model/keys/quick-key'
import { type WindowCommand, windowCommands } from '../../../shared/model/keys/window-commands'

/** Returns the schema of the key of the quick entry as a person writes it. @param platform as Node names it */
export function quickKeyText(platform: string) {
  return z
    .string()
    .max(40)
    .transform((text) => (text === '' ? text : (parseKeystroke(text) ?? 'none')))
    .pipe(QuickKey)
    .refine((key) => key === '' || quickKeyRefusal(key, keyPlatformOf(platform)) === undefined)
}

/** Requires that a key can be the quick entry's on this platform. @throws AppError `bad-argument` */
export function requireQuickKey(key: Keystroke | undefined, platform: string): void {
  const refusal = key ? quickKeyRefusal(key, keyPlatformOf(platform)) : undefined
  if (refusal !== undefined) throw new AppError('bad-argument', refusal)
}

/** Greatest number of faults that are told one by one; a file may have any number. */
const mostFaults = 20

/** Returns true where a value of settings.json can hold keys of commands, or is absent. */
export function isKeyList(value: unknown): boolean {
  return value === undefined || isJsonObject(value)
}

/**
 * Reads the `keys` of settings.json: for each command one keystroke as a text, or a list of them; an empty list is no key. What is not
 * understood costs itself alone, and stays in the file.
 *
 * @param fault gets the key of each value that is not known, with a sentence that names it
 */
export function readStoredKeys(
  value: unknown,
  fault: (key: string, message: string) => void,
): OwnKeys {
  if (value === undefined) return {}
  if (!isJsonObject(value)) {
    fault('keys', 'keys is no object of commands; the standard keys hold.')
    return {}
  }
  let faults = 0
  const tell = (key: string, words: string) => {
    faults += 1
    if (faults <= mostFaults) fault(key, `${key} ${words}`)
  }
  const found: Partial<Record<WindowCommand, readonly Keystroke[]>> = {}
  for (const [command, given] of Object.entries(value)) {
    const key = `keys.${short(command)}`
    if (!isCommand(command)) {
      tell(key, 'is of no command of this Skein; it stays in the file.')
      continue
    }
    const keystrokes = readKeystrokes(given, (words) => tell(key, words))
    if (keystrokes !== undefined) found[command] = keystrokes
  }
  if (faults > mostFaults)
    fault('keys', `keys has ${faults - mostFaults} more values that are not used.`)
  return found
}

/**
 * Returns the `keys` of settings.json after a change. Commands that are not known stay, and so does what is not understood, until the
 * command gets other keys.
 */
export function applyKeysChange(
  value: unknown,
  change: OwnKeys,
): Readonly<Record<string, unknown>> {
  const before = isJsonObject(value) ? value : {}
  const kept = Object.entries(before).filter(([command, given]) => {
    if (!isCommand(command)) return true
    const had = readKeystrokes(given, () => {})
    // What is as it was keeps its form, with what was not understood of it.
    return had === undefined
      ? change[command] === undefined
      : had.join(' ') === change[command]?.join(' ')
  })
  const names = new Set(kept.map(([command]) => command))
  const added = Object.entries(change).filter(([command]) => !names.has(command))
  return Object.fromEntries([...kept, ...added])
}

function isCommand(name: string): name is WindowCommand {
  return Object.hasOwn(windowCommands, name)
}

/** Returns undefined where nothing of a value is understood. */
function readKeystrokes(
  value: unknown,
  fault: (words: string) => void,
): readonly Keystroke[] | undefined {
  const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value : undefined
  if (texts === undefined) {
    fault('is neither a key nor a list of keys; the standard holds.')
    return undefined
  }
  const keystrokes = texts.slice(0, mostKeystrokes).flatMap((text: unknown) => {
    const keystroke =
      typeof text === 'string' && text.length <= 40 ? parseKeystroke(text) : undefined
    if (keystroke === undefined)
      fault(`has ${short(JSON.stringify(text) ?? '')}, which is no key such as "Ctrl+Shift+K".`)
    return keystroke === undefined ? [] : [keystroke]
  })
  if (texts.length > mostKeystrokes)
    fault(`has more than ${mostKeystrokes} keys; only the first ${mostKeystrokes} are used.`)
  return texts.length > 0 && keystrokes.length === 0 ? undefined : keystrokes
}

function short(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
}
