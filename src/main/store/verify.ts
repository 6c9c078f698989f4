import path from 'node:path'
import type { Disk } from '../disk/disk'
import type { ContextFiles } from './context-files'
import { fileFacts } from './file-facts'
import { type ContextPaths, placeName } from './home'
import { insideTranscript } from './manifest'
import { differenceFrom, readSeals, type Seal } from './seals'
import type { FileVerdict } from './store'

/** Counts every file of a context, and compares sealed partitions with their seals. A sealed one that is gone is broken. */
export async function verifyContext(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  found: ContextFiles,
  signal?: AbortSignal,
): Promise<readonly FileVerdict[]> {
  const seals = await readSeals(disk, paths)
  const verdicts: FileVerdict[] = []
  const seen = new Set<string>()
  for (const file of found.files) {
    const facts = fileFacts(disk, file, paths.name, signal)
    let step = await facts.next()
    while (!step.done) step = await facts.next()
    const { lines, damaged } = step.value
    const name = path.relative(paths.transcript, file.path).split(path.sep).join('/')
    const seal = seals.get(name)
    seen.add(name)
    const count = { file: file.place, lines, damaged: damaged.length }
    verdicts.push({ ...count, ...(await compared(disk, seal, file.path, signal)) })
  }
  for (const name of seals.keys()) {
    const target = insideTranscript(paths, name)
    if (seen.has(name) || target === undefined) continue
    const file = placeName(home, target)
    verdicts.push({ file, lines: 0, damaged: 0, sealed: true, ok: false, firstChangedByte: 0 })
  }
  return verdicts
}

async function compared(
  disk: Disk,
  seal: Seal | undefined,
  target: string,
  signal: AbortSignal | undefined,
): Promise<Omit<FileVerdict, 'file' | 'lines' | 'damaged'>> {
  if (seal === undefined) return { sealed: false, ok: true }
  const difference = await differenceFrom(disk, seal, target, signal)
  if (difference === undefined) return { sealed: true, ok: true }
  const { firstChangedByte, withinBytes } = difference
  return {
    sealed: true,
    ok: false,
    ...(firstChangedByte === undefined ? {} : { firstChangedByte }),
    ...(withinBytes === undefined ? {} : { withinBytes }),
  }
}
