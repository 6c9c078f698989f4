/** The bytes that SQLite reads as a database. */
export interface DatabaseBytes {
  readonly sizeBytes: number
  /** Reads bytes from a position on; returns how many, fewer where the file ends. @throws DiskError */
  read(into: Uint8Array, offset: number): number
}
