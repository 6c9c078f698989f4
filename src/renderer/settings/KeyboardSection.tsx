import { Keys } from '../ui/Button'
import { Row } from './Row'

const groups: readonly (readonly [title: string, keys: readonly (readonly [string, string])[]])[] =
  [
    [
      'Everywhere',
      [
        ['New conversation', 'Ctrl N'],
        ['Filter conversations', 'Ctrl K'],
        ['Search everything', 'Ctrl Shift F'],
        ['Lost and found', 'Ctrl Shift L'],
        ['Next hit', 'F3'],
        ['Previous hit', 'Shift F3'],
        ['Export', 'Ctrl E'],
        ['Settings', 'Ctrl ,'],
        ['Library', 'Ctrl B'],
        ['Details', 'Ctrl Alt B'],
        ['Next pane', 'F6'],
        ['One level out, then to the composer', 'Esc'],
      ],
    ],
    [
      'Library',
      [
        ['Move', '↑ ↓'],
        ['First and last', 'Home End'],
        ['Open and go there', 'Enter'],
        ['Open and stay', 'Space'],
        ['Change the name that is shown', 'F2'],
        ['What can be done with it', 'Shift F10'],
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
        ['Source line', 'R'],
        ['What the model was sent', 'W'],
        ['Fold', 'O'],
        ['Start and end', 'Home End'],
      ],
    ],
    [
      'Branches',
      [
        ['Next and previous row', '↑ ↓'],
        ['To the parent, to the first child', '← →'],
        ['Go there', 'Enter'],
      ],
    ],
    [
      'Composer',
      [
        ['Send', 'Enter'],
        ['New line', 'Shift Enter'],
        ['Stop the answer', 'Esc'],
      ],
    ],
  ]

/** What the keys do. */
export function KeyboardSection() {
  return groups.map(([title, keys]) => (
    <section key={title} aria-label={title}>
      <h3 className="settings-head">{title}</h3>
      {keys.map(([name, caps]) => (
        <Row
          key={name}
          name={name}
          control={
            <>
              <Keys keys={caps.split(' ')} />
              <span className="unseen">{caps}</span>
            </>
          }
        />
      ))}
    </section>
  ))
}
