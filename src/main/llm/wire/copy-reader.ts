import type { ChunkChoice } from './chunks'

/**
 * Reader of the new part of each piece of an answer, since the whole message may come once more behind its pieces.
 */
export interface CopyReader {
  /** Returns the piece itself; of a whole message behind its pieces, the part that is new. */
  fresh(choice: ChunkChoice): ChunkChoice
}

/** Returns a reader for one answer. Takes as much memory as the text. */
export function copyReader(): CopyReader {
  let content = ''
  let reasoning = ''
  let hasDeltas = false
  const has = { calls: false, media: false, sound: false, returned: false }

  /** Thoughts may have come between tags in the text: then the message repeats neither as it was. */
  function freshOf({ thoughtsIn, ...copy }: ChunkChoice): ChunkChoice {
    const isTagged = /<\/?\w*(think|thought|reason)/i.test(content)
    const thoughts = restBehind(reasoning, isTagged ? '' : copy.reasoning)
    return {
      ...copy,
      content: restBehind(content, copy.content),
      reasoning: thoughts,
      // They go back under the name by which they came first.
      ...(thoughts === '' || thoughtsIn === undefined ? {} : { thoughtsIn }),
      calls: has.calls ? [] : copy.calls,
      media: has.media ? [] : copy.media,
      sound: has.sound ? undefined : copy.sound,
      returned: has.returned ? undefined : copy.returned,
    }
  }

  return {
    fresh(received) {
      const choice = received.isWhole && hasDeltas ? freshOf(received) : received
      if (!choice.isWhole && saysSomething(choice)) hasDeltas = true
      content += choice.content
      reasoning += choice.reasoning
      has.calls ||= choice.calls.length > 0
      has.media ||= choice.media.length > 0
      has.sound ||= choice.sound !== undefined
      has.returned ||= choice.returned !== undefined
      return choice
    },
  }
}

/** Returns true where a piece has any part of an answer. */
export function saysSomething(choice: ChunkChoice): boolean {
  const { content, reasoning, calls, media, sound } = choice
  return (
    content !== '' ||
    reasoning !== '' ||
    calls.length > 0 ||
    media.length > 0 ||
    sound !== undefined
  )
}

/** Gives what a whole text has behind the part that is known; nothing where it begins in another way. */
function restBehind(known: string, whole: string): string {
  return whole.startsWith(known) ? whole.slice(known.length) : ''
}
