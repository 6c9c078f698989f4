import type { Keystroke } from './keystroke'

/** Keys that mean something in one part of the app window, and no command of its own can have. */
export interface FixedKeys {
  readonly name: string
  readonly keys: readonly Keystroke[]
  /** Others that do the same and are not listed: where keyboards differ in which sign needs Shift. */
  readonly also?: readonly Keystroke[]
}

/** Keys that no person can change, by the part of the app window in which they work, as the sheet of shortcuts lists them. */
export const fixedKeys: Readonly<Record<string, readonly FixedKeys[]>> = {
  'Everywhere, always': [
    { name: 'Next match or hit', keys: ['F3'] },
    { name: 'Previous match or hit', keys: ['Shift+F3'] },
    { name: 'Next pane', keys: ['F6'] },
    { name: 'Previous pane', keys: ['Shift+F6'] },
    { name: 'Go to the undo that is offered', keys: ['F8'] },
    { name: 'Go to a tool that waits for you', keys: ['Ctrl+J'] },
    { name: 'Close what is on top', keys: ['Esc'] },
  ],
  Library: [
    { name: 'Move', keys: ['Up', 'Down'] },
    { name: 'First and last', keys: ['Home', 'End'] },
    { name: 'Open', keys: ['Enter'] },
    { name: 'Open, stay in the list', keys: ['Space'] },
    { name: 'Choose one more', keys: ['Ctrl+Space'] },
    { name: 'Choose up to a row', keys: ['Shift+Down'] },
    { name: 'Choose all, choose none', keys: ['Ctrl+A', 'Esc'] },
    { name: 'Open and close branches', keys: ['Right', 'Left'] },
    { name: 'Rename', keys: ['F2'] },
    { name: 'Open the menu', keys: ['Shift+F10'] },
  ],
  'Search everything': [
    { name: 'Next and previous hit', keys: ['Down', 'Up'] },
    { name: 'Next and previous conversation', keys: ['Alt+Down', 'Alt+Up'] },
    { name: 'Open there', keys: ['Enter'] },
  ],
  Transcript: [
    { name: 'Next and previous turn', keys: ['J', 'K'] },
    { name: 'Copy', keys: ['C'] },
    { name: 'Branch here', keys: ['B'] },
    { name: 'Edit', keys: ['E'] },
    { name: 'Previous and next branch', keys: ['[', ']'] },
    { name: 'Label', keys: ['L'] },
    { name: 'Source line', keys: ['R'] },
    { name: 'Sent to the model', keys: ['W'] },
    { name: 'Fold', keys: ['O'] },
    { name: 'To what came while you were away', keys: ['N'] },
    { name: 'Open or close all tools', keys: ['Shift+O'] },
    { name: 'Prompts and last answers alone', keys: ['S'] },
    { name: 'Start and end', keys: ['Home', 'End'] },
  ],
  Branches: [
    { name: 'Next and previous row', keys: ['Up', 'Down'] },
    { name: 'To the parent, to the first child', keys: ['Left', 'Right'] },
    { name: 'Previous and next end of a branch', keys: ['[', ']'] },
    { name: 'Name', keys: ['F2'] },
    { name: 'Open', keys: ['Enter'] },
  ],
  Comparison: [
    { name: 'Next difference', keys: ['F7'] },
    { name: 'Previous difference', keys: ['Shift+F7'] },
    { name: 'The same, among the entries', keys: ['N', 'P'] },
  ],
  Map: [
    { name: 'Mark as B, to compare', keys: ['Space'] },
    { name: 'Compare the open branch with B', keys: ['Shift+Enter'] },
    { name: 'Zoom in and out', keys: ['Plus', '-'] },
    { name: 'Longer and shorter lines', keys: ['Alt+Plus', 'Alt+-'], also: ['Alt+=', 'Alt+_'] },
    { name: 'All in view', keys: ['0'] },
    { name: '100 %', keys: ['1'] },
    { name: 'Next and previous hit', keys: ['F3', 'Shift+F3'] },
    { name: 'Move the map', keys: ['Shift+Up', 'Shift+Down', 'Shift+Left', 'Shift+Right'] },
    { name: 'Show folded branches, or fold them', keys: ['*'] },
    { name: 'Fold all branches after a node, or show them', keys: ['.'] },
    { name: 'Hide a branch', keys: ['Delete'] },
  ],
  Composer: [
    { name: 'Send', keys: ['Enter'] },
    { name: 'New line', keys: ['Shift+Enter'] },
    { name: 'Edit your last message, in an empty field', keys: ['Up'] },
    { name: 'Stop the answer', keys: ['Esc'] },
  ],
}
