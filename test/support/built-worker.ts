import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll } from 'vitest'

/** Bundles a worker of main once for a test file, as the app does; gives its path. `source` is below `src/main`. */
export function builtWorker(source: string): () => string {
  let folder = ''
  const name = `${path.basename(source, '.ts')}.cjs`
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-worker-'))
    await build({
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: {
        ssr: path.join(__dirname, '../../src/main', source),
        outDir: folder,
        target: 'node18.15',
        rollupOptions: { output: { format: 'cjs', entryFileNames: name } },
      },
    })
  })
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
  return () => path.join(folder, name)
}
