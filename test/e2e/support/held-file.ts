import type { ElectronApplication } from 'playwright-core'

/** What main keeps for us. */
interface Held {
  skeinRelease: () => void
}

/**
 * Lets nobody in main open a file of this name until the returned function is called: what takes long with a large file can be
 * looked at with a small one.
 */
export async function holdOpening(
  app: ElectronApplication,
  name: string,
): Promise<() => Promise<void>> {
  await app.evaluate((_, held) => {
    const { promises } = (process.mainModule as NodeJS.Module).require('node:fs')
    const open: typeof import('node:fs').promises.open = promises.open
    const released = new Promise<void>((resolve) => {
      Object.assign(globalThis, { skeinRelease: resolve })
    })
    promises.open = async (...given: Parameters<typeof open>) => {
      if (`${given[0]}`.endsWith(held)) await released
      return open(...given)
    }
  }, name)
  return () => app.evaluate(() => (globalThis as unknown as Held).skeinRelease())
}
