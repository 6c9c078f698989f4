import type { Random } from './random'

const sampled = 4000

/** Facts of a corpus that queries are drawn by: the same for the same texts and seed. */
export class TextSample {
  private readonly random: Random
  private entries = 0
  /** Some texts of entries. */
  readonly texts: string[] = []
  /** In how many entries each word of letters stands, lower case. */
  readonly entriesOf = new Map<string, number>()

  constructor(random: Random) {
    this.random = random
  }

  /** Takes in the text of an entry. */
  add(text: string): void {
    this.entries += 1
    for (const word of new Set(text.toLowerCase().match(/[a-z_]{3,40}/g)))
      this.entriesOf.set(word, (this.entriesOf.get(word) ?? 0) + 1)
    if (this.texts.length < sampled) this.texts.push(text)
    else if (this.random.below(this.entries) < sampled)
      this.texts[this.random.below(sampled)] = text
  }
}
