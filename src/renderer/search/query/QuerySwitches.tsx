import { CaseSensitive, WholeWord } from 'lucide-react'
import { useSearch, useStores } from '../../state/context'
import { hasSwitch, withSwitch } from '../../state/search-state'
import { IconButton } from '../../ui/controls/Button'

const switches = [
  { name: 'case', label: 'Match case', icon: CaseSensitive },
  { name: 'words', label: 'Whole words', icon: WholeWord },
] as const

/** Buttons for case and whole words: each writes its field into the query, and takes it out. */
export function QuerySwitches() {
  const { search } = useStores()
  const text = useSearch((state) => state.text)
  return switches.map(({ name, label, icon }) => (
    <IconButton
      key={name}
      label={label}
      icon={icon}
      size="small"
      isPressed={hasSwitch(text, name)}
      onClick={() => {
        search.getState().setText(withSwitch(text, name))
        search.getState().searchNow()
      }}
    />
  ))
}
