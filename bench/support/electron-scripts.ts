import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ElectronApplication, Page } from 'playwright-core'

/** Scripts that start Electron; they stay files of their own, since they look for others beside them. */
const scripts = path.resolve('scripts')
const files = [
  'electron-runtime.mjs',
  'build.mjs',
  'setup/display.mjs',
  'electron/environment.mjs',
  'electron/launch.mjs',
]

/** A person who has never run the app. */
interface NewPerson {
  readonly env: Record<string, string>
  readonly remove: () => void
}

/** What starts Electron, as the scripts have it. */
interface ElectronScripts {
  readonly ensureElectron: () => Promise<{ readonly executable: string }>
  readonly ensureBuild: () => Promise<void>
  readonly withDisplay: <T>(work: (env: NodeJS.ProcessEnv) => Promise<T>) => Promise<T>
  readonly newPerson: (env: NodeJS.ProcessEnv) => NewPerson
  readonly launchApp: (options: {
    readonly executable: string
    readonly env: Record<string, string>
    readonly args: readonly string[]
  }) => Promise<{
    readonly page: Page
    readonly app: ElectronApplication
    readonly close: () => Promise<void>
  }>
}

/** Gives the work an Electron that runs here, the built app, a display, and what starts them. */
export async function withElectron<T>(
  work: (
    scripts: Pick<ElectronScripts, 'newPerson' | 'launchApp'>,
    executable: string,
    env: NodeJS.ProcessEnv,
  ) => Promise<T>,
): Promise<T> {
  const parts = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ pathToFileURL(path.join(scripts, file)).href)),
  )
  const all: ElectronScripts = Object.assign({}, ...parts)
  const { executable } = await all.ensureElectron()
  await all.ensureBuild()
  return all.withDisplay((env) => work(all, executable, env))
}
