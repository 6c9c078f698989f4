import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { jsonText } from '../common/drafts'
import { type PartedText, partedText } from './parts'

/** Answer of a tool. */
export interface ToolOutput {
  readonly parted: PartedText
  readonly isError: boolean
  /** Fields beside the text: exit code and duration. */
  readonly others: Readonly<Record<string, unknown>>
}

/**
 * Reads the output of a tool in its three shapes: a text, in older files one that is itself JSON with output and exit code;
 * `{content, success}`; a list of parts.
 */
export function outputOf(output: unknown): ToolOutput {
  const stored = typeof output === 'string' ? storedOutput(output) : undefined
  if (stored !== undefined) {
    const { output: text, ...others } = stored
    return { parted: partedText(text), isError: isFailure(others.metadata), others }
  }
  if (typeof output === 'string')
    return { parted: partedText(output), isError: endsBadly(output), others: {} }
  if (Array.isArray(output)) return { parted: partedText(output), isError: false, others: {} }
  if (!isJsonObject(output))
    return { parted: partedText(jsonText(output)), isError: false, others: {} }
  const { content, success, ...others } = output
  if (content === undefined)
    return { parted: partedText(jsonText(output)), isError: success === false, others: {} }
  return { parted: partedText(content), isError: success === false, others }
}

/** Longer than any header of such a text, so that a large output is parsed only where it is one. */
const headerUnits = 200

/** Undefined for a text that only looks so. */
function storedOutput(text: string): JsonObject | undefined {
  if (!text.startsWith('{"output":')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && typeof value.output === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function isFailure(metadata: unknown): boolean {
  const code = isJsonObject(metadata) ? metadata.exit_code : undefined
  return typeof code === 'number' && code !== 0
}

/** By the line that Codex puts before what a program printed. */
function endsBadly(text: string): boolean {
  const code = /^(?:Exit code:|Process exited with code) (\d+)$/m.exec(text.slice(0, headerUnits))
  return code !== null && Number(code[1]) !== 0
}
