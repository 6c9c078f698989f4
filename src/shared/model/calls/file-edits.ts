import { isJsonObject, type JsonObject } from '../basics/json-object'
import type { Entry } from '../conversation/entry'
import { argumentsObject, pathArgument, textArgument } from './arguments-object'
import { isChangingTool } from './changing-tools'
import { type FileEdit, fileEdit, type Replacement, replacedParts, writtenFile } from './file-edit'
import { patchedFiles } from './patch-text'
import { isShellTool } from './shell-command'

/** Longest arguments that are read as edits, in characters. */
const longest = 200_000
const oldNames = [
  ...['old_string', 'oldString', 'old_str', 'oldStr', 'oldText', 'old_text'],
  ...['oldContent', 'old_content'],
]
const newNames = [
  ...['new_string', 'newString', 'new_str', 'newStr', 'newText', 'new_text'],
  ...['newContent', 'new_content'],
]
const wholeNames = ['content', 'contents', 'file_text', 'fileText', 'text']
/** Names of lists of replacements, which may name a file each. */
const listNames = ['edits', 'replacements', 'changes']
const diffNames = ['diff', 'patch', 'unified_diff']

/**
 * Returns the changes of files that a call asks for, as far as its arguments say: parts that are replaced, patches and
 * diffs, or a file's whole content. Empty for other calls, and for arguments of more than 200,000 characters.
 */
export function fileEdits({ entry_type, to, content }: Entry): readonly FileEdit[] {
  if (entry_type !== 'tool_call' || content.length > longest) return []
  const args = argumentsObject(content)
  if (args === undefined) return patchedFiles(content)
  // What a call says of a file by name comes first: its texts may themselves be about patches.
  const path = pathArgument(args)
  const edits = replacements(args, path)
  if (edits.length > 0) return edits
  const whole =
    path !== undefined && isChangingTool(to) ? textArgument(args, wholeNames) : undefined
  if (path !== undefined && path !== '' && whole !== undefined) return [writtenFile(path, whole)]
  // In other tools a patch is a text like any other, unless it is all of one.
  const isApplied = isChangingTool(to) || isShellTool(to)
  const patched = textsOf(args)
    .filter((text) => isApplied || text.trimStart().startsWith('*** Begin Patch'))
    .flatMap(patchedFiles)
  if (patched.length > 0 || path === undefined || path === '') return patched
  const diff = textArgument(args, diffNames)
  if (diff === undefined) return []
  if (/^@@ -\d/m.test(diff)) return [fileEdit(path, 'change', diff)]
  const blocks = searchReplaceBlocks(diff)
  return blocks.length > 0 ? [replacedParts(path, blocks)] : []
}

/** The replacements of arguments, by file in the order of their first. */
function replacements(args: JsonObject, path: string | undefined): readonly FileEdit[] {
  const byPath = new Map<string, Replacement[]>()
  const add = (found: Replacement | undefined, of: string | undefined) => {
    if (found === undefined || of === undefined || of === '') return
    const parts = byPath.get(of) ?? []
    parts.push(found)
    byPath.set(of, parts)
  }
  add(replacementOf(args), path)
  for (const name of listNames) {
    const list = Object.hasOwn(args, name) ? args[name] : undefined
    if (!Array.isArray(list)) continue
    for (const item of list as readonly unknown[])
      if (isJsonObject(item)) add(replacementOf(item), pathArgument(item) ?? path)
  }
  return [...byPath].map(([of, parts]) => replacedParts(of, parts))
}

function replacementOf(args: JsonObject): Replacement | undefined {
  const before = textArgument(args, oldNames)
  const now = textArgument(args, newNames)
  return before === undefined && now === undefined
    ? undefined
    : { before: before ?? '', now: now ?? '' }
}

/** Blocks `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`, also as Cline writes them since: `------- SEARCH`, `+++++++ REPLACE`. */
function searchReplaceBlocks(text: string): readonly Replacement[] {
  const found: Replacement[] = []
  let before: string[] | undefined
  let now: string[] | undefined
  for (const line of text.split(/\r?\n/)) {
    if (/^(?:<{3,}|-{3,}) SEARCH>?$/.test(line)) {
      before = []
      now = undefined
    } else if (before !== undefined && now === undefined && /^={3,}$/.test(line)) now = []
    else if (
      before !== undefined &&
      now !== undefined &&
      /^(?:>{3,}|\+{3,}) REPLACE>?$/.test(line)
    ) {
      found.push({ before: before.join('\n'), now: now.join('\n') })
      before = undefined
      now = undefined
    } else (now ?? before)?.push(line)
  }
  return found
}

/** The texts of arguments and of lists in them: a shell has its patch in an array of words. */
function textsOf(args: JsonObject): readonly string[] {
  return Object.values(args)
    .flatMap((value) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]))
    .filter((value) => typeof value === 'string')
}
