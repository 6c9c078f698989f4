import os from 'node:os'
import path from 'node:path'
import { SourceId } from '../../../shared/model/conversation/sources'
import { readers } from '../../readers/index'

/** A root: a folder or file in which a source's histories are. */
export interface LibraryRoot {
  readonly source: SourceId
  /** Absolute; need not exist. */
  readonly path: string
  /** For a root with copies of files: the path of the root that they come from, and which versions of them it has. */
  readonly backup?: { readonly of: string; readonly version: 'newest' | 'earlier' }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the roots of other systems: their defaults, each with the path in its environment variable (`VOICEMODE_BASE_DIR`)
 * in its place; for those whose conversations come as exports the folder of imports too.
 *
 * @param imports absolute
 */
export function foreignRoots(environment: Environment, imports: string): readonly LibraryRoot[] {
  return readers
    .filter(({ id }) => id !== 'chibi')
    .flatMap(({ id, defaultRoots, rootVariable = [], isImported }) => {
      const variables = [rootVariable].flat()
      return (isImported === true ? [...defaultRoots, imports] : defaultRoots).map((usual, at) => {
        const named = [variables[at] ?? []].flat().map((name) => environment[name])
        const root = named.find((one) => one) ?? usual
        return { source: id, path: path.resolve(root.replace(/^~(?=$|\/)/, os.homedir())) }
      })
    })
}

/**
 * Parses `SOURCE=PATH`, the argument of `--root`; returns the fault as a sentence where it is wrong.
 *
 * @param folder what relative paths are relative to
 */
export function parseRootOption(text: string, folder: string): LibraryRoot | string {
  const at = text.indexOf('=')
  const place = text.slice(at + 1)
  if (at <= 0 || place === '') return `--root needs SOURCE=PATH, not "${text}".`
  const source = SourceId.safeParse(text.slice(0, at))
  if (!source.success)
    return `"${text.slice(0, at)}" is not a source; known: ${SourceId.options.join(', ')}.`
  return { source: source.data, path: path.resolve(folder, place) }
}
