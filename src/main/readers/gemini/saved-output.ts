import path from 'node:path'
import {
  type SavedOutput,
  type SavedOutputs,
  savedFileName,
} from '../../../shared/model/conversation/tool-results'
import { realFileOf } from '../../records/interface/record-format'

/** The folder of a project for outputs that are too long for its sessions. */
export const geminiOutputsFolder = 'tool-outputs'

/** The rules by which Gemini CLI saves outputs: in a folder of the session below the project's, or beside its chats. */
export const geminiOutputs: SavedOutputs = {
  mark: 'utput',
  folderOf(file) {
    // A subagent's file lies one level deeper than a session's.
    const folder = path.dirname(realFileOf(file))
    const chats = path.basename(folder) === 'chats' ? folder : path.dirname(folder)
    if (path.basename(chats) !== 'chats') return undefined
    const project = path.dirname(chats)
    return { base: path.dirname(project), below: path.basename(project) }
  },
  fileOf,
}

const sessionFolder = /^session-[\w-]+$/

/** Returns the end of a path that is `tool-outputs/SESSION/NAME`, `tool-outputs/NAME` or, of older versions, `NAME.output`. */
function fileOf(place: string): string | undefined {
  const name = savedFileName(place)
  if (name === undefined) return undefined
  const [above = '', one = ''] = place.trim().split(/[\\/]/).slice(0, -1).reverse()
  if (above === geminiOutputsFolder) return `${geminiOutputsFolder}/${name}`
  if (one === geminiOutputsFolder && sessionFolder.test(above))
    return `${geminiOutputsFolder}/${above}/${name}`
  return name.endsWith('.output') ? name : undefined
}

const summaryMark = '\n\n--- Strategic Significance of Truncated Content ---'
const mostOfHead = 4096

/**
 * Finds where a tool's output was saved, by the words that Gemini CLI leaves in its place: where it was cut, and where it was
 * taken out of a long session later (masked). Words in the middle of an output are the output's own.
 */
export function geminiOutputIn(content: string): SavedOutput | undefined {
  const place = placeIn(content)
  const file = place === undefined ? undefined : fileOf(place)
  if (file === undefined) return undefined
  const summary = content.lastIndexOf(summaryMark)
  return { file, from: 0, to: summary < 0 ? content.length : summary }
}

function placeIn(content: string): string | undefined {
  const masked = '<tool_output_masked>\n'
  const isMasked = content.startsWith(masked)
  const text = isMasked ? content.slice(masked.length) : content
  const head = text.slice(0, mostOfHead)
  const own = head.startsWith('Output too large.')
    ? /For full output see: ([^\r\n]+)/
    : head.startsWith('Tool output was too large')
      ? /The full output has been saved to: ([^\r\n]+)/
      : undefined
  const found = own?.exec(head)?.[1]
  if (found !== undefined) return found
  const saved = 'Full output saved to: '
  const at = text.startsWith('[Message Normalized: Tool output ') ? text.lastIndexOf(saved) : -1
  if (at >= 0) return /^[^\r\n]+/.exec(text.slice(at + saved.length))?.[0]
  const end = /Full output available at: ([^\r\n]+)\r?\n<\/tool_output_masked>\s*$/
  return isMasked ? end.exec(text.slice(-mostOfHead))?.[1] : undefined
}
