import { type ReactNode, useRef } from 'react'
import { Group, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels'

/** Content and width of a side pane, in pixels. */
export interface SidePaneView {
  readonly content: ReactNode
  readonly width: number
  /** Name of the pane, for that of its border: "library". */
  readonly name: string
  readonly onResize: (width: number) => void
}

/** Three panes with borders that can be dragged; a double click on a border restores the usual width. */
export function Panes(props: {
  readonly left: SidePaneView | undefined
  readonly middle: ReactNode
  readonly right: SidePaneView | undefined
  readonly bounds: { readonly least: number; readonly most: number; readonly usual: number }
}) {
  const { left, middle, right, bounds } = props
  const leftPanel = useRef<PanelImperativeHandle>(null)
  const rightPanel = useRef<PanelImperativeHandle>(null)

  function keep(): void {
    if (leftPanel.current !== null) left?.onResize(leftPanel.current.getSize().inPixels)
    if (rightPanel.current !== null) right?.onResize(rightPanel.current.getSize().inPixels)
  }

  const side = (pane: SidePaneView, panel: typeof leftPanel) => (
    <Panel
      key={pane.name}
      id={pane.name}
      panelRef={panel}
      defaultSize={pane.width}
      minSize={bounds.least}
      maxSize={bounds.most}
      groupResizeBehavior="preserve-pixel-size"
      style={{ overflow: 'hidden' }}
    >
      {pane.content}
    </Panel>
  )
  const border = (pane: SidePaneView, panel: typeof leftPanel) => (
    <Separator
      key={`${pane.name} border`}
      id={`${pane.name}-border`}
      className="pane-border"
      aria-label={`Width of the ${pane.name}`}
      disableDoubleClick
      onDoubleClick={() => {
        panel.current?.resize(bounds.usual)
        pane.onResize(bounds.usual)
      }}
    />
  )
  return (
    <Group
      className="panes"
      orientation="horizontal"
      // Only a width that a person set is kept, not that of a narrower window.
      onLayoutChanged={(_layout, { isUserInteraction }) => {
        if (isUserInteraction) keep()
      }}
    >
      {left !== undefined && [side(left, leftPanel), border(left, leftPanel)]}
      <Panel key="middle" id="middle" minSize={280} style={{ overflow: 'hidden' }}>
        {middle}
      </Panel>
      {right !== undefined && [border(right, rightPanel), side(right, rightPanel)]}
    </Group>
  )
}

/** Pane that covers the middle one while the window is narrow. */
export function OverlayPane(props: {
  readonly side: 'left' | 'right'
  readonly width: number
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Esc does the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same */}
      <div className="overlay-scrim" onClick={props.onClose} />
      <div className={`overlay-pane ${props.side}`} style={{ width: props.width }}>
        {props.children}
      </div>
    </>
  )
}
