import { useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ModelPicker } from '../../models/ModelPicker'
import { useApp, useLibraryState, usePalette, useStores } from '../../state/context'
import { Sheet } from '../../ui/panes/Sheet'
import { PaletteField } from './PaletteField'
import type { PaletteItem } from './palette-items'

/**
 * The command palette: does, opens or sets whatever is chosen by its name. What is chosen happens after the focus has
 * returned to where it was.
 */
export function Palette() {
  const { app, palette } = useStores()
  const isOpen = usePalette((state) => state.isOpen)
  const [picksModel, setPicksModel] = useState(false)
  const openKey = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  const isThere = useLibraryState(({ conversations }) =>
    conversations.some(({ key }) => key === openKey),
  )
  const before = useRef<Element>(null)
  const chosen = useRef<PaletteItem>(undefined)
  const pickModel = useCallback(() => setPicksModel(true), [])

  return (
    <>
      <Sheet
        title="Command palette"
        className="palette"
        isBare
        isOpen={isOpen}
        first='[role="combobox"]'
        before={before}
        onOpen={() => {
          before.current = document.activeElement
        }}
        onClose={() => palette.getState().close()}
        onClosed={() => {
          const item = chosen.current
          chosen.current = undefined
          if (item === undefined) return false
          // What is not about Settings is about what they cover.
          if (item.staysInSettings !== true) flushSync(() => app.getState().closeSettings())
          const { current: element } = before
          if (element instanceof HTMLElement && element.isConnected) element.focus()
          item.run()
          return true
        }}
      >
        <PaletteField
          pickModel={pickModel}
          onChoose={(item) => {
            chosen.current = item
            if (item.isOfQuery !== true) palette.getState().noteChosen(item.id)
            palette.getState().close()
          }}
        />
      </Sheet>
      <ModelPicker
        isOpen={picksModel}
        onClose={() => setPicksModel(false)}
        contextKey={isThere ? openKey : undefined}
      />
    </>
  )
}
