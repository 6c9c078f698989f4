import { diffLines } from './diff-lines'
import { diffHunks } from './unified-diff'

/** The change of one file that a call of a tool asks for. */
export interface FileEdit {
  readonly path: string
  /** The path that the file gets, where it moves. */
  readonly movedTo?: string
  /** `write`: its whole new content. `delete`: the call does not say what it had. */
  readonly type: 'change' | 'write' | 'delete'
  /** A unified diff; its line numbers count within the parts that are changed. Empty where there is nothing to show. */
  readonly diff: string
  readonly added: number
  readonly removed: number
}

/** Texts of which the second takes the place of the first. */
export interface Replacement {
  readonly before: string
  readonly now: string
}

/** Returns the edit of a file by parts that are replaced, in their order. */
export function replacedParts(path: string, parts: readonly Replacement[]): FileEdit {
  return fileEdit(path, 'change', parts.flatMap(partHunks).join('\n'))
}

/** Returns the edit that gives a file its whole content. */
export function writtenFile(path: string, content: string): FileEdit {
  return fileEdit(path, 'write', partHunks({ before: '', now: content }).join('\n'))
}

/** Returns an edit with the lines of its diff counted. */
export function fileEdit(path: string, type: FileEdit['type'], diff: string): FileEdit {
  const { added, removed } = diffLines(diff)
  return { path, type, diff, added, removed }
}

/** A missing line end at the end of a part of a file is none of the file's. */
function partHunks({ before, now }: Replacement): readonly string[] {
  return diffHunks(closed(before), closed(now))
}

function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
