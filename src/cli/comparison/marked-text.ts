import type { DiffPiece } from '../../shared/model/comparison/text-diff'
import type { CommandContext } from '../command/command'
import { terminalText } from '../terminal/output'

/** Text before and after a piece that only one side has. */
export interface MarkStyle {
  readonly removed: readonly [before: string, after: string]
  readonly added: readonly [before: string, after: string]
}

/** Signs as of `wdiff`, for files and pipes. */
export const signStyle: MarkStyle = { removed: ['[-', '-]'], added: ['{+', '+}'] }

/** Red and struck through, green and underlined: not by colour alone. */
export const colourStyle: MarkStyle = {
  removed: ['\u001b[31;9m', '\u001b[39;29m'],
  added: ['\u001b[32;4m', '\u001b[39;24m'],
}

/** Chooses colours at a terminal that has them, unless NO_COLOR is set; else signs. */
export function markStyleOf({
  output,
  environment,
}: Pick<CommandContext, 'environment'> & {
  readonly output: Pick<CommandContext['output'], 'isTerminal'>
}): MarkStyle {
  const isPlain = (environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb'
  return output.isTerminal && !isPlain ? colourStyle : signStyle
}

/** Characters of equal text that stay on each side of a change. */
const around = 240

/** Prints pieces as one text: those of one side alone marked, long equal ones folded. */
export function markedText(pieces: readonly DiffPiece[], style: MarkStyle): string {
  return pieces
    .map(({ type, text }, at) => {
      if (type === 'same') return terminalText(folded(text, at === 0, at === pieces.length - 1))
      const [before, after] = style[type]
      // A line end that changed is seen.
      return `${before}${terminalText(text.replaceAll('\r', '\u240d'))}${after}`
    })
    .join('')
}

/** Equal text next to a change; what is far from any is counted. */
function folded(text: string, isFirst: boolean, isLast: boolean): string {
  const [start, end] = [isFirst ? 0 : around, isLast ? 0 : around]
  const hidden = text.length - start - end
  if (hidden < around) return text
  const head = text.slice(0, start).replace(/[\ud800-\udbff]$/, '')
  const tail = text.slice(text.length - end).replace(/^[\udc00-\udfff]/, '')
  return `${head}… ${hidden} equal characters …${end === 0 ? '' : tail}`
}
