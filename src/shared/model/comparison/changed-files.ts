import type { JsonObject } from '../basics/json-object'
import { argumentsObject } from '../calls/arguments-object'
import { isChangingTool, lettersOf } from '../calls/changing-tools'
import type { Entry } from '../conversation/entry'
import { isFailedResult } from '../conversation/tool-results'

/** A file that tools changed, as their calls name it. */
export interface ChangedFile {
  readonly path: string
  /** Names of the tools, in order of first use. */
  readonly tools: readonly string[]
  readonly calls: number
}

const pathNames = ['path', 'file_path', 'filePath', 'file', 'filename', 'notebook_path'] as const

/**
 * Lists the files that calls of tools changed, by path, as far as the calls say: tools are known by their names, and what
 * a shell did is not known. A call that failed changed nothing.
 */
export function changedFiles(entries: readonly Entry[]): readonly ChangedFile[] {
  const files = new Map<string, { tools: Set<string>; calls: number }>()
  for (const call of doneCalls(entries))
    for (const path of pathsOf(call)) {
      const file = files.get(path) ?? { tools: new Set<string>(), calls: 0 }
      file.tools.add(call.to)
      file.calls += 1
      files.set(path, file)
    }
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { tools, calls }]) => ({ path, tools: [...tools], calls }))
}

/** Calls that have no failed result. Ids may come up again: a result is that of the last call before it. */
function doneCalls(entries: readonly Entry[]): readonly Entry[] {
  const calls = new Set<Entry>()
  const byId = new Map<string, Entry>()
  for (const entry of entries) {
    const { entry_type: type, tool_call_id: id } = entry
    if (type === 'tool_call') {
      calls.add(entry)
      if (id !== undefined) byId.set(id, entry)
    } else if (type === 'tool_result' && id !== undefined && isFailedResult(entry)) {
      const call = byId.get(id)
      if (call !== undefined) calls.delete(call)
    }
  }
  return [...calls]
}

function pathsOf({ to, content }: Entry): readonly string[] {
  if (!isChangingTool(to)) return []
  const args = argumentsObject(content)
  if (lettersOf(to) === 'applypatch') return patchedPaths(args)
  // One tool of this kind looks as well as it changes.
  if (args?.command === 'view') return []
  const path = pathNames.map((one) => args?.[one]).find(isPath)
  return path === undefined ? [] : [path]
}

/** The files that a patch in the form of `*** Update File: PATH` names, each once. */
function patchedPaths(args: JsonObject | undefined): readonly string[] {
  const texts = Object.values(args ?? {}).filter((value) => typeof value === 'string')
  const named = texts.flatMap((text) => [
    ...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (\S.*)$|^\*\*\* Move to: (\S.*)$/gm),
  ])
  return [...new Set(named.map(([, path, moved]) => (path ?? moved ?? '').trim()))]
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
