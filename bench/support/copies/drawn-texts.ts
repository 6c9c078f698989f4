import { createRandom } from '../random'
import { textFolders, textsIn } from '../texts'

/** A supply of texts that other people wrote, drawn by seed. */
export interface DrawnTexts {
  /** Returns a piece of one of the texts: of 0.2 to 8 KB, as what tools answer. */
  draw(): string
  /** A number that is at least 0 and less than 1. */
  next(): number
}

const pooledBytes = 16_000_000
const leastPiece = 200
const widestPiece = 40

/** Creates a supply from the texts of `textFolders`, which it holds in memory, 16 MB at most. */
export function createDrawnTexts(seed: number): DrawnTexts {
  const texts: string[] = []
  let bytes = 0
  for (const text of textsIn(textFolders())) {
    if (bytes >= pooledBytes) break
    texts.push(text)
    bytes += text.length
  }
  const random = createRandom(seed)
  return {
    draw() {
      const text = texts[random.below(texts.length)] ?? ''
      const length = Math.floor(leastPiece * widestPiece ** random.next())
      const at = random.below(Math.max(1, text.length - length))
      // Half of a pair of surrogates is no text.
      return text.slice(at, at + length).toWellFormed()
    },
    next: random.next,
  }
}
