/** A stretch of a person's message: their own words, or what the program put there. */
export interface WordStretch {
  readonly content: string
  /** The wrapper's name; undefined for a person's own words. */
  readonly wrapper: string | undefined
}
