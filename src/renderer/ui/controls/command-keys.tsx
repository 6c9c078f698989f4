import { createContext, type ReactNode, useContext } from 'react'
import { type KeyTable, makeKeyTable } from '../../../shared/model/keys/key-table'
import { ariaKeys, capsOf, spokenKeys } from '../../../shared/model/keys/key-words'
import type { WindowCommand } from '../../../shared/model/keys/window-commands'

/** Keys that a part of the window shows: key caps, or those that a command has now. */
export type ShownKeys = readonly string[] | WindowCommand

const KeyTableContext = createContext<KeyTable>(makeKeyTable({}, 'linux'))

/** Provider of the keys that commands have, for everything below it that shows or runs them. */
export function KeyTableProvider(props: {
  readonly table: KeyTable
  readonly children: ReactNode
}) {
  return <KeyTableContext value={props.table}>{props.children}</KeyTableContext>
}

/** Returns the keys that commands have now. */
export function useKeyTable(): KeyTable {
  return useContext(KeyTableContext)
}

/** Returns the key caps to show: of a command's first keystroke, none where it has no keys. */
export function useCaps(keys: ShownKeys | undefined): readonly string[] {
  const table = useKeyTable()
  if (typeof keys !== 'string') return keys ?? []
  const [first] = table.keysOf(keys)
  return first === undefined ? [] : capsOf(first, table.platform)
}

/** Returns the keys to show as a screen reader says them; empty where there are none. */
export function useSpokenKeys(keys: ShownKeys | undefined): string {
  const table = useKeyTable()
  if (typeof keys !== 'string') return keys?.join(' ') ?? ''
  const [first] = table.keysOf(keys)
  return first === undefined ? '' : spokenKeys(first, table.platform)
}

/** Returns the keys of a command for `aria-keyshortcuts`; undefined for other keys, and where it has none. */
export function useAriaKeys(keys: ShownKeys | undefined): string | undefined {
  const table = useKeyTable()
  if (typeof keys !== 'string') return undefined
  return ariaKeys(table.keysOf(keys), table.platform) || undefined
}
