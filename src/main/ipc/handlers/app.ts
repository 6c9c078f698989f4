import type { AppParts, AppStatus, HomeChoice } from '../../../shared/ipc/app/app'
import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { LinkedPlace } from '../../../shared/model/conversation-link'
import type { QuickKeyState } from '../../../shared/model/keys/quick-key'
import type { UpdateAnswer } from '../../../shared/model/updates'

/** Functions of the shell, which main/composition gives, because only it may know of windows and dialogs. */
export interface AppShell {
  status(): Promise<AppStatus>
  parts(): Promise<AppParts>
  /** Asks where the package says, if it does. @throws AppError `io`, `unreadable` */
  checkForUpdates(): Promise<UpdateAnswer>
  /** Gives the place of a link once. */
  takeLink(): LinkedPlace | undefined
  /** Whether the quick key works; one that another program had is tried again. */
  quickKey(): QuickKeyState
  openHome(choice: HomeChoice): Promise<AppStatus>
  /** Asks first, outside of the page. @throws AppError `bad-argument`, `denied`, `busy` */
  openLink(url: string): Promise<void>
  revealFile(key: string, file: string): Promise<void>
}

/** Serves the calls of `appContract`. */
export function appHandlers(shell: AppShell): Handlers<Contract['app']> {
  return {
    status: () => shell.status(),
    parts: () => shell.parts(),
    checkForUpdates: () => shell.checkForUpdates(),
    takeLink: async () => shell.takeLink() ?? null,
    quickKey: async () => shell.quickKey(),
    openHome: (choice) => shell.openHome(choice),
    openLink: ({ url }) => shell.openLink(url),
    revealFile: ({ key, file }) => shell.revealFile(key, file),
  }
}
