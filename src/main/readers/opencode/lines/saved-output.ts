import { type SavedOutput, savedFileName } from '../../../../shared/model/conversation/tool-results'

const metadataMark = '\n\n<shell_metadata>'
const markerOfVersionTwo = '... output truncated; full content saved to '

/**
 * Finds where a tool's output was saved, by the path in its record; in version 2 by the words in its place, too. The output goes in the
 * place of all that OpenCode left of it, but of what it says of a command's end.
 *
 * @param told the path in the record
 */
export function opencodeOutputIn(
  content: string,
  told: unknown,
  version: 1 | 2,
): SavedOutput | undefined {
  const place =
    typeof told === 'string' && told !== ''
      ? told
      : version === 2
        ? markedPlaceIn(content)
        : undefined
  const file = place === undefined ? undefined : savedFileName(place)
  if (file === undefined || !file.startsWith('tool_')) return undefined
  const end = content.lastIndexOf(metadataMark)
  return { file, from: 0, to: end < 0 ? content.length : end }
}

/** Looks at each line once. */
function markedPlaceIn(content: string): string | undefined {
  const lineEnd = /[\r\n]|$/g
  for (let at = content.indexOf(markerOfVersionTwo); at >= 0; ) {
    const start = at + markerOfVersionTwo.length
    lineEnd.lastIndex = start
    const end = lineEnd.exec(content)?.index ?? content.length
    const line = content.slice(start, end)
    const length = line.indexOf(' ...', 1)
    if (length > 0) return line.slice(0, length)
    at = content.indexOf(markerOfVersionTwo, end)
  }
  return undefined
}
