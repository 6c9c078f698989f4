import { z } from 'zod'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { DiskError } from '../../disk/interface/disk'
import { defineTool, ToolRefusal } from '../base/define-tool'
import { escapedLine } from '../base/short-text'
import type { Tool } from '../base/tool'
import { type AllowedPaths, readPathRules } from './allowed-paths'
import { assertTextFile } from './file-text'
import { globMatcher } from './glob'
import { LineHits } from './hits'
import { createMatcher, type MatchLines } from './pattern'
import {
  hasHardLinks,
  openResolvedPath,
  type ResolvedPath,
  resolveToolFolder,
} from './resolve-path'
import { type FileSearchResult, searchFile } from './search-file'
import { type FileBelow, filesBelow } from './walk-folders'

const usualResults = 100
const mostResults = 10_000
const patienceMs = 30_000
const matchedAtOnce = 256

const folderArg = z.string().optional().describe('The folder; the first allowed one otherwise')
const mostArg = z
  .int()
  .min(1)
  .max(mostResults)
  .optional()
  .describe(`How many at most; ${usualResults} otherwise`)

/** Returns glob_files and grep_files. `fits` is the most characters of an answer. */
export function findingTools(allowed: AllowedPaths, fits: number): readonly Tool[] {
  return [
    defineTool({
      name: 'glob_files',
      description:
        'Finds files below a folder by a glob over their paths: "**/*.md". Links are not followed; hidden names are found where the glob names a dot.',
      effect: 'reads',
      args: z.strictObject({
        pattern: z.string().min(1).describe('Glob, relative to the folder'),
        path: folderArg,
        max_results: mostArg,
      }),
      async run({ pattern, path = '.', max_results: most = usualResults }, signal) {
        const answer = new Answer(fits)
        const place = await resolveToolFolder(allowed, path)
        for await (const file of matchingFiles(allowed, place, pattern, true, signal)) {
          if (answer.lines.length >= most) answer.isFull = true
          answer.add([escapedLine(file.way)])
          if (answer.isEnough()) break
        }
        return answer.text(`(no file below ${place.shown} matches)`)
      },
    }),
    defineTool({
      name: 'grep_files',
      description:
        'Finds lines that match a JavaScript regular expression in the text files below a folder. Answers "path:number:line". Links are not followed.',
      effect: 'reads',
      args: z.strictObject({
        pattern: z
          .string()
          .min(1)
          .describe('JavaScript regular expression; (?i) first ignores case'),
        path: folderArg,
        file_pattern: z
          .string()
          .min(1)
          .optional()
          .describe('Glob of the files, by name, or by path where it holds a slash'),
        context_lines: z.int().min(0).max(50).optional().describe('Lines around each match'),
        max_results: mostArg,
      }),
      async run(args, signal) {
        const { pattern, path = '.', file_pattern: glob = '*', context_lines: around = 0 } = args
        const matching = createMatcher(pattern)
        const answer = new Answer(fits)
        const place = await resolveToolFolder(allowed, path)
        let left = args.max_results ?? usualResults
        for await (const file of matchingFiles(allowed, place, glob, false, signal)) {
          const name = escapedLine(file.way)
          const wanted = { before: around, after: around, fits: answer.left, most: left, name }
          const hits = new LineHits(wanted)
          // As in reading: nothing shows where its other names are.
          if (hasHardLinks(file.stat)) {
            answer.linked += 1
            continue
          }
          const searched = await searchBelow(allowed, file, matching, hits, answer.until, signal)
          left -= hits.count
          answer.add(hits.written)
          if (hits.isFull) answer.isFull = true
          if (searched?.isLate === true || answer.isEnough()) break
        }
        return answer.text(`(no line in the files below ${place.shown} matches)`)
      },
    }),
  ]
}

/**
 * Searches one file; undefined for one that is no text, or went away meanwhile. A pattern that takes too long still
 * ends the call.
 */
async function searchBelow(
  { disk }: AllowedPaths,
  { real, way, stat }: FileBelow,
  matching: MatchLines,
  hits: LineHits,
  untilMs: number,
  signal: AbortSignal,
): Promise<FileSearchResult | undefined> {
  try {
    const file = await openResolvedPath(disk, { real, stat, shown: way })
    try {
      if (!(await isText(assertTextFile(file, way)))) return undefined
      return await searchFile(file, matching, hits, untilMs, signal)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof DiskError) return undefined
    throw error
  }
}

async function isText(check: Promise<void>): Promise<boolean> {
  try {
    await check
    return true
  } catch (error) {
    if (error instanceof ToolRefusal) return false
    throw error
  }
}

async function* matchingFiles(
  allowed: AllowedPaths,
  folder: ResolvedPath,
  glob: string,
  byPath: boolean,
  signal: AbortSignal,
): AsyncGenerator<FileBelow> {
  const matching = globMatcher(glob)
  const showHidden = /(^|[/{,])\./.test(glob)
  const walk = { disk: allowed.disk, rules: await readPathRules(allowed), showHidden, signal }
  const nameOf = (way: string) =>
    byPath || glob.includes('/') ? way : way.slice(way.lastIndexOf('/') + 1)
  let some: FileBelow[] = []
  const matched = () => {
    const which = matching(some.map(({ way }) => nameOf(way)))
    const files = which.flatMap((i) => some[i] ?? [])
    some = []
    return files
  }
  for await (const file of filesBelow(walk, folder.real)) {
    some.push(file)
    if (some.length >= matchedAtOnce) yield* matched()
  }
  yield* matched()
}

/** Lines of several files, as many as are wanted and fit, for as long as there is time. */
class Answer {
  isFull = false
  /** Files with other names, which were not searched. */
  linked = 0
  readonly lines: string[] = []
  readonly until = performance.now() + patienceMs
  left: number

  constructor(fits: number) {
    this.left = fits
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.isFull) return
      this.left -= line.length + 1
      if (this.left < 0) this.isFull = true
      else this.lines.push(line)
    }
  }

  isEnough(): boolean {
    return this.isFull || performance.now() > this.until
  }

  text(none: string): string {
    const remarks = [this.cut(), this.passedOver()].filter((one) => one !== undefined)
    return [this.lines.length === 0 ? none : this.lines.join('\n'), ...remarks].join('\n')
  }

  private cut(): string | undefined {
    if (this.isFull)
      return `[Cut after ${countWithNoun(this.lines.length, 'line')}: there are more.]`
    if (performance.now() > this.until)
      return `[Stopped after ${patienceMs / 1000} seconds: not all was searched.]`
    return undefined
  }

  private passedOver(): string | undefined {
    if (this.linked === 0) return undefined
    const files = countWithNoun(this.linked, 'file')
    return `[Not searched: ${files} with other names (hard links), which may lie outside.]`
  }
}
