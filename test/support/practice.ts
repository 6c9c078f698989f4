import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { launchPractice, type Practice } from '../../src/main/practice/launch'

/** The practice worker, built as the app's build does it. */
export interface BuiltPractice {
  readonly workerPath: string
  remove(): Promise<void>
}

/** Builds the worker into a folder of its own, so that tests need no build of the app. */
export async function buildPractice(): Promise<BuiltPractice> {
  const folder = await mkdtemp(path.join(tmpdir(), 'skein-practice-'))
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      target: 'node18.15',
      ssr: path.resolve(import.meta.dirname, '../../src/main/practice/practice.worker.ts'),
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { format: 'cjs', entryFileNames: 'practice.worker.cjs' } },
    },
    ssr: { noExternal: true },
  })
  return {
    workerPath: path.join(folder, 'practice.worker.cjs'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Starts the practice model in its worker, without pauses between words. */
export async function startPracticeForTests(): Promise<Practice> {
  const built = await buildPractice()
  const practice = await launchPractice(built.workerPath, {
    wordsPerSecond: Number.POSITIVE_INFINITY,
  })
  return {
    ...practice,
    async close() {
      await practice.close()
      await built.remove()
    },
  }
}
