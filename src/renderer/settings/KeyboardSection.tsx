import { keyCapsOf, windowCommandNames, windowCommands } from '../../shared/model/window-commands'
import { KeyHint } from '../ui/controls/Button'
import { SettingRow } from './rows/SettingRow'

const commands = windowCommandNames.flatMap((name): [string, string][] => {
  const { name: words } = windowCommands[name]
  const keys = keyCapsOf(name)
  return keys === undefined ? [] : [[words, keys.join(' ')]]
})

const groups: readonly (readonly [title: string, keys: readonly (readonly [string, string])[]])[] =
  [
    [
      'Everywhere',
      [
        ...commands,
        ['Next match or hit', 'F3'],
        ['Previous match or hit', 'Shift F3'],
        ['Next pane', 'F6'],
        ['Go to the undo that is offered', 'F8'],
        ['Close what is on top', 'Esc'],
      ],
    ],
    [
      'Library',
      [
        ['Move', '↑ ↓'],
        ['First and last', 'Home End'],
        ['Open', 'Enter'],
        ['Open, stay in the list', 'Space'],
        ['Choose one more', 'Ctrl Space'],
        ['Choose up to a row', 'Shift ↓'],
        ['Choose all, choose none', 'Ctrl A Esc'],
        ['Open and close branches', '→ ←'],
        ['Rename', 'F2'],
        ['Open the menu', 'Shift F10'],
      ],
    ],
    [
      'Transcript',
      [
        ['Next and previous turn', 'J K'],
        ['Copy', 'C'],
        ['Branch here', 'B'],
        ['Edit', 'E'],
        ['Previous and next branch', '[ ]'],
        ['Label', 'L'],
        ['Source line', 'R'],
        ['Sent to the model', 'W'],
        ['Fold', 'O'],
        ['To what came while you were away', 'N'],
        ['Open or close all tools', 'Shift O'],
        ['Prompts and last answers alone', 'S'],
        ['Start and end', 'Home End'],
      ],
    ],
    [
      'Branches',
      [
        ['Next and previous row', '↑ ↓'],
        ['To the parent, to the first child', '← →'],
        ['Previous and next end of a branch', '[ ]'],
        ['Open', 'Enter'],
      ],
    ],
    [
      'Comparison',
      [
        ['Next difference', 'F7'],
        ['Previous difference', 'Shift F7'],
        ['The same, among the entries', 'N P'],
      ],
    ],
    [
      'Map',
      [
        ['Mark as B, to compare', 'Space'],
        ['Compare the open branch with B', 'Shift Enter'],
        ['Zoom in and out', '+ -'],
        ['Longer and shorter lines', 'Alt + -'],
        ['All in view', '0'],
        ['100 %', '1'],
        ['Search this family', 'Ctrl F'],
        ['Next and previous hit', 'F3 Shift F3'],
        ['Move the map', 'Shift ↑ ↓ ← →'],
        ['Show folded branches, or fold them', '*'],
        ['Fold all branches after a node, or show them', '.'],
        ['Hide a branch', 'Delete'],
      ],
    ],
    [
      'Composer',
      [
        ['Send', 'Enter'],
        ['New line', 'Shift Enter'],
        ['Edit your last message, in an empty field', '↑'],
        ['Stop the answer', 'Esc'],
      ],
    ],
  ]

/** Section of Settings that lists the keyboard shortcuts. */
export function KeyboardSection() {
  return groups.map(([title, keys]) => (
    <section key={title} aria-label={title}>
      <h3 className="settings-head">{title}</h3>
      {keys.map(([name, caps]) => (
        <SettingRow
          key={name}
          name={name}
          control={
            <>
              <KeyHint keys={caps.split(' ')} />
              <span className="unseen">{caps}</span>
            </>
          }
        />
      ))}
    </section>
  ))
}
