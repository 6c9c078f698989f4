import { countWithNoun, plural } from '../../../shared/model/basics/plural'
import type { HomeFinding } from '../../../shared/model/checkup'
import type { Disk } from '../../disk/interface/disk'
import { type ContextPaths, homeRelativePath } from '../core/home-paths'
import type { TranscriptFile } from '../core/transcript-file'
import type { ContextFiles } from '../files/context-files'
import { findWindowOnlyLines } from '../files/window-only-lines'
import { readFileFacts } from '../lines/file-facts'
import { findingOf } from './finding-words'
import type { CheckupScope } from './home-files'

/** Nobody can tell whether such a line was more than the transcript has. */
const notDerived = {
  lost: 'What the damaged bytes held, unless the transcript has it.',
  byItself: 'Keeps lines that it alone has when the next summary or fresh start builds it anew.',
  repair: null,
}

/** Finds lines of the window that are no entries; where the window has entries of its own, `lines-beside` says so. */
export async function windowFindings(
  { disk, home }: CheckupScope,
  paths: ContextPaths,
  found: ContextFiles,
  signal: AbortSignal,
): Promise<readonly HomeFinding[]> {
  const { window } = found
  if (window === undefined || window.sizeBytes === 0 || found.windowNotice !== undefined) return []
  const damaged = await damagedLines(disk, window, paths.name, signal)
  if (damaged === 0) return []
  return [
    findingOf({
      kind: 'window-damaged',
      place: homeRelativePath(home, paths.window),
      context: paths.name,
      happened: `${countWithNoun(damaged, 'line')} of what the model is sent ${plural(damaged, 'is no entry', 'are no entries')}.`,
      ...((await isWindowDerived(disk, paths, found)) ? {} : notDerived),
    }),
  ]
}

/**
 * Resolves to true where context.jsonl has no line that the transcript lacks, half ones too, so that a new one can be made of that. Reads
 * both.
 *
 * @throws FileMovedError, DiskError
 */
export async function isWindowDerived(
  disk: Disk,
  paths: ContextPaths,
  { files, window }: ContextFiles,
): Promise<boolean> {
  if (window === undefined) return true
  const transcript = files.filter(({ kind }) => kind !== 'window')
  if (transcript.every(({ kind }) => kind === 'document')) return false
  const { lines } = await findWindowOnlyLines({ disk, name: paths.name, window, files: transcript })
  return lines.length === 0
}

/** How many lines are no entry. */
async function damagedLines(
  disk: Disk,
  window: TranscriptFile,
  name: string,
  signal: AbortSignal,
): Promise<number> {
  const whole: TranscriptFile = { ...window, kind: 'window' }
  let damaged = 0
  for await (const batch of readFileFacts(disk, whole, name, signal))
    for (const { kind } of batch) if (kind === 'damaged') damaged += 1
  return damaged
}
