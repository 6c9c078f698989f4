import { capsOf, spokenKeys } from '../../../shared/model/keys/key-words'
import type { Keystroke } from '../../../shared/model/keys/keystroke'
import { KeyHint } from '../../ui/controls/Button'
import { useKeyTable } from '../../ui/controls/command-keys'

/** Keys of a row, as caps and as words of a screen reader. @param none said where there are none */
export function KeyList(props: { readonly keys: readonly Keystroke[]; readonly none?: string }) {
  const { platform } = useKeyTable()
  if (props.keys.length === 0) return <span className="small t3">{props.none ?? 'no key'}</span>
  return (
    <span className="shortcut-keys">
      {props.keys.map((keystroke) => (
        <span key={keystroke}>
          <KeyHint keys={capsOf(keystroke, platform)} />
          <span className="unseen">{spokenKeys(keystroke, platform)}</span>
        </span>
      ))}
    </span>
  )
}
