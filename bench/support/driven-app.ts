import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ElectronApplication, Page } from 'playwright-core'

/** The scripts that start Electron; they stay files of their own, since they look for others beside them. */
const scripts = path.resolve('scripts')

/** The app while it is driven. */
interface DrivenApp {
  readonly page: Page
  readonly app: ElectronApplication
}

interface Scripts {
  readonly ensureElectron: () => Promise<{ readonly executable: string }>
  readonly ensureBuild: () => Promise<void>
  readonly withDisplay: <T>(work: (env: NodeJS.ProcessEnv) => Promise<T>) => Promise<T>
  readonly newPerson: (env: NodeJS.ProcessEnv) => {
    readonly env: Record<string, string>
    readonly remove: () => void
  }
  readonly launchApp: (options: {
    readonly executable: string
    readonly env: Record<string, string>
    readonly args: readonly string[]
  }) => Promise<DrivenApp & { readonly close: () => Promise<void> }>
}

/** Starts the built app with a home, as a person who has never run it, and ends it after the work. */
export async function withApp<T>(
  home: string,
  work: (driven: DrivenApp) => Promise<T>,
): Promise<T> {
  const parts = await Promise.all(
    [
      'electron-runtime.mjs',
      'build.mjs',
      'setup/display.mjs',
      'electron/environment.mjs',
      'electron/launch.mjs',
    ].map((file) => import(/* @vite-ignore */ pathToFileURL(path.join(scripts, file)).href)),
  )
  const { ensureElectron, ensureBuild, withDisplay, newPerson, launchApp }: Scripts = Object.assign(
    {},
    ...parts,
  )
  const { executable } = await ensureElectron()
  await ensureBuild()
  return withDisplay(async (env) => {
    const person = newPerson(env)
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
