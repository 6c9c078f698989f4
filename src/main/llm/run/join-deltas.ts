import { separateThoughts } from '../../../shared/model/conversation/thoughts'

/** Pieces of an answer joined to one, numbered from 0. */
export interface JoinedDelta {
  readonly seq: number
  /** `parted`: all content before were thoughts. */
  readonly kind: 'content' | 'reasoning' | 'parted'
  readonly text: string
}

/** A joiner of the deltas of a run. */
export interface DeltaJoiner {
  add(kind: JoinedDelta['kind'], text: string): void
  /** Sends what waits, now. */
  flush(): void
  /** Returns the text so far, and the number of the next delta. */
  soFar(): { readonly content: string; readonly reasoning: string; readonly nextSeq: number }
  /** Sends what waits, and begins the text of another answer. The numbers continue. */
  restart(): void
  /** Sends what waits and stops the timer. */
  close(): void
}

// Faster than people see, and slow enough that a flood of one-letter deltas is some 30 messages a second.
const joinMs = 33

/**
 * Joins deltas that come faster than a window can draw, to one in 33 ms; the first goes out at once.
 *
 * The order of content and reasoning is kept: a change of kind sends what waits.
 */
export function joinDeltas(tell: (delta: JoinedDelta) => void): DeltaJoiner {
  let waiting: { readonly kind: JoinedDelta['kind']; text: string } | undefined
  let timer: NodeJS.Timeout | undefined
  let nextSeq = 0
  let sent = { content: '', reasoning: '' }

  function flush(): void {
    if (waiting === undefined) return
    const delta = { seq: nextSeq++, ...waiting }
    if (delta.kind === 'parted') sent = { ...separateThoughts(sent) }
    else sent[delta.kind] += delta.text
    waiting = undefined
    tell(delta)
  }

  return {
    add(kind, text) {
      if (waiting !== undefined && waiting.kind !== kind) flush()
      if (waiting === undefined) waiting = { kind, text }
      else waiting.text += text
      if (timer !== undefined) return
      flush()
      timer = setTimeout(function again() {
        timer = undefined
        if (waiting === undefined) return
        flush()
        timer = setTimeout(again, joinMs)
      }, joinMs)
    },
    flush,
    soFar: () => ({ ...sent, nextSeq }),
    restart() {
      flush()
      sent = { content: '', reasoning: '' }
    },
    close() {
      flush()
      clearTimeout(timer)
    },
  }
}
