import { useState } from 'react'
import { type KeyChange, type OwnKeys, withKeys } from '../../../shared/model/keys/key-table'
import { spokenKeys, writtenKeys } from '../../../shared/model/keys/key-words'
import type { Keystroke } from '../../../shared/model/keys/keystroke'
import { refusalOf } from '../../../shared/model/keys/reserved-keys'
import {
  standardKeysOf,
  type WindowCommand,
  windowCommands,
} from '../../../shared/model/keys/window-commands'
import { useSettings } from '../../state/context'
import { useKeyTable } from '../../ui/controls/command-keys'

/** Reason why keys were not taken at once, or what they would cost another command. */
export type KeyQuestion =
  | { readonly type: 'refused'; readonly words: string }
  | { readonly type: 'taken'; readonly words: string; readonly change: KeyChange }

/** Change of keys that was saved, and can be undone. */
export interface KeptKeys {
  /** Undefined for a change of all commands. */
  readonly command: WindowCommand | undefined
  readonly words: string
  readonly before: OwnKeys
}

/** A person's own keys, and how they are changed: nothing is taken from another command before that is confirmed. */
export interface OwnKeysEdit {
  /** Undefined before the settings are read. */
  readonly own: OwnKeys | undefined
  /** Command whose keys are being pressed, and whether they come besides those it has. */
  readonly recorded: { readonly command: WindowCommand; readonly isMore: boolean } | undefined
  readonly question: KeyQuestion | undefined
  readonly kept: KeptKeys | undefined
  record(command: WindowCommand, isMore: boolean): void
  /** Takes what was pressed for the recorded command. */
  press(keystroke: Keystroke | undefined): void
  /** Gives the keys to the command, and takes them from the others. */
  confirm(): void
  cancel(): void
  /** Takes all keys from the recorded command. */
  clear(): void
  /** Gives one command its standard keys back; all without a command. */
  reset(command?: WindowCommand): void
  undo(): Promise<void>
}

/** Returns the edit of a person's own keys. */
export function useOwnKeys(): OwnKeysEdit {
  const table = useKeyTable()
  const { platform } = table
  const own = useSettings(({ view }) => view?.preferences.keys)
  const quickKey = useSettings(({ view }) => view?.preferences.quickKey)
  const setPreferences = useSettings((state) => state.setPreferences)
  const [recorded, setRecorded] = useState<OwnKeysEdit['recorded']>()
  const [question, setQuestion] = useState<KeyQuestion>()
  const [asked, setAsked] = useState<WindowCommand>()
  const [kept, setKept] = useState<KeptKeys>()

  async function keep(command: WindowCommand | undefined, next: OwnKeys): Promise<void> {
    if (own === undefined) return
    setRecorded(undefined)
    setQuestion(undefined)
    setKept(undefined)
    // Where it is refused the reason is told, and there is nothing to undo.
    if (await setPreferences({ keys: next }))
      setKept({ command, before: own, words: wordsOf(command, next) })
  }

  function wordsOf(command: WindowCommand | undefined, next: OwnKeys): string {
    if (command === undefined) return 'All commands have their standard keys.'
    const keys = next[command] ?? standardKeysOf(command, platform)
    const said = keys.map((each) => spokenKeys(each, platform)).join(', or ')
    const { name } = windowCommands[command]
    return said === '' ? `“${name}” has no key now.` : `“${name}” has ${said} now.`
  }

  function reasonAgainst(keystroke: Keystroke): string | undefined {
    if (keystroke !== quickKey) return refusalOf(keystroke, platform)
    return `${writtenKeys(keystroke, platform)} opens the quick entry.`
  }

  /** Keeps the keys of a command, unless another command would lose one: that is asked first. */
  function give(command: WindowCommand, keystrokes: readonly Keystroke[]): void {
    if (own === undefined) return
    const change = withKeys(own, platform, command, keystrokes)
    if (change.losers.length === 0) void keep(command, change.own)
    else {
      const losses = change.losers.map(
        (loser) =>
          `${writtenKeys(loser.keystroke, platform)} is of “${windowCommands[loser.command].name}”`,
      )
      setAsked(command)
      setQuestion({ type: 'taken', change, words: `${losses.join('; ')}.` })
    }
  }

  return {
    own,
    recorded,
    question,
    kept,
    record(command, isMore) {
      setQuestion(undefined)
      setKept(undefined)
      setRecorded({ command, isMore })
    },
    press(keystroke) {
      if (recorded === undefined) return
      const { command, isMore } = recorded
      const refusal =
        keystroke === undefined ? 'No command can have that key.' : reasonAgainst(keystroke)
      if (keystroke === undefined || refusal !== undefined) {
        setQuestion({ type: 'refused', words: refusal ?? '' })
        return
      }
      const before = isMore ? table.keysOf(command) : []
      give(command, [...before.filter((each) => each !== keystroke), keystroke])
    },
    confirm() {
      if (question?.type === 'taken' && asked !== undefined) void keep(asked, question.change.own)
    },
    cancel() {
      setRecorded(undefined)
      setQuestion(undefined)
      setAsked(undefined)
    },
    clear() {
      if (recorded !== undefined) give(recorded.command, [])
    },
    reset(command) {
      setRecorded(undefined)
      setQuestion(undefined)
      if (command === undefined) void keep(undefined, {})
      else {
        setRecorded({ command, isMore: false })
        give(command, standardKeysOf(command, platform))
      }
    },
    async undo() {
      if (kept === undefined) return
      const isSaved = await setPreferences({ keys: kept.before })
      // Another change may have been kept by then.
      if (isSaved) setKept((now) => (now === kept ? undefined : now))
    },
  }
}
