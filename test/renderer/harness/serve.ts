import { access } from 'node:fs/promises'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'

/** The whole window over an api in memory, served on loopback (page-server.ts), and a browser to look at it. */
export interface Harness {
  readonly browser: Browser
  urlOf(query: Readonly<Record<string, string>>): string
  close(): Promise<void>
}

/** Starts Chromium. */
async function openHarness(): Promise<Harness> {
  const executablePath = await findChromium()
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  return {
    browser,
    urlOf: (query) => `${inject('windowAddress')}?${new URLSearchParams(query)}`,
    close: () => browser.close(),
  }
}

/** Debian's Chromium, or one under another usual name in PATH. @throws Error that names what to install */
export async function findChromium(): Promise<string> {
  const folders = (process.env.PATH ?? '').split(path.delimiter).concat('/usr/bin')
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    for (const folder of folders) {
      const file = path.join(folder, name)
      const isThere = await access(file).then(
        () => true,
        () => false,
      )
      if (isThere) return file
    }
  throw new Error(
    'No Chromium was found in PATH; the window is tested in one. Install it: apt-get install -y chromium',
  )
}

/** The harness of a file's tests, opened before the first and closed after the last of them. Files run side by side. */
export function harnessOfFile(): () => Harness {
  let harness: Harness
  beforeAll(async () => {
    harness = await openHarness()
  }, 900_000)
  afterAll(() => harness.close())
  return () => harness
}
