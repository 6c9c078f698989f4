import type { UnreadPart } from '../../../shared/model/conversation/reading'

/** A file that holds a part of a context's transcript. */
export interface TranscriptFile {
  readonly path: string
  /** Relative to the home. */
  readonly place: string
  readonly kind: 'legacy' | 'partition' | 'active' | 'document' | 'window'
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly identity: string
  /** Where reading begins, in a file of which an earlier part is others'; `sizeBytes` is where it ends then. */
  readonly begin?: { readonly offset: number; readonly line: number }
}

/** A file of a transcript that cannot be read. */
export interface MissingFile {
  /** The index in `ContextFiles.files` of the file that comes after it; their count where none does. */
  readonly before: number
  readonly part: UnreadPart
}
