import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { type Browser, chromium } from 'playwright-core'
import { build, preview } from 'vite'
import { afterAll, beforeAll } from 'vitest'

/** What the page may do in Skein (main/app): the window must run under it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
].join('; ')

/** The whole window over an api in memory, served on loopback, and a browser to look at it. */
export interface Harness {
  readonly browser: Browser
  urlOf(query: Readonly<Record<string, string>>): string
  close(): Promise<void>
}

/** Builds the harness page as Skein's own page is built, and starts Chromium. */
async function openHarness(): Promise<Harness> {
  const executablePath = await findChromium()
  const outDir = await mkdtemp(path.join(tmpdir(), 'skein-renderer-'))
  const root = path.join(import.meta.dirname)
  await buildPage(root, outDir)
  const server = await preview({
    configFile: false,
    root,
    logLevel: 'silent',
    build: { outDir },
    preview: {
      host: '127.0.0.1',
      port: 0,
      headers: { 'content-security-policy': policy },
    },
  })
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  return {
    browser,
    urlOf: (query) => `http://127.0.0.1:${address.port}/?${new URLSearchParams(query)}`,
    async close() {
      await browser.close()
      await new Promise<void>((resolve) => {
        server.httpServer.close(() => resolve())
        if ('closeAllConnections' in server.httpServer) server.httpServer.closeAllConnections()
      })
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

async function buildPage(root: string, outDir: string): Promise<void> {
  const environment = process.env.NODE_ENV
  // Vitest's own would take React's development build.
  process.env.NODE_ENV = 'production'
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'warn',
      plugins: [react()],
      build: {
        outDir,
        emptyOutDir: true,
        target: 'chrome114',
        assetsInlineLimit: 0,
        minify: false,
      },
    })
  } finally {
    process.env.NODE_ENV = environment
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
