import type { ConfigFile } from '../../../shared/model/settings/settings'

/** A person's approval of what a change of settings would allow, asked for outside of the page. */
export interface SettingsApproval {
  /**
   * Folders that models could then use and could not before. `file` says for whom: the home, or one conversation.
   *
   * @throws AppError `denied` where it is not allowed, `busy`
   */
  folders(folders: readonly NewFolder[], file: ConfigFile): Promise<void>
  /** An address that words were not sent to before. @throws AppError `denied`, `busy` */
  address(baseUrl: string): Promise<void>
  /** A key for an address, and for no other. @throws AppError `denied`, `busy` */
  key(baseUrl: string, hint: string): Promise<void>
}

/** A folder that a change would allow. */
export interface NewFolder {
  /** Absolute. */
  readonly path: string
  /** Where links lead from there; the path itself where nothing is. */
  readonly real: string
  /** It is all of a disk, or all of the person's own folder. */
  readonly isEverything: 'disk' | 'own folder' | undefined
}
