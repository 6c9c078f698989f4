/** The name of a member, that of a member inside of it, and so on. */
export type MemberPath = readonly string[]

/**
 * The shape of a JSON document: where its conversations have their records, and what orders them. The document is a list
 * of conversations, one of them, or an object with the list in a member.
 */
export interface DocumentShape {
  /** Of its record files; see `RecordFormat.id`. */
  readonly id: string
  /** The member of the document with the list of conversations, where that is not the document itself. */
  readonly list?: string
  /**
   * The member of a conversation that holds its records: a list, or an object with a record in each member. One inside of other
   * members has their names before its own, with dots: `chat.history.messages`.
   */
  readonly records: string
  /** Members of a conversation that a list of them needs, named in the same way. Only texts, numbers and words are read. */
  readonly facts: readonly string[]
  /** Of a record: its id, that of the record before it, and its time (Unix seconds, ISO 8601, or milliseconds as text). */
  readonly record: {
    readonly id: MemberPath
    readonly parent: MemberPath
    readonly time: MemberPath
  }
  /** The member of a conversation that names the record where it is now; one of `facts`. Else that is the newest. */
  readonly leaf?: string
}

/** The value of a member of a conversation; undefined where it is missing, too long, or no text, number or word. */
export type Fact = string | number | boolean | null | undefined

/** A conversation's record in its document, in bytes. */
export interface FoundRecord {
  readonly start: number
  readonly end: number
  readonly id: string | undefined
  /** Null for a root. */
  readonly parent: string | null | undefined
  /** Unix seconds. */
  readonly time: number | undefined
}

/** A conversation in its document, or another value among them, in bytes. */
export interface FoundElement {
  readonly start: number
  readonly end: number
  /** Has its records in the member that its shape names. */
  readonly isConversation: boolean
  readonly facts: Readonly<Record<string, Fact>>
  /** The end of the last member before its records. */
  readonly headEnd: number
  /** The first member after its records; undefined where there is none. */
  readonly tailStart: number | undefined
  /** How many members hold that one: 0 for a member of the conversation itself. */
  readonly tailDepth: number
  /** Whole ones, in the document's order. */
  readonly records: readonly FoundRecord[]
  /** Behind the last whole record: where a torn document's rest begins. */
  readonly restStart: number
  /** The document ends inside of it. */
  readonly isTorn: boolean
}
