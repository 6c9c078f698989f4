import { layOut, rememberLayout } from '../../../shared/model/map/layout'
import type { LayoutInput, LayoutMemory, MapLayout } from '../../../shared/model/map/layout-shape'

/** Request to the layout's worker. */
export interface LayoutRequest {
  readonly id: number
  readonly input: LayoutInput
  /** Without the memory of the layout before. */
  readonly isFresh: boolean
}

/** Answer of the layout's worker. */
export interface LayoutAnswer {
  readonly id: number
  readonly layout: MapLayout
}

/** Returns a function that lays out one map after the other, each with the memory of the one before. */
export function layoutSession(): (request: LayoutRequest) => LayoutAnswer {
  let memory: LayoutMemory | undefined
  return ({ id, input, isFresh }) => {
    const layout = layOut(input, isFresh ? undefined : memory)
    memory = rememberLayout(input, layout)
    return { id, layout }
  }
}
