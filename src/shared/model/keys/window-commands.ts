import type { KeyPlatform, Keystroke } from './keystroke'

/** Command of the app window as people see it: its name in menus, and the keystrokes that it has by itself. */
interface CommandWords {
  readonly name: string
  readonly keys?: readonly Keystroke[]
  /** Instead of these, on a Mac. */
  readonly macKeys?: readonly Keystroke[]
}

/**
 * Commands that work wherever the focus is, in the order in which they are listed. The menu, the keyboard, the list of shortcuts in
 * Settings and the command palette all take them from here, and their keys from the table that `makeKeyTable` makes.
 */
export const windowCommands = {
  palette: { name: 'Command palette', keys: ['Ctrl+P', 'Ctrl+Shift+P'] },
  'new-conversation': { name: 'New conversation', keys: ['Ctrl+N'] },
  filter: { name: 'Filter conversations', keys: ['Ctrl+K'] },
  find: { name: 'Find in conversation', keys: ['Ctrl+F'] },
  outline: { name: 'Outline, or go to a number or a time', keys: ['Ctrl+G'] },
  search: { name: 'Search everything', keys: ['Ctrl+Shift+F'] },
  'lost-and-found': { name: 'Problems', keys: ['Ctrl+Shift+L'] },
  map: { name: 'Map of branches', keys: ['Ctrl+Shift+M'] },
  statistics: { name: 'Statistics', keys: ['Ctrl+Shift+S'] },
  skim: { name: 'Prompts and last answers alone', keys: ['Ctrl+Shift+K'] },
  'fold-tools': { name: 'Open or close all tools' },
  export: { name: 'Export…', keys: ['Ctrl+E'] },
  'export-all': { name: 'Export all conversations…', keys: ['Ctrl+Shift+E'] },
  import: { name: 'Import…' },
  compare: { name: 'Compare with…', keys: ['Ctrl+Shift+D'] },
  settings: { name: 'Settings', keys: ['Ctrl+,'] },
  'check-updates': { name: 'Check for updates' },
  'toggle-library': { name: 'Library', keys: ['Ctrl+B'] },
  'toggle-details': { name: 'Details, or the preview of a hit', keys: ['Ctrl+Alt+B'] },
  // Alt and an arrow move in a text on a Mac.
  back: { name: 'Back', keys: ['Alt+Left'], macKeys: ['Ctrl+['] },
  forward: { name: 'Forward', keys: ['Alt+Right'], macKeys: ['Ctrl+]'] },
  'zoom-in': { name: 'Larger text', keys: ['Ctrl+Plus', 'Ctrl+='] },
  'zoom-out': { name: 'Smaller text', keys: ['Ctrl+-'] },
  'zoom-reset': { name: 'Text as set', keys: ['Ctrl+0'] },
} as const satisfies Readonly<Record<string, CommandWords>>

/** Name of a command of the app window in the code. */
export type WindowCommand = keyof typeof windowCommands

/** Names of all commands of the app window, in the order in which they are listed. */
export const windowCommandNames = Object.keys(windowCommands) as [WindowCommand, ...WindowCommand[]]

/** Returns the keystrokes that a command has where a person gave it no others; the first one is shown in menus. */
export function standardKeysOf(
  command: WindowCommand,
  platform: KeyPlatform,
): readonly Keystroke[] {
  const words: CommandWords = windowCommands[command]
  return (platform === 'darwin' ? words.macKeys : undefined) ?? words.keys ?? []
}
