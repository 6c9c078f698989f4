import type { ElectronApplication } from 'playwright-core'

/** A question of main, as a person sees it in the system's dialog. */
export interface AskedDialog {
  readonly message: string
  readonly detail: string
  /** The first is what Enter and Esc mean. */
  readonly buttons: readonly string[]
}

/** Answers the questions that main asks by dialogs of the system, which nothing else in a test can press. */
export interface Dialogs {
  /** The buttons that are pressed from now on, in order; what comes after the last is refused. */
  press(...labels: readonly string[]): Promise<void>
  /** What was asked, in order. */
  asked(): Promise<readonly AskedDialog[]>
  /** The addresses that were handed to the system, in place of opening them. */
  opened(): Promise<readonly string[]>
}

/** What main keeps for us. */
interface Kept {
  skeinDialogs: { asked: AskedDialog[]; presses: string[]; opened: string[] }
}

/** Takes the place of the system's dialogs, and of what opens addresses outside. Everything is refused until told otherwise. */
export async function scriptDialogs(app: ElectronApplication): Promise<Dialogs> {
  await app.evaluate(({ dialog, shell }) => {
    const kept = { asked: [], presses: [], opened: [] } as Kept['skeinDialogs']
    Object.assign(globalThis, { skeinDialogs: kept })
    dialog.showMessageBox = async (...given: readonly unknown[]) => {
      const {
        message,
        detail = '',
        buttons = [],
        defaultId,
        cancelId,
      } = given.at(-1) as {
        message: string
        detail?: string
        buttons?: string[]
        defaultId?: number
        cancelId?: number
      }
      kept.asked.push({ message, detail, buttons })
      const at = buttons.indexOf(kept.presses.shift() ?? '')
      if (defaultId !== cancelId) throw new Error('Enter does something else than Esc')
      return { response: at < 0 ? (cancelId ?? 0) : at, checkboxChecked: false }
    }
    dialog.showOpenDialog = async () => ({ canceled: true, filePaths: [] })
    dialog.showSaveDialog = async () => ({ canceled: true, filePath: '' })
    shell.openExternal = async (url: string) => void kept.opened.push(url)
  })
  // The function runs in main, where nothing of this file is: the names are looked up anew.
  const kept = () => app.evaluate(() => (globalThis as unknown as Kept).skeinDialogs)
  return {
    press: (...labels) =>
      app.evaluate(
        (_, more) => void (globalThis as unknown as Kept).skeinDialogs.presses.push(...more),
        labels,
      ),
    asked: async () => (await kept()).asked,
    opened: async () => (await kept()).opened,
  }
}
