import { Maximize, Minus, MoveHorizontal, MoveVertical, Plus } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { IconButton } from '../ui/controls/Button'
import type { MapCamera } from './drawing/map-camera'

/** One step of the zoom's buttons and keys. */
export const zoomStep = 1.25

/** Buttons for the zoom: out, 100 %, in, each axis, all in view. */
export function ZoomControls(props: { readonly camera: MapCamera; readonly onFull: () => void }) {
  const { camera, onFull } = props
  const { view } = useSyncExternalStore(camera.subscribe, camera.get)
  const percent = Math.round(Math.sqrt(view.kx * view.ky) * 100)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls of a form
    <div className="map-zoom" role="group" aria-label="Zoom">
      <IconButton
        label="Zoom out"
        keys={['-']}
        icon={Minus}
        size="medium"
        onClick={() => camera.zoom(1 / zoomStep)}
      />
      <button
        type="button"
        className="map-percent number"
        aria-label={`Zoom ${percent} %, back to 100 %`}
        title="100 %"
        onClick={onFull}
      >
        {percent} %
      </button>
      <IconButton
        label="Zoom in"
        keys={['+']}
        icon={Plus}
        size="medium"
        onClick={() => camera.zoom(zoomStep)}
      />
      <IconButton
        label="Longer lines"
        keys={['Alt', '+']}
        icon={MoveHorizontal}
        size="medium"
        onClick={() => camera.zoom(zoomStep, 'x')}
      />
      <IconButton
        label="Lanes further apart"
        keys={['Alt', 'Shift', '+']}
        icon={MoveVertical}
        size="medium"
        onClick={() => camera.zoom(zoomStep, 'y')}
      />
      <IconButton
        label="All in view"
        keys={['0']}
        icon={Maximize}
        size="medium"
        onClick={() => camera.fit()}
      />
    </div>
  )
}
