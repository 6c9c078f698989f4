import { execFileSync } from 'node:child_process'
import path from 'node:path'

/**
 * Bundles a worker into a folder, as the app does it; by a process of its own, lest Vite be bundled with the benchmark.
 *
 * @param source relative to the project
 * @returns the path of the built worker
 */
export function builtWorker(source: string, folder: string): string {
  const name = `${path.basename(source, '.ts')}.cjs`
  const options = {
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: path.resolve(source),
      outDir: folder,
      emptyOutDir: false,
      target: 'node18.15',
      rollupOptions: { output: { format: 'cjs', entryFileNames: name } },
    },
  }
  const code = `import('vite').then(({ build }) => build(${JSON.stringify(options)}))`
  execFileSync(process.execPath, ['--eval', code], { stdio: 'inherit' })
  return path.join(folder, name)
}
