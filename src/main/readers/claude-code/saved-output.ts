import path from 'node:path'
import {
  type SavedOutput,
  type SavedOutputFolder,
  type SavedOutputs,
  savedFileName,
} from '../../../shared/model/conversation/tool-results'

/** The folder of a session for outputs that are too long for its file. */
export const outputsFolder = 'tool-results'

const opening = '<persisted-output>'
const closing = '</persisted-output>'
const mostOfHead = 4096

/** The rules by which Claude Code saves outputs. */
export const claudeCodeOutputs: SavedOutputs = { mark: 'persisted', folderOf: outputsOf }

/** Folders of subagents inside of each other: workflows, and one workflow. */
const mostLevels = 4

/** The folder of the session that a file is of, or is a subagent of; older subagents lie beside sessions, and name none. */
function outputsOf(file: string): SavedOutputFolder | undefined {
  const folder = path.dirname(file)
  if (!/^agent-/i.test(path.basename(file)))
    return folderIn(path.join(folder, path.basename(file).replace(/\.jsonl$/i, '')))
  for (let level = 0, at = folder; level < mostLevels; level++, at = path.dirname(at))
    if (path.basename(at) === 'subagents') return folderIn(path.dirname(at))
  return undefined
}

function folderIn(session: string): SavedOutputFolder {
  return { base: path.dirname(session), below: `${path.basename(session)}/${outputsFolder}` }
}

/**
 * Finds where the output of a result was saved, by the words that Claude Code left in its place, or by the path in the record. Words in
 * the middle of an output are the output's own.
 *
 * @param told `toolUseResult.persistedOutputPath`, where the record has one result
 */
export function savedOutputIn(content: string, told: unknown): SavedOutput | undefined {
  const from = content.length - content.trimStart().length
  if (content.startsWith(opening, from)) {
    const end = content.lastIndexOf(closing)
    const to = end < from ? content.length : end + closing.length
    const place = /saved to: ([^\r\n]+)/.exec(content.slice(from, from + mostOfHead))?.[1]
    const file = place === undefined ? undefined : savedFileName(place)
    if (file !== undefined) return { file, from, to }
  }
  const file = typeof told === 'string' ? savedFileName(told) : undefined
  return file === undefined ? undefined : { file, from: 0, to: content.length }
}
