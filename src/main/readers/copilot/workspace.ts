import path from 'node:path'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { inListedFile } from '../common/found-files'
import { perFileCache } from '../common/per-file-cache'

interface Workspace {
  readonly stat: FileStat
  readonly name: string | undefined
}

const workspaces = perFileCache<Workspace>()
const largestBytes = 64 * 1024

/** Reads the name of a session in its `workspace.yaml`; undefined where it has none, or the file cannot be read. */
export async function sessionName(disk: Disk, folder: string): Promise<string | undefined> {
  const file = path.join(folder, 'workspace.yaml')
  const stat = await disk.stat(file).catch(() => undefined)
  if (stat?.kind !== 'file') return undefined
  try {
    const found = await workspaces.get(disk, file, stat, async () => {
      const bytes = await inListedFile(disk, file, (opened) => readExactly(opened, 0, largestBytes))
      return { stat, name: nameIn(new TextDecoder().decode(bytes)) }
    })
    return found.name
  } catch {
    return undefined // The session's own file tells a title.
  }
}

/** One line of the file: a plain scalar, or one in quotes. */
function nameIn(yaml: string): string | undefined {
  const scalar = /^name:[ \t]+(\S.*?)[ \t]*\r?$/m.exec(yaml)?.[1]
  if (scalar === undefined) return undefined
  const single = /^'((?:[^']|'')*)'(?:[ \t]+#.*)?$/.exec(scalar)?.[1]
  if (single !== undefined) return single.replaceAll("''", "'").trim() || undefined
  const double = /^("(?:[^"\\]|\\.)*")(?:[ \t]+#.*)?$/.exec(scalar)?.[1]
  if (double !== undefined) return fromQuoted(double)
  // What goes on over several lines, and what refers to something else.
  if (/^[|>&*!{["'%@`]/.test(scalar)) return undefined
  return scalar.replace(/[ \t]#.*$/, '').trim() || undefined
}

/** The escapes that are JSON's too; others are not used for names. */
function fromQuoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value.trim() || undefined : undefined
  } catch {
    return undefined
  }
}
