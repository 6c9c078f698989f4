import type { ChunkChoice } from './chunks'

/** Reader of what is new in the pieces of an answer, of which the whole message may come once more. */
export interface CopyReader {
  /** The piece itself; of a whole message behind its pieces, what was not told before. */
  fresh(choice: ChunkChoice): ChunkChoice
}

/** Makes a reader for one answer. Costs as much memory as the words do. */
export function copyReader(): CopyReader {
  let content = ''
  let reasoning = ''
  let hasDeltas = false
  const has = { calls: false, media: false, sound: false, returned: false }

  /** Thoughts may have come between tags in the words: then the message says neither again as it was. */
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
    fresh(told) {
      const choice = told.isWhole && hasDeltas ? freshOf(told) : told
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

/** Tells whether anything of an answer stands in a piece. */
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
