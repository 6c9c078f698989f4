import type { LayoutInput, MapLayout } from '../../../shared/model/map/layout-shape'
import { type LayoutAnswer, type LayoutRequest, layoutSession } from './layout-session'

/** Layouts off the main thread, one after the other. */
export interface MapLayouts {
  /**
   * Resolves to undefined where a later request came meanwhile.
   *
   * @throws what the layout throws in the window, after its worker failed
   */
  layOut(input: LayoutInput, isFresh: boolean): Promise<MapLayout | undefined>
  close(): void
}

/** Worker, as far as layouts use it. */
type LayoutWorker = Pick<Worker, 'postMessage' | 'onmessage' | 'onerror' | 'terminate'>

/** Makes layouts by a worker; where it fails, in the window itself. */
export function mapLayouts(startWorker: () => LayoutWorker): MapLayouts {
  let worker: LayoutWorker | undefined
  let lastId = 0
  let last:
    | {
        readonly request: LayoutRequest
        resolve(layout: MapLayout | undefined): void
        reject(error: unknown): void
      }
    | undefined
  let session: ReturnType<typeof layoutSession> | undefined

  function answer(id: number, layout: MapLayout): void {
    if (last?.request.id !== id) return
    last.resolve(layout)
    last = undefined
  }

  function answerHere(): void {
    session ??= layoutSession()
    worker = undefined
    if (last === undefined) return
    try {
      answer(last.request.id, session(last.request).layout)
    } catch (error) {
      last.reject(error)
      last = undefined
    }
  }

  return {
    layOut(input, isFresh) {
      last?.resolve(undefined)
      const request = { id: ++lastId, input, isFresh }
      return new Promise((resolve, reject) => {
        last = { request, resolve, reject }
        if (session !== undefined) return answerHere()
        try {
          worker ??= startWorker()
          worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => answer(data.id, data.layout)
          worker.onerror = answerHere
          worker.postMessage(request)
        } catch {
          answerHere()
        }
      })
    },
    close() {
      last?.resolve(undefined)
      last = undefined
      worker?.terminate()
      worker = undefined
    },
  }
}

/** Starts the worker of the layout. */
export function startLayoutWorker(): Worker {
  return new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' })
}
