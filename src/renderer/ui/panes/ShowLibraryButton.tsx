import { PanelLeft } from 'lucide-react'
import { focusSoon } from '../behaviour/focus'
import { IconButton } from '../controls/Button'

/** Button that shows the hidden library and focuses it; nothing while it is visible. */
export function ShowLibraryButton(props: {
  readonly isHidden: boolean
  readonly onShow: () => void
}) {
  if (!props.isHidden) return null
  return (
    <IconButton
      label="Show library"
      keys="toggle-library"
      icon={PanelLeft}
      onClick={() => {
        props.onShow()
        focusSoon('library')
      }}
    />
  )
}
