import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { mutantPlugins } from '../../scripts/mutants/plugin.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    readonly bundlesFolder: string
  }
}

/** Gives all test files of a run one folder for their bundles, and removes it in the end. Vitest calls this. */
export function setup(project: TestProject): () => void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-bundles-'))
  const remove = () => fs.rmSync(folder, { recursive: true, force: true })
  project.provide('bundlesFolder', folder)
  project.onTestsRerun(() => {
    remove()
    fs.mkdirSync(folder)
  })
  return remove
}

/** Bundles a source, a path from the project's folder, as the app's build does; once in a run of all tests. Gives its path. */
export async function bundle(source: string): Promise<string> {
  const name = source.replace(/\.ts$/, '').replace(/[^\w.]+/g, '-')
  const folder = path.join(inject('bundlesFolder'), name)
  const file = path.join(folder, `${name}.cjs`)
  if (fs.existsSync(folder)) return file
  const own = fs.mkdtempSync(`${folder}-`)
  await build({
    configFile: false,
    plugins: mutantPlugins(),
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: path.join(import.meta.dirname, '../..', source),
      outDir: own,
      emptyOutDir: false,
      target: 'node18.15',
      rollupOptions: { output: { format: 'cjs', entryFileNames: `${name}.cjs` } },
    },
  })
  try {
    fs.renameSync(own, folder)
  } catch (error) {
    // Another worker was quicker.
    if (!fs.existsSync(folder)) throw error
    fs.rmSync(own, { recursive: true })
  }
  return file
}
