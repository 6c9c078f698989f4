/** The files of a system that its reader reads, so that copies of them can be read in their place. */
export interface BackupRule {
  /** Folders of a root with conversations; where a root has none of them it is one, or a folder in one. */
  readonly folders: readonly string[]
  /** How many folders deep files lie below a root. */
  readonly levels: number
  /** Whether a file is read. @param file below the root, with slashes @param root absolute */
  isWanted(file: string, root: string): boolean
  /** Whether a file beside these folders is read, by its name. */
  isBeside?(name: string): boolean
  /** How the program deletes conversations by itself, where it does. */
  readonly deletes?: {
    readonly afterDays: number
    /** The setting that changes it, as people find it. */
    readonly setting: string
  }
}
