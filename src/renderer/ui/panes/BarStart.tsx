import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FocusTarget, focusSoon } from '../behaviour/focus'
import { IconButton } from '../controls/Button'
import { ShowLibraryButton } from './ShowLibraryButton'

/** Properties of `BarStart`. */
export interface BarStartProps {
  readonly isLibraryHidden: boolean
  readonly onShowLibrary: () => void
  /** Goes back or forward and returns what takes the focus; undefined where there is no place to go to. */
  readonly onBack: (() => FocusTarget | undefined) | undefined
  readonly onForward: (() => FocusTarget | undefined) | undefined
}

/** Start of a bar over the middle pane: the button of the hidden library, and the steps back and forward. */
export function BarStart(props: BarStartProps & { readonly children?: ReactNode }) {
  const go = (step: BarStartProps['onBack']) => {
    const target = step?.()
    if (target !== undefined) focusSoon(target)
  }
  return (
    <>
      <ShowLibraryButton isHidden={props.isLibraryHidden} onShow={props.onShowLibrary} />
      {props.children}
      <IconButton
        label="Back"
        keys="back"
        icon={ArrowLeft}
        isDisabled={props.onBack === undefined}
        onClick={() => go(props.onBack)}
      />
      <IconButton
        label="Forward"
        keys="forward"
        icon={ArrowRight}
        isDisabled={props.onForward === undefined}
        onClick={() => go(props.onForward)}
      />
    </>
  )
}
