import { isoTimeOfMs } from '../basics/time'
import { libraryKeyOf } from '../conversation/conversation'
import type { Distinction } from '../family/branching'
import { mergeTree } from '../family/merge'
import { hasTrait } from '../family/message-traits'
import type { Outline } from '../family/outline'

/**
 * Lists what tells the conversations of a group (`groupRelatives`) apart, oldest first: of each the messages that no other
 * one has, else those that it was the first to have. Near-linear in the messages.
 */
export function distinctionsOf(group: readonly Outline[]): readonly Distinction[] {
  const tree = mergeTree(group)
  const holders = new Int32Array(tree.count)
  for (const places of tree.places)
    for (const place of places) if (place !== -1) holders[place] = (holders[place] ?? 0) + 1
  return tree.outlines.map((outline, i) => {
    const places = [...(tree.places[i] ?? [])]
    const messagesAt = (isOwn: (place: number) => boolean) =>
      places.flatMap((place, message) => (place !== -1 && isOwn(place) ? [message] : []))
    const alone = messagesAt((place) => holders[place] === 1)
    // What others went on from is still the way to here, where nothing is its own alone.
    const own = alone.length > 0 ? alone : messagesAt((place) => tree.owner[place] === i)
    return {
      key: libraryKeyOf(outline.source, outline.key),
      words: wordsOf(outline, own),
      entries: alone.reduce((sum, message) => sum + entriesIn(outline, message), 0),
      created: isoTimeOfMs(beganMs(outline, own)),
    }
  })
}

/** The first words of a person among these messages, else of anybody but the system. */
function wordsOf(outline: Outline, messages: readonly number[]): string {
  const spoken = messages.filter((message) => outline.words[message] !== '')
  const first =
    spoken.find((message) => hasTrait(outline, message, 'human')) ??
    spoken.find((message) => !hasTrait(outline, message, 'system'))
  return first === undefined ? '' : (outline.words[first] ?? '')
}

function entriesIn({ starts }: Outline, message: number): number {
  return (starts[message + 1] ?? 0) - (starts[message] ?? 0)
}

/** Unix milliseconds of the first of these messages, else of the conversation's begin. */
function beganMs(outline: Outline, messages: readonly number[]): number | undefined {
  const time = messages.map((message) => outline.times[message] ?? 0).find((ms) => ms !== 0)
  return time ?? outline.createdMs
}
