import { describe, expect, it } from 'vitest'
import {
  type Frames,
  type MapCamera,
  mapCamera,
} from '../../../../src/renderer/map/drawing/map-camera'

const small = { width: 400, top: -1, bottom: 2 }
const large = { width: 100_000, top: -40, bottom: 60 }
const canvas = { width: 1000, height: 600 }

/** Frames that come when the test says so. */
function handFrames(isStill = true): Frames & { run(nowMs: number): void } {
  let waiting: ((nowMs: number) => void) | undefined
  return {
    isStill: () => isStill,
    next(act) {
      waiting = act
      return () => {
        waiting = undefined
      }
    },
    run(nowMs) {
      const act = waiting
      waiting = undefined
      act?.(nowMs)
    },
  }
}

function cameraOver(extent: typeof small, frames: Frames = handFrames()): MapCamera {
  const camera = mapCamera(frames)
  camera.resize(canvas)
  camera.setExtent(extent, { x: extent.width, y: 0 })
  return camera
}

describe('the camera of the map', () => {
  it('begins with all of a small map, and with the open end of a large one at 100 %', () => {
    expect(cameraOver(small).get()).toMatchObject({ isAllInView: true, view: { kx: 1, ky: 1 } })
    const { view, isAllInView } = cameraOver(large).get()
    expect([view.kx, view.ky, isAllInView]).toEqual([1, 1, false])
    expect(large.width * view.kx + view.x).toBe(500)
  })

  it('keeps the point under the pointer while it zooms, both axes or one', () => {
    const camera = cameraOver(large)
    const at = { px: 420, py: 330 }
    const under = () => {
      const { view } = camera.get()
      return [(at.px - view.x) / view.kx, (at.py - view.y) / view.ky]
    }
    const [x, y] = under() as [number, number]
    for (const axis of ['both', 'x', 'y'] as const) {
      camera.zoom(0.8, axis, at)
      const [nowX, nowY] = under() as [number, number]
      expect(nowX).toBeCloseTo(x, 3)
      expect(nowY).toBeCloseTo(y, 3)
    }
  })

  it('zooms out until all is in view, each axis at its own pace, and back to 100 % of both', () => {
    const camera = cameraOver(large)
    for (let i = 0; i < 60; i++) camera.zoom(0.8)
    const { view, isAllInView } = camera.get()
    expect(view.kx).toBeCloseTo(856 / large.width, 6)
    expect(view.ky).toBeCloseTo(520 / 4800, 6)
    expect(view.kx).toBeLessThan(view.ky)
    expect(isAllInView).toBe(false)
    camera.fit()
    expect(camera.get().isAllInView).toBe(true)
    camera.showFull({ x: 50, y: 0 })
    expect(camera.get().view).toMatchObject({ kx: 1, ky: 1 })
  })

  it('never loses the map, however far it is moved', () => {
    const camera = cameraOver(small)
    for (const [dx, dy] of [
      [9000, 0],
      [-9000, 0],
      [0, 9000],
      [0, -9000],
    ] as const) {
      camera.pan(dx, dy)
      const { view } = camera.get()
      expect(view.x).toBeLessThan(canvas.width)
      expect(view.x + small.width).toBeGreaterThan(0)
      expect(view.y + small.bottom * 48).toBeGreaterThan(0)
      expect(view.y + small.top * 48).toBeLessThan(canvas.height)
    }
  })

  it('brings a point into view, and moves nothing for one that is', () => {
    const camera = cameraOver(large)
    const before = camera.get().view
    camera.reveal({ x: large.width - 50, y: 20 })
    expect(camera.get().view).toEqual(before)
    camera.reveal({ x: 0, y: 0 })
    const { view } = camera.get()
    expect(view.x).toBe(120)
  })

  it('goes its way in frames where motion is wanted, and stops for a hand', () => {
    const frames = handFrames(false)
    const camera = cameraOver(large, frames)
    const from = camera.get().view.x
    camera.showFull({ x: 0, y: 0 })
    frames.run(1000)
    frames.run(1090)
    const half = camera.get().view.x
    expect(half).toBeGreaterThan(from)
    camera.pan(1, 0)
    frames.run(1180)
    expect(camera.get().view.x).toBe(half + 1)
    camera.showFull({ x: 0, y: 0 })
    frames.run(2000)
    frames.run(2400)
    expect(camera.get().view.x).toBe(500)
  })

  it('keeps what is in the middle when the canvas gets another size', () => {
    const camera = cameraOver(large)
    const { view } = camera.get()
    camera.resize({ width: 600, height: 400 })
    expect(camera.get().view).toMatchObject({ x: view.x - 200, y: view.y - 100 })
  })

  it('keeps a point in view that was in view when the canvas becomes smaller, and no other', () => {
    const camera = cameraOver(large)
    const placeOf = (x: number, y: number) => {
      const { view } = camera.get()
      return [x * view.kx + view.x, y * view.ky + view.y]
    }
    const { view } = camera.get()
    // At the right edge below, 10 px inside.
    const seen = { x: (990 - view.x) / view.kx, y: (590 - view.y) / view.ky }
    camera.resize({ width: 500, height: 300 }, seen)
    expect(placeOf(seen.x, seen.y)).toEqual([476, 276])
    camera.pan(-2000, 0)
    const gone = camera.get().view
    camera.resize({ width: 400, height: 300 }, seen)
    expect(camera.get().view.x).toBe(gone.x - 50)
  })

  it('is where it goes to when the canvas gets another size on the way', () => {
    const frames = handFrames(false)
    const camera = cameraOver(large, frames)
    camera.showFull({ x: 0, y: 0 })
    frames.run(1000)
    frames.run(1090)
    camera.resize({ width: 600, height: 400 }, { x: 0, y: 0 })
    frames.run(1180)
    expect(camera.get().view).toMatchObject({ x: 300, y: 200 })
  })
})
