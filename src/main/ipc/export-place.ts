import type { KeptFromExports } from './exported-conversation'

/** Parts of the system that saving needs; main/index gives them. */
export interface ExportPlace {
  /** Asks where to write; undefined when the dialog was cancelled. */
  ask(
    suggestedName: string,
    kind: { readonly label: string; readonly extension: string },
  ): Promise<string | undefined>
  /** Writes the file whole or not at all, and never into what is kept; returns its bytes. */
  write(
    file: string,
    pieces: AsyncIterable<string | Uint8Array>,
    kept: KeptFromExports,
  ): Promise<number>
  shown(file: string): string
  /** Asks for a folder; undefined when the dialog was cancelled. */
  askFolder(): Promise<string | undefined>
  isTaken(file: string): Promise<boolean>
  /** The same as `write`, under a name that is free. */
  writeNew: ExportPlace['write']
}
