/** Most characters of the texts whose heights are kept together. */
const mostCharacters = 4_000_000

/** Heights of the blocks of texts as they were measured, so that a text that comes again has the room that it had. */
export interface BlockHeights {
  /** Returns the height of a block with the space above it, in pixels; undefined where it was not measured, or was forgotten. */
  heightOf(text: string, block: number): number | undefined
  keep(text: string, block: number, pixels: number): void
  /** Forgets everything where texts have other measures from now on: another width or size of letters. */
  fit(measures: string): void
}

/** Makes an empty memory of heights. The texts that were asked for longest ago are forgotten beyond `most` characters of texts. */
export function createBlockHeights(most = mostCharacters): BlockHeights {
  /** The text that was used last comes last. */
  const texts = new Map<string, Map<number, number>>()
  let characters = 0
  let fitted: string | undefined

  function use(text: string): Map<number, number> | undefined {
    const heights = texts.get(text)
    if (heights === undefined) return undefined
    texts.delete(text)
    texts.set(text, heights)
    return heights
  }

  function forgetOldest(): void {
    for (const text of texts.keys()) {
      if (characters <= most) return
      texts.delete(text)
      characters -= text.length
    }
  }

  return {
    heightOf: (text, block) => use(text)?.get(block),
    keep(text, block, pixels) {
      // It would drive out all others, and then itself.
      if (text.length > most) return
      let heights = use(text)
      if (heights === undefined) {
        heights = new Map()
        texts.set(text, heights)
        characters += text.length
      }
      heights.set(block, pixels)
      forgetOldest()
    },
    fit(measures) {
      if (fitted !== undefined && fitted !== measures) {
        texts.clear()
        characters = 0
      }
      fitted = measures
    },
  }
}
