import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { textIn } from '../../common/drafts'

/** A request of a chat: a person's message with the answer to it. */
export interface PlayedRequest {
  /** Undefined for one without an id, which has no place in a tree. */
  readonly id: string | undefined
  readonly request: unknown
  /** The request that it goes on from; null for a first one. */
  readonly previous: string | null
}

/** The requests of a chat, in their order: each after the one that it goes on from. */
export interface PlayedRequests {
  readonly requests: readonly PlayedRequest[]
  /** The request that the chat is at now; undefined where that is the last one, or none is left. */
  readonly leaf: string | undefined
}

/**
 * Follows the list of a chat's requests. What was taken out of it stays as a branch, as it was then. A request that a person
 * has stepped back from is still in the list until something else is asked: it is no part of the way either.
 */
export class RequestList {
  private readonly known = new Map<string, { request: unknown; previous: string | null }>()
  private nameless: unknown[] = []
  private active: string[] = []

  /** Takes the list as it is now. Requests that are still there may go on changing in place. */
  take(list: readonly unknown[]): void {
    const taken = new Set<string>()
    this.nameless = []
    let previous: string | null = null
    for (const request of list) {
      const id = requestId(request)
      if (id === undefined || taken.has(id)) {
        this.nameless.push(request)
        continue
      }
      // One that had been taken out comes after what it now goes on from.
      if (this.known.has(id) && !this.active.includes(id)) this.known.delete(id)
      this.known.set(id, { request, previous })
      taken.add(id)
      previous = id
    }
    this.active = [...taken]
  }

  /** Returns the requests as they are at the end of the log. */
  played(): PlayedRequests {
    const active = new Set(this.active)
    let kept: string | null = null
    let before: string | null = null
    const requests: PlayedRequest[] = []
    for (const [id, { request, previous }] of this.known) {
      if (!active.has(id)) {
        requests.push({ id, request, previous })
        continue
      }
      const isBack = isSteppedBack(request)
      requests.push({ id, request, previous: isBack ? before : kept })
      before = id
      if (!isBack) kept = id
    }
    for (const request of this.nameless) requests.push({ id: undefined, request, previous: kept })
    const last = requests.at(-1)?.id
    return { requests, leaf: kept === null || kept === last ? undefined : kept }
  }
}

/** Undefined where it has none. */
function requestId(request: unknown): string | undefined {
  return isJsonObject(request) ? textIn(request.requestId) : undefined
}

/**
 * Returns true for a request that a person has stepped back from, by a checkpoint before it: the program takes it out of the chat
 * with the next one. A step into the middle of its answer leaves it there.
 */
export function isSteppedBack(request: unknown): boolean {
  if (!isJsonObject(request)) return false
  const { shouldBeRemovedOnSend: step, isHidden } = request
  if (isJsonObject(step)) return textIn(step.afterUndoStop) === undefined
  return isHidden === true
}

/** Returns a chat without its requests. */
export function withoutRequests({ requests: _, ...others }: JsonObject): JsonObject {
  return others
}
