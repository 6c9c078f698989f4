import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll } from 'vitest'

/** Bundles the search worker once for a test file, as the app does; gives its path. */
export function builtSearchWorker(): () => string {
  let folder = ''
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-search-worker-'))
    await build({
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: {
        ssr: path.join(__dirname, '../../src/main/search/search.worker.ts'),
        outDir: folder,
        target: 'node18.15',
        rollupOptions: { output: { format: 'cjs', entryFileNames: 'search.worker.cjs' } },
      },
    })
  })
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
  return () => path.join(folder, 'search.worker.cjs')
}
