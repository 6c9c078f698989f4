import type { RootBackup, RootsFrom } from '../../../shared/model/settings/source-roots'
import { Mutex } from '../../async/mutex'
import type { Disk } from '../../disk/interface/disk'
import { backupRootsFor } from '../../library/backups'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import type { StoredSources } from '../../settings/stored/settings-file'
import { openRootBackups, type RootBackups } from './root-backups'

/** Dependencies of the backed-up roots of the app window. */
export interface BackedUpRootsDeps {
  /** On which a packed file is what it is. */
  readonly disk: Disk
  readonly archive: string
  readonly readers: readonly History['reader'][]
  readonly note: (words: string) => void
  /** Called when something that is shown changed. */
  readonly told: () => void
  /** Called when there are other roots to read. */
  readonly changed: () => void
}

/** The backups of the app window's roots, and the roots with copies that are read besides them. */
export class BackedUpRoots {
  /** The roots of backups that are read now. */
  roots: readonly LibraryRoot[] = []
  private readonly deps: BackedUpRootsDeps
  private readonly backups: RootBackups
  private readonly looks = new Mutex()
  private find: () => Promise<readonly LibraryRoot[]> = async () => []

  constructor(deps: BackedUpRootsDeps) {
    this.deps = deps
    const { disk, archive, readers, told } = deps
    const copied = () => void this.look()
    this.backups = openRootBackups({ disk, archive, readers, told, copied })
  }

  /** Takes note of the roots that are read, and of what a person turned on and off. */
  async open(
    from: RootsFrom,
    live: readonly LibraryRoot[],
    { off, backedUp }: Pick<StoredSources, 'off' | 'backedUp'>,
  ): Promise<void> {
    const { disk, archive, note } = this.deps
    await this.backups.open(live, backedUp)
    const isForgottenToo = from === 'settings'
    const isNone = from === 'home-option' || from === 'sample'
    this.find = async () =>
      isNone ? [] : backupRootsFor(disk, archive, live, { off, isForgottenToo, note })
    this.roots = await this.find()
  }

  view(root: LibraryRoot): RootBackup | null {
    return this.backups.view(root)
  }

  ask(root: LibraryRoot): void {
    this.backups.ask(root)
  }

  /** Backs a root up now; resolves when that has ended, and its copies are read. */
  async run(root: LibraryRoot): Promise<void> {
    await this.backups.run(root)
    await this.look()
  }

  /** Deletes a root's backup. @throws AppError `busy`; DiskError */
  async remove(root: LibraryRoot): Promise<void> {
    await this.backups.remove(root)
    await this.look()
  }

  close(): void {
    this.backups.close()
  }

  /** The first backup, an earlier version and a deletion make other roots. */
  private look(): Promise<void> {
    return this.looks.run(async () => {
      const before = JSON.stringify(this.roots)
      this.roots = await this.find()
      if (JSON.stringify(this.roots) !== before) this.deps.changed()
    })
  }
}
