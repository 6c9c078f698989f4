import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { type ContextPaths, homeRelativePath } from '../core/home-paths'
import { insideTranscript } from '../core/manifest'
import type { ContextFiles } from '../files/context-files'
import { readFileFacts } from '../lines/file-facts'
import { compareWithSeal, type LateWrite, readSeals, type Seal } from './seals'

/** The result of checking one file: its content is known to be what was sealed, or not. */
export interface FileVerdict {
  readonly file: string
  readonly lines: number
  readonly damaged: number
  readonly sealed: boolean
  /** False where a sealed file is not what was sealed, or nobody can tell; and for a file of seals with damaged lines. */
  readonly ok: boolean
  /** Of a broken seal: the first byte that changed, where that can be told. */
  readonly firstChangedByte?: number
  /** The changed byte lies within so many bytes from `firstChangedByte`: 1 when that is exact. */
  readonly withinBytes?: number
  /**
   * What was sealed is as it was; so many bytes stand behind it, from `firstChangedByte` on, of which nobody told. That is
   * `ok` where a program was stopped that could write them.
   */
  readonly addedBytes?: number
}

/**
 * Counts every file of a context, and compares sealed partitions with their seals. A sealed one that is gone is
 * broken; so is the file of seals where it has damaged lines, whatever they were.
 */
export async function verifyContext(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  found: ContextFiles,
  signal?: AbortSignal,
): Promise<readonly FileVerdict[]> {
  const sealFile = await readSeals(disk, paths)
  const { seals, unproven, late } = sealFile
  const verdicts: FileVerdict[] = []
  const seen = new Set<string>()
  for (const file of found.files) {
    const facts = readFileFacts(disk, file, paths.name, signal)
    let step = await facts.next()
    while (!step.done) step = await facts.next()
    const { lines, damaged } = step.value
    const name = path.relative(paths.transcript, file.path).split(path.sep).join('/')
    seen.add(name)
    const count = { file: file.place, lines, damaged: damaged.length }
    const verdict = unproven.has(name)
      ? { sealed: true, ok: false }
      : await compared(disk, seals.get(name), late, file.path, signal)
    verdicts.push({ ...count, ...verdict })
  }
  for (const name of seals.keys()) {
    const target = insideTranscript(paths, name)
    if (seen.has(name) || target === undefined) continue
    const file = homeRelativePath(home, target)
    verdicts.push({ file, lines: 0, damaged: 0, sealed: true, ok: false, firstChangedByte: 0 })
  }
  if (sealFile.damaged > 0) {
    const { lines, damaged } = sealFile
    const file = homeRelativePath(home, paths.seals)
    verdicts.push({ file, lines, damaged, sealed: false, ok: false })
  }
  return verdicts
}

async function compared(
  disk: Disk,
  seal: Seal | undefined,
  late: readonly LateWrite[],
  target: string,
  signal: AbortSignal | undefined,
): Promise<Omit<FileVerdict, 'file' | 'lines' | 'damaged'>> {
  if (seal === undefined) return { sealed: false, ok: true }
  const difference = await compareWithSeal(disk, seal, late, target, signal)
  if (difference === undefined) return { sealed: true, ok: true }
  const { firstChangedByte, withinBytes, addedBytes, wasExpected = false } = difference
  return {
    sealed: true,
    ok: wasExpected,
    ...(firstChangedByte === undefined ? {} : { firstChangedByte }),
    ...(withinBytes === undefined ? {} : { withinBytes }),
    ...(addedBytes === undefined ? {} : { addedBytes }),
  }
}
