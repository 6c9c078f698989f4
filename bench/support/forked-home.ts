import fs from 'node:fs'
import path from 'node:path'
import { createRandom } from './random'
import { createWriter } from './text'

/** A home whose conversations are one family. */
export interface ForkedHome {
  readonly home: string
  /** The context that goes on longest. */
  readonly context: string
  /** A word that many entries have. */
  readonly word: string
  readonly conversations: number
  /** Entries of all conversations, those that several share counted once. */
  readonly entries: number
}

/**
 * Writes a home of so many conversations, each of which goes on from somewhere in an earlier one, as branches do: their
 * files repeat what is shared, `deepest` entries at most. The same for the same numbers.
 */
export function writeForkedHome(
  folder: string,
  conversations: number,
  entries: number,
  deepest = 240,
): ForkedHome {
  const home = path.join(folder, 'home')
  const random = createRandom(11)
  const writer = createWriter(random)
  const texts = Array.from({ length: 500 }, () => writer.text(20 + random.below(200)))
  const each = Math.round(entries / conversations)
  const paths: (readonly string[])[] = []
  let written = 0
  const line = (): string => {
    written += 1
    const isPerson = written % 2 === 0
    return JSON.stringify({
      id: `00000000-0000-4000-8000-${String(written).padStart(12, '0')}`,
      timestamp: 1_754_437_000 + written * 60,
      from: isPerson ? 'user' : 'model',
      to: isPerson ? 'model' : 'user',
      role: isPerson ? 'user' : 'agent',
      content: random.pick(texts as [string, ...string[]]),
      entry_type: 'message',
    })
  }
  for (let n = 0; n < conversations; n++) {
    // Most branches begin at one of the younger conversations, and none so deep that files of a few lines become long.
    const parent = paths[Math.floor(paths.length * random.next() ** 0.5)] ?? []
    const kept = parent.slice(0, Math.min(deepest, 1 + random.below(Math.max(1, parent.length))))
    const own = 1 + random.below(2 * each - 1)
    paths.push([...kept, ...Array.from({ length: own }, line)])
  }
  const longest = paths.reduce((a, b, n) => (b.length > (paths[a]?.length ?? 0) ? n : a), 0)
  // No other name has its name in it: the library's filter finds it alone.
  const nameOf = (n: number) => (n === longest ? 'the-longest' : `way-${n}`)
  paths.forEach((lines, n) => {
    const file = path.join(home, 'contexts', nameOf(n), 'transcript', 'active.jsonl')
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, `${lines.join('\n')}\n`)
  })
  return {
    home,
    context: nameOf(longest),
    word: commonWord(texts),
    conversations,
    entries: written,
  }
}

/** Finds the word that most of the texts have, of those with five letters or more. */
function commonWord(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(text.match(/\b[a-z]{5,}\b/g)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0] as const)[0]
}
