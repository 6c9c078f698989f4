import { isPaneOpen } from './app/layout'
import { useLayout, useStores } from './context'

/** Returns whether the library is visible, and what shows it where it is not: for the button of a bar beside it. */
export function useLibraryButton(): { readonly isHidden: boolean; readonly onShow: () => void } {
  const { layout } = useStores()
  const isOpen = useLayout((state) => isPaneOpen(state, 'library'))
  return { isHidden: !isOpen, onShow: () => layout.getState().toggle('library') }
}
