import type { ElectronApplication, Page } from 'playwright-core'
import { withElectron } from './electron-scripts'

/** The app while it is driven. */
export interface DrivenApp {
  readonly page: Page
  readonly app: ElectronApplication
}

/** Starts the built app with a home, as a person who has never run it, and ends it after the work. */
export function withApp<T>(home: string, work: (driven: DrivenApp) => Promise<T>): Promise<T> {
  return withElectron(async ({ newPerson, launchApp }, executable, base) => {
    const person = newPerson(base)
    try {
      const launched = await launchApp({ executable, env: person.env, args: ['--home', home] })
      try {
        return await work(launched)
      } finally {
        await launched.close()
      }
    } finally {
      person.remove()
    }
  })
}

/** Returns the memory that the app's processes of a kind hold, in MB. */
export function memoryMb(app: ElectronApplication, type: 'Browser' | 'Tab'): Promise<number> {
  return app.evaluate(
    (electron, kind) =>
      electron.app
        .getAppMetrics()
        .filter((process) => process.type === kind)
        .reduce((sum, process) => sum + process.memory.workingSetSize / 1024, 0),
    type,
  )
}
