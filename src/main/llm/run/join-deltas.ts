import { separateThoughts } from '../../../shared/model/conversation/thoughts'

/** Pieces of an answer joined to one, numbered from 0. */
export interface JoinedDelta {
  readonly seq: number
  /** `parted`: all content before were thoughts. */
  readonly kind: 'content' | 'reasoning' | 'parted'
  readonly text: string
}

export interface DeltaJoiner {
  add(kind: JoinedDelta['kind'], text: string): void
  /** Tells what waits, now. */
  flush(): void
  /** All that was told, and the number of the next delta. */
  soFar(): { readonly content: string; readonly reasoning: string; readonly nextSeq: number }
  /** Tells what waits; what was told so far belongs to an answer that is done. The numbers go on. */
  restart(): void
  /** Tells what waits and stops the clock. */
  close(): void
}

// Faster than people see, and slow enough that a flood of one-letter deltas is some 30 messages a second.
const joinMs = 33

/**
 * Joins deltas that come faster than a window can draw; the first is told at once.
 *
 * The order of content and reasoning is kept: a change of kind tells what waits.
 */
export function joinDeltas(tell: (delta: JoinedDelta) => void): DeltaJoiner {
  let waiting: { readonly kind: JoinedDelta['kind']; text: string } | undefined
  let timer: NodeJS.Timeout | undefined
  let nextSeq = 0
  let told = { content: '', reasoning: '' }

  function flush(): void {
    if (waiting === undefined) return
    const delta = { seq: nextSeq++, ...waiting }
    if (delta.kind === 'parted') told = { ...separateThoughts(told) }
    else told[delta.kind] += delta.text
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
    soFar: () => ({ ...told, nextSeq }),
    restart() {
      flush()
      told = { content: '', reasoning: '' }
    },
    close() {
      flush()
      clearTimeout(timer)
    },
  }
}
