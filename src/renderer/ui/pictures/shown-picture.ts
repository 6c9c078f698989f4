/** Picture that is shown small, and larger on demand. */
export interface ShownPicture {
  /** For people; visible text. */
  readonly name: string
  /** Undefined where it has none, such as a name that is no text. */
  readonly address: string | undefined
  /** What is known of it, such as its size; may be empty. */
  readonly note: string
  /** Why it is not shown, where its address has no picture. */
  readonly missing: string
}
