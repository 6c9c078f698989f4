import { deepestLine, isDeeperThan } from '../../../shared/model/basics/json-depth'
import { jsonOfAnyDepth } from '../../disk/json/json-write'
import { joinBytes } from '../../disk/pacing/sliced-text'
import { runAtOnce, type Sliced } from '../../disk/pacing/slices'

const pieceLength = 64 * 1024

/**
 * Writes a file of titles as JSON.stringify has it with an indent of 1, and a line feed. Each of its lists is written item by item: a hundred
 * thousand rows are no longer turn than one.
 */
export function* writeTitleFile(file: Readonly<Record<string, unknown>>): Sliced<Uint8Array> {
  const pieces: Uint8Array[] = []
  let text = '{'
  let isFirst = true
  for (const [key, value] of Object.entries(file)) {
    text += `${isFirst ? '' : ','}\n ${JSON.stringify(key)}: `
    isFirst = false
    if (!Array.isArray(value) || value.length === 0) {
      text += indented(value, 1)
      continue
    }
    text += '['
    for (const [at, item] of value.entries()) {
      text += `${at === 0 ? '' : ','}\n  ${indented(item, 2)}`
      if (text.length < pieceLength) continue
      pieces.push(Buffer.from(text))
      yield text.length
      text = ''
    }
    text += '\n ]'
  }
  pieces.push(Buffer.from(`${text}\n}\n`))
  return yield* joinBytes(pieces)
}

/** Writes titles with an indent; those nested too deeply for that on one line. */
function indented(value: unknown, by: number): string {
  if (isDeeperThan(value, deepestLine)) return runAtOnce(jsonOfAnyDepth(value))
  return JSON.stringify(value, undefined, 1).replaceAll('\n', `\n${' '.repeat(by)}`)
}
