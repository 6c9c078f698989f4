/** Command of the app window as people see it: its name in menus, and the key caps of its shortcut. */
interface CommandWords {
  readonly name: string
  /** `Ctrl` is Cmd on a Mac. */
  readonly keys?: string
}

/**
 * Commands that work wherever the focus is, in the order in which they are listed. The menu, the keyboard, the list of shortcuts in
 * Settings and the command palette all take them from here.
 */
export const windowCommands = {
  palette: { name: 'Command palette', keys: 'Ctrl P' },
  'new-conversation': { name: 'New conversation', keys: 'Ctrl N' },
  filter: { name: 'Filter conversations', keys: 'Ctrl K' },
  find: { name: 'Find in conversation', keys: 'Ctrl F' },
  outline: { name: 'Outline, or go to a number or a time', keys: 'Ctrl G' },
  search: { name: 'Search everything', keys: 'Ctrl Shift F' },
  'lost-and-found': { name: 'Problems', keys: 'Ctrl Shift L' },
  map: { name: 'Map of branches', keys: 'Ctrl Shift M' },
  statistics: { name: 'Statistics', keys: 'Ctrl Shift S' },
  skim: { name: 'Prompts and last answers alone', keys: 'Ctrl Shift K' },
  'fold-tools': { name: 'Open or close all tools' },
  export: { name: 'Export…', keys: 'Ctrl E' },
  'export-all': { name: 'Export all conversations…', keys: 'Ctrl Shift E' },
  import: { name: 'Import…' },
  compare: { name: 'Compare with…', keys: 'Ctrl Shift D' },
  settings: { name: 'Settings', keys: 'Ctrl ,' },
  'toggle-library': { name: 'Library', keys: 'Ctrl B' },
  'toggle-details': { name: 'Details, or the preview of a hit', keys: 'Ctrl Alt B' },
  back: { name: 'Back', keys: 'Alt ←' },
  forward: { name: 'Forward', keys: 'Alt →' },
  'zoom-in': { name: 'Larger text', keys: 'Ctrl +' },
  'zoom-out': { name: 'Smaller text', keys: 'Ctrl -' },
  'zoom-reset': { name: 'Text as set', keys: 'Ctrl 0' },
} as const satisfies Readonly<Record<string, CommandWords>>

/** Name of a command of the app window in the code. */
export type WindowCommand = keyof typeof windowCommands

/** Names of all commands of the app window, in the order in which they are listed. */
export const windowCommandNames = Object.keys(windowCommands) as [WindowCommand, ...WindowCommand[]]

/** Returns the key caps of a command's shortcut, such as `Ctrl` and `P`; undefined where it has none. */
export function keyCapsOf(command: WindowCommand): readonly string[] | undefined {
  const words: CommandWords = windowCommands[command]
  return words.keys?.split(' ')
}

/** What is pressed, as the browser's event of a key tells it. */
interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

/** Other keys for a command: without Shift the plus of many keyboards is `=`; VS Code's palette has Shift. */
const aliases: Readonly<Record<string, WindowCommand>> = {
  'Ctrl =': 'zoom-in',
  'Ctrl Shift +': 'zoom-in',
  'Ctrl Shift P': 'palette',
}

const commandOfKeys: ReadonlyMap<string, WindowCommand> = new Map([
  ...windowCommandNames.flatMap((name): [string, WindowCommand][] => {
    const keys = keyCapsOf(name)
    return keys?.[0] === 'Ctrl' ? [[keys.join(' '), name]] : []
  }),
  ...Object.entries(aliases),
])

/** Returns the command whose shortcut begins with Ctrl, or Cmd, and is pressed; undefined where none is. */
export function commandOfKey(event: PressedKey): WindowCommand | undefined {
  if (!(event.ctrlKey || event.metaKey)) return undefined
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key
  return commandOfKeys.get(
    ['Ctrl', ...(event.shiftKey ? ['Shift'] : []), ...(event.altKey ? ['Alt'] : []), key].join(' '),
  )
}
