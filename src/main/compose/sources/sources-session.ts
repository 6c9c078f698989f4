import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { RootsFrom, SourcesView } from '../../../shared/model/settings/source-roots'
import type { Disk } from '../../disk/interface/disk'
import type { Sources } from '../../ipc/serve-calls'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import type { SettingsFile } from '../../settings/stored/settings-file'

/** Dependencies of the sources of the app window. */
export interface SourcesDeps {
  readonly disk: Disk
  /** Of every system; chibi's is left out. */
  readonly readers: readonly History['reader'][]
  readonly settings: Pick<SettingsFile, 'read' | 'change'>
  /** The roots that `--root` names. */
  readonly given: readonly LibraryRoot[]
  /** Says where other systems leave their histories; nothing unless given. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The system's dialog; undefined when it was cancelled. */
  readonly ask: (kind: 'folder' | 'file') => Promise<string | undefined>
  /** Where imported exports are kept, and a disk on which a packed file is what it is. */
  readonly imports: {
    readonly folder: string
    readonly plain: Disk
    readonly userFolder: string
  }
  /** The system's dialog for an export; undefined when it was cancelled. */
  readonly askForExport: () => Promise<string | undefined>
  /** Where backups are kept. */
  readonly backups: string
  /** Asks a person whether the backup of a root is deleted. @throws AppError `denied`, `busy` */
  readonly allowDelete: (
    root: LibraryRoot,
    size: { readonly files: number; readonly bytes: number },
  ) => Promise<void>
  /** Files that a person opened Skein with. */
  readonly opened: OpenedPlaces
  /** Gets faults that no call answers for, in words. */
  readonly note: (words: string) => void
  /** Asks a person whether these files are imported. @throws AppError `denied`, `busy` */
  readonly allowImport: (files: readonly string[]) => Promise<void>
  /** At most ten a second while files are looked for, or imported. */
  readonly changed: (view: SourcesView) => void
}

/** The files that a person opened Skein with, and what the library knows of them. */
export interface OpenedPlaces {
  readonly isWaiting: () => boolean
  /** Takes all that wait: absolute paths, and addresses that are no files of this computer. */
  readonly take: () => readonly string[]
  /** Finds the conversations of the open home and its histories that lie in a file. */
  readonly conversationsAt: (file: string) => Promise<readonly LibraryKey[]>
  readonly show: (key: LibraryKey) => void
}

/** The roots of other systems of one window, in every home that it opens. */
export interface SourcesSession extends Sources {
  /** The readers by which the library lists them, so that Settings can tell what is found, and stop it. */
  readonly readers: readonly History['reader'][]
  /**
   * Gives the roots that are read in another home, which is opened now.
   *
   * @param isRead false before a home was chosen: until then files are counted by their names, and none is read
   * @param changed hears those that are read there from then on
   */
  enter(
    from: RootsFrom,
    isRead: boolean,
    changed: (roots: readonly LibraryRoot[]) => void,
  ): Promise<readonly LibraryRoot[]>
  /** Whether a root of a source was not scanned whole: what was not found there may be there all the same. */
  isPartial(source: SourceId): boolean
  /** Ends the events. */
  close(): void
}
