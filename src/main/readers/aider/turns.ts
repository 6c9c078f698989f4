import { FenceState } from './fences'

/** A part of a session: what a person said, what a model answered, or what the program says of itself. */
export interface Turn {
  readonly type: 'said' | 'answer' | 'program'
  readonly text: string
}

/** aider ends a line of a prompt, and of its own words, with two blanks; an answer that quotes one does not. */
const saidLine = /^#### ?(.*?) {2}$/
const programLine = /^> ?(.*?) {2}$/
/** Editors take blanks at the end of lines away. */
const plainSaidLine = /^####(?: (.*)|)$/
const plainProgramLine = /^>(?: (.*)|)$/

/** Takes the lines of a session apart, without the line that begins it. */
export function sessionTurns(lines: readonly string[]): readonly Turn[] {
  const isMarked = lines.some(
    (line) => matches(saidLine, '#', line) || matches(programLine, '>', line),
  )
  const [said, program] = isMarked ? [saidLine, programLine] : [plainSaidLine, plainProgramLine]
  const insides = insideFences(lines)
  const turns: { type: Turn['type']; lines: string[] }[] = []
  let isAfterBlank = false
  for (const [at, line] of lines.entries()) {
    const isText = insides[at] === true
    const words = isText || !line.startsWith('#') ? null : said.exec(line)
    const told = isText || !line.startsWith('>') ? null : program.exec(line)
    const type = words !== null ? 'said' : told !== null ? 'program' : 'answer'
    const text = (words ?? told)?.[1] ?? ((words ?? told) ? '' : line)
    const last = turns.at(-1)
    // Blank lines belong to an answer, and end anything else.
    const isBlank = type === 'answer' && line.trim() === ''
    if (isBlank && last?.type !== 'answer') isAfterBlank = true
    else if (last?.type === type && !(isAfterBlank && type !== 'answer')) last.lines.push(text)
    else turns.push({ type, lines: [text] })
    if (!isBlank) isAfterBlank = false
  }
  return turns.flatMap(({ type, lines: own }): readonly Turn[] => {
    const text = type === 'answer' ? trimmedLines(own) : own.join('\n')
    if (type === 'answer') return text === '' ? [] : [{ type, text }]
    return [{ type, text: type === 'said' && text.trim() === '<blank>' ? '' : text }]
  })
}

/** Most lines are told by their first character. */
function matches(pattern: RegExp, first: string, line: string): boolean {
  return line.startsWith(first) && pattern.test(line)
}

/** Tells for each line whether it is inside of a fence. One that is never closed is none. */
function insideFences(lines: readonly string[]): readonly boolean[] {
  const insides = lines.map(() => false)
  let from = 0
  while (from < lines.length) {
    const fences = new FenceState()
    let opened = -1
    for (let at = from; at < lines.length; at++) {
      const wasInside = fences.isInside
      const isFence = fences.take(lines[at] ?? '')
      if (isFence && !wasInside) opened = at
      insides[at] = wasInside || isFence
    }
    if (!fences.isInside) return insides
    for (let at = opened; at < lines.length; at++) insides[at] = false
    from = opened + 1
  }
  return insides
}

function trimmedLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}
