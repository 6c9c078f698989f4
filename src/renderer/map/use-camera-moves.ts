import { useEffect, useMemo, useRef } from 'react'
import { useMap, useMapSearch } from '../state/context'
import type { MapPoint } from './drawing/camera'
import type { DrawnHits } from './drawing/drawing'
import { endOfSegment } from './drawing/hit'
import { type MapCamera, mapCamera } from './drawing/map-camera'
import type { MapScene } from './drawing/scene'

/** Returns the camera of the map, for as long as the map is shown. */
export function useMapCamera(): MapCamera {
  const camera = useMemo(() => mapCamera(), [])
  useEffect(() => () => camera.close(), [camera])
  return camera
}

/** Moves the camera with the scene, the selected node and the hit that was reached. */
export function useCameraMoves(
  camera: MapCamera,
  scene: MapScene | undefined,
  {
    cursor,
    here,
    hit,
  }: {
    /** The id of the selected node, and its segment. */
    readonly cursor: string | undefined
    readonly here: number | undefined
    readonly hit: DrawnHits['current']
  },
): void {
  const mode = useMap((state) => state.mode)
  const straightKey = useMap((state) => state.straightKey)
  const filter = useMap((state) => state.filter)
  const hidden = useMap((state) => state.hidden)
  const hits = useMapSearch((state) => (filter.hits ? state.hits : undefined))
  const current = useMapSearch((state) => state.current)
  // biome-ignore lint/correctness/useExhaustiveDependencies: everything is elsewhere then
  useEffect(() => camera.restart(), [camera, mode, straightKey, filter, hidden, hits])
  const isShown = useRef(false)
  useEffect(() => {
    if (scene === undefined) return
    camera.setExtent(scene.layout, endOfSegment(scene, scene.open))
    // The map is back, with a node selected that may be elsewhere.
    if (!isShown.current && here !== undefined) camera.reveal(endOfSegment(scene, here))
    isShown.current = true
  }, [scene, camera, here])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a node that is moved by another layout is not looked for
  useEffect(() => {
    if (scene === undefined || here === undefined) return
    camera.reveal(hit?.segment === here ? pointOfHit(scene, hit) : endOfSegment(scene, here))
  }, [cursor, current, camera])
}

/** Returns where a hit is, in px at 100 %. */
export function pointOfHit(
  scene: MapScene,
  { segment, message }: NonNullable<DrawnHits['current']>,
): MapPoint {
  const end = endOfSegment(scene, segment)
  return message === undefined ? end : { x: scene.xOf(segment, message), y: end.y }
}
