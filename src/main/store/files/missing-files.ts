import path from 'node:path'
import { type ContextPaths, homeRelativePath } from '../core/home-paths'
import type { MissingFile, TranscriptFile } from '../core/transcript-file'

/** A file that the manifest names and that cannot be read. */
export interface AbsentFile {
  /** Undefined where no file may be read under its name. */
  readonly target: string | undefined
  readonly file: string
  /** The identity of the file that it comes after; undefined where it is the first. */
  readonly after: string | undefined
  readonly sentence: string
}

/**
 * Finds the position of each missing file among the files of a transcript.
 *
 * @param absent what the manifest names
 * @param notFiles words, by path, about what is no file; the manifest may name it too
 */
export function placeMissingFiles(
  home: string,
  paths: ContextPaths,
  files: readonly TranscriptFile[],
  absent: readonly AbsentFile[],
  notFiles: ReadonlyMap<string, string>,
): readonly MissingFile[] {
  const all = [
    ...absent.filter(({ target }) => target === undefined || !notFiles.has(target)),
    ...[...notFiles].map(([target, words]) => ({
      file: homeRelativePath(home, target),
      after: absent.find((one) => one.target === target)?.after ?? afterOf(target, paths, files),
      sentence: `${path.basename(target)} was not read: ${words}.`,
    })),
  ]
  return all
    .map(({ file, after, sentence }) => ({
      before: after === undefined ? 0 : files.findIndex(({ identity }) => identity === after) + 1,
      part: { file, fromByte: 0, cause: 'missing' as const, sentence },
    }))
    .sort((a, b) => a.before - b.before)
}

/** Finds what a thing that is no file comes behind: the active partition all others, the others nothing. */
function afterOf(
  target: string,
  { partitions, legacyTranscript, legacyContext, legacyPage }: ContextPaths,
  files: readonly TranscriptFile[],
): string | undefined {
  const isFirst =
    path.dirname(target) === partitions ||
    [legacyTranscript, legacyContext, legacyPage].includes(target)
  return isFirst ? undefined : files.at(-1)?.identity
}
