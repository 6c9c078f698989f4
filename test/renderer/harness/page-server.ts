import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the window over an api in memory is served; ends with a slash. */
    readonly windowAddress: string
  }
}

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

/**
 * Serves the window over an api in memory on loopback, to all browsers of a run. It is built as Skein's own page is, once,
 * when the first browser asks for it: a run that opens none does not wait for it. Vitest calls this.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'skein-renderer-'))
  const root = import.meta.dirname
  let building: Promise<void> | undefined
  project.onTestsRerun(() => {
    building = undefined
  })
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
    plugins: [
      {
        name: 'built-when-asked',
        configurePreviewServer({ middlewares }) {
          middlewares.use((_request, _response, next) => {
            building ??= buildPage(root, outDir)
            building.then(() => next(), next)
          })
        },
      },
    ],
  })
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  project.provide('windowAddress', `http://127.0.0.1:${address.port}/`)
  return async () => {
    await new Promise<void>((resolve) => {
      server.httpServer.close(() => resolve())
      if ('closeAllConnections' in server.httpServer) server.httpServer.closeAllConnections()
    })
    await rm(outDir, { recursive: true, force: true })
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
