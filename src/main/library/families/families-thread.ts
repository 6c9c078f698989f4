import { Worker } from 'node:worker_threads'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { FamilyAnswer } from '../../../shared/model/family/branching'
import type { Families, FamilyPlaces } from './families'

/** A message to the families worker; `family` and `settled` get one answer each. */
export type ToFamilies =
  | { readonly type: 'family'; readonly id: number; readonly key: LibraryKey }
  | { readonly type: 'settled'; readonly id: number }
  | { readonly type: 'look' }

/** A message from the families worker. */
export type FromFamilies =
  | { readonly type: 'answer'; readonly id: number; readonly answer: FamilyAnswer | undefined }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | { readonly type: 'changed' }

interface Waiting {
  readonly resolve: (answer: FamilyAnswer | undefined) => void
  readonly reject: (error: Error) => void
}

/**
 * Creates families in a worker thread, which starts with the first question, and again after it died. It keeps no
 * process alive.
 *
 * @param workerPath the built `families.worker.cjs`
 */
export function threadFamilies(
  workerPath: string,
  places: FamilyPlaces,
  changed: () => void,
): Families {
  return new FamilyThread(workerPath, places, changed)
}

class FamilyThread implements Families {
  private readonly workerPath: string
  private readonly places: FamilyPlaces
  private readonly changed: () => void
  private readonly waiting = new Map<number, Waiting>()
  private worker: Worker | undefined
  private lastId = 0
  private isClosed = false

  constructor(workerPath: string, places: FamilyPlaces, changed: () => void) {
    this.workerPath = workerPath
    this.places = places
    this.changed = changed
  }

  async family(key: LibraryKey): Promise<FamilyAnswer> {
    const answer = await this.ask((id) => ({ type: 'family', id, key }))
    if (answer === undefined) throw new Error('the families thread gave another answer')
    return answer
  }

  look(): void {
    // Before the first question no answer was given that a scan could change.
    this.worker?.postMessage({ type: 'look' } satisfies ToFamilies)
  }

  async settled(): Promise<void> {
    await this.ask((id) => ({ type: 'settled', id }))
  }

  async close(): Promise<void> {
    this.isClosed = true
    const { worker } = this
    await worker?.terminate()
  }

  private ask(question: (id: number) => ToFamilies): Promise<FamilyAnswer | undefined> {
    if (this.isClosed) return Promise.reject(new Error('the families thread was closed'))
    const worker = this.start()
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage(question(id))
    })
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker
    const { home, roots, cacheFolder, userFolder } = this.places
    const workerData = { home, roots, cacheFolder, userFolder }
    const worker = new Worker(this.workerPath, { workerData })
    worker.unref()
    worker.on('message', (message: FromFamilies) => this.receive(worker, message))
    worker.on('error', (error) => this.failAll(worker, error))
    worker.on('exit', () => this.failAll(worker, new Error('the families thread ended')))
    this.worker = worker
    return worker
  }

  private receive(worker: Worker, message: FromFamilies): void {
    if (message.type === 'changed') {
      if (!this.isClosed) this.changed()
      return
    }
    const waiting = this.waiting.get(message.id)
    this.waiting.delete(message.id)
    if (this.waiting.size === 0) worker.unref()
    if (message.type === 'failed') waiting?.reject(new Error(message.message))
    else waiting?.resolve(message.answer)
  }

  private failAll(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    for (const { reject } of [...this.waiting.values()]) reject(error)
    this.waiting.clear()
  }
}
