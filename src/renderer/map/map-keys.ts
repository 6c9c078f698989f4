import type { KeyboardEvent } from 'react'
import type { MapCamera } from './drawing/map-camera'
import { zoomStep } from './ZoomControls'

/** How far a key moves the map, in px. */
const panPx = 80

/** Acts of keys on the map, beside those of the tree. */
interface MapKeyActions {
  readonly camera: MapCamera
  readonly mark: () => void
  readonly compare: () => void
  readonly toggleFold: () => void
  readonly toggleCollapsed: () => void
  readonly hideBranch: () => void
  readonly showFull: () => void
}

/** Carries out a key of the map; returns whether it was one. */
export function mapKeys(event: KeyboardEvent, actions: MapKeyActions): boolean {
  const { camera } = actions
  if (event.ctrlKey || event.metaKey) return false
  const axis = event.altKey ? (event.shiftKey ? 'y' : 'x') : 'both'
  switch (event.key) {
    case '+':
    case '=':
      camera.zoom(zoomStep, axis)
      return true
    case '-':
    case '_':
      camera.zoom(1 / zoomStep, axis)
      return true
  }
  if (event.altKey) return false
  if (event.shiftKey && event.key === 'Enter') {
    actions.compare()
    return true
  }
  if (event.shiftKey && event.key.startsWith('Arrow')) {
    const side = event.key === 'ArrowLeft' ? 1 : event.key === 'ArrowRight' ? -1 : 0
    const across = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    camera.pan(side * panPx, across * panPx)
    return true
  }
  const plain: Readonly<Record<string, () => void>> = {
    ' ': actions.mark,
    '*': actions.toggleFold,
    '.': actions.toggleCollapsed,
    Delete: actions.hideBranch,
    '0': () => camera.fit(),
    '1': actions.showFull,
  }
  plain[event.key]?.()
  return plain[event.key] !== undefined
}
