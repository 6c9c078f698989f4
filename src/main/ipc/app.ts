import type { AppStatus, HomeChoice } from '../../shared/ipc/app'
import type { Contract } from '../../shared/ipc/contract'
import type { Handlers } from '../../shared/ipc/primitives'
import { AppError } from '../../shared/model/errors'

/** What the shell can do; main/index gives it, because only it may know of windows and dialogs. */
export interface Shell {
  status(): Promise<AppStatus>
  openHome(choice: HomeChoice): Promise<AppStatus>
  /** False where the link is of a kind that is not opened. */
  openLink(url: string): Promise<boolean>
  revealFile(key: string, file: string): Promise<void>
}

export function appHandlers(shell: Shell): Handlers<Contract['app']> {
  return {
    status: () => shell.status(),
    openHome: (choice) => shell.openHome(choice),
    async openLink({ url }) {
      if (!(await shell.openLink(url)))
        throw new AppError('bad-argument', 'Only web and mail addresses are opened.')
    },
    revealFile: ({ key, file }) => shell.revealFile(key, file),
  }
}
