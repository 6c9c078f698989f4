import type { AppParts, AppStatus, HomeChoice } from '../../../shared/ipc/app/app'
import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { LinkedPlace } from '../../../shared/model/conversation-link'

/** Functions of the shell, which main/composition gives, because only it may know of windows and dialogs. */
export interface AppShell {
  status(): Promise<AppStatus>
  parts(): Promise<AppParts>
  /** Gives the place of a link once. */
  takeLink(): LinkedPlace | undefined
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
    takeLink: async () => shell.takeLink() ?? null,
    openHome: (choice) => shell.openHome(choice),
    openLink: ({ url }) => shell.openLink(url),
    revealFile: ({ key, file }) => shell.revealFile(key, file),
  }
}
