/** Run of a terminal's text in one style. */
export interface TerminalRun {
  readonly text: string
  /** Classes of its style, such as `ansi-red ansi-bold`; empty for plain text. */
  readonly style: string
}

/** Output as a terminal would show it. */
export interface TerminalOutput {
  /** The text; colours and other styles are left in it as SGR sequences, which `terminalRuns` reads. */
  readonly text: string
  /** Lines that the output wrote over, such as steps of a progress bar. */
  readonly overwritten: number
  /** Sequences that move the cursor, clear the screen, set titles or links and the like. */
  readonly controls: number
}

/** The control sequence introducer, as it is written in seven bits. */
const csi = '\u001b['
/** Longest output that is read as a terminal's, in characters; a longer one is shown as it came. */
const longest = 2_000_000
/**
 * A sequence of ECMA-48: CSI with parameters and a final byte, OSC and other strings up to their end, or two characters.
 * A string without an end is none: what follows is text. At most 4,096 characters of a string, so that no output takes
 * a time that grows with its square.
 */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  /\u001b(?:\[[0-?]{0,256}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[ -/]{0,8}[0-OQ-WYZ\\`-~])/g

/**
 * Returns what a terminal would show of an output, and how much it would not; undefined where the output has neither
 * sequences nor overwritten lines, and for more than 2,000,000 characters. O(n).
 *
 * Lines that a carriage return began anew are those of the last time. The cursor does not move otherwise: what is drawn
 * by moving it is shown in the order in which it came.
 */
export function terminalOutput(output: string): TerminalOutput | undefined {
  if (output.length > longest || !(output.includes('\u001b') || /\r(?!\n)/.test(output)))
    return undefined
  let controls = 0
  const styled = output.replace(sequence, (found) => {
    if (isStyle(found)) return found
    controls++
    return ''
  })
  let overwritten = 0
  const lines = styled.split('\n').map((line) => {
    if (!line.includes('\r')) return line
    const last = lastWritten(line)
    overwritten += last.overwritten
    return last.text
  })
  return { text: lines.join('\n'), overwritten, controls }
}

/** The last of the texts that a line had, with the styles that were set before it. */
function lastWritten(line: string): { readonly text: string; readonly overwritten: number } {
  const texts = line.split('\r')
  const written = texts.filter((text) => withoutStyles(text).trim() !== '')
  const last = texts.lastIndexOf(written.at(-1) ?? '')
  const before = texts.slice(0, last).join('')
  return {
    text: [
      ...stylesOf(before),
      texts[last] ?? '',
      ...stylesOf(texts.slice(last + 1).join('')),
    ].join(''),
    overwritten: Math.max(0, written.length - 1),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const styles = /\u001b\[[0-9:;]*m/g

function isStyle(found: string): boolean {
  return found.startsWith(csi) && /^[0-9:;]*m$/.test(found.slice(2))
}

function stylesOf(text: string): readonly string[] {
  return text.match(styles) ?? []
}

function withoutStyles(text: string): string {
  return text.replace(styles, '')
}

/** Reads a text with SGR sequences as runs, in order; neighbours differ in style. O(n). */
export function terminalRuns(text: string): readonly TerminalRun[] {
  const runs: TerminalRun[] = []
  let now = plain
  let end = 0
  const add = (part: string) => {
    const last = runs.at(-1)
    const style = classesOf(now)
    if (part === '') return
    if (last?.style === style) runs[runs.length - 1] = { text: last.text + part, style }
    else runs.push({ text: part, style })
  }
  for (const found of text.matchAll(styles)) {
    add(text.slice(end, found.index))
    now = styled(now, found[0].slice(2, -1))
    end = found.index + found[0].length
  }
  add(text.slice(end))
  return runs
}

/** The style of what follows. Hidden and blinking text is shown like any other. */
interface Style {
  readonly ink: string
  readonly ground: string
  readonly marks: number
}

const plain: Style = { ink: '', ground: '', marks: 0 }
const inverted = 32
/** SGR codes that set a mark, and the bits of those that they set. */
const setting: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [2, 2],
  [3, 4],
  [4, 8],
  [21, 8],
  [9, 16],
  [7, inverted],
])
/** SGR codes that end marks. */
const ending: ReadonlyMap<number, number> = new Map([
  [22, 1 | 2],
  [23, 4],
  [24, 8],
  [29, 16],
  [27, inverted],
])
const markNames = ['bold', 'faint', 'italic', 'underlined', 'struck'] as const
const colourNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/** Applies the parameters of an SGR sequence (ECMA-48, 8.3.117; colours by ITU T.416 with `:` or, as most write it, `;`). */
function styled(style: Style, parameters: string): Style {
  let now = style
  const groups = parameters.split(';')
  for (let at = 0; at < groups.length; at++) {
    const [first = '', ...parts] = (groups[at] ?? '').split(':')
    const code = Number(first)
    if (code === 0) now = plain
    else if (code === 38 || code === 48) {
      const rest = parts.length > 0 ? parts : groups.slice(at + 1, at + 5)
      const { colour, taken } = extendedColour(rest)
      if (parts.length === 0) at += taken
      now = code === 38 ? { ...now, ink: colour } : { ...now, ground: colour }
    } else if (code === 4 && parts[0] === '0') now = { ...now, marks: now.marks & ~8 }
    else now = simply(now, code)
  }
  return now
}

function simply(now: Style, code: number): Style {
  const set = setting.get(code)
  const ended = ending.get(code)
  if (set !== undefined) return { ...now, marks: now.marks | set }
  if (ended !== undefined) return { ...now, marks: now.marks & ~ended }
  const colour = colourNames[code % 10]
  const tens = Math.floor(code / 10)
  if (code === 39) return { ...now, ink: '' }
  if (code === 49) return { ...now, ground: '' }
  if (colour === undefined) return now
  if (tens === 3 || tens === 9) return { ...now, ink: colour }
  if (tens === 4 || tens === 10) return { ...now, ground: colour }
  return now
}

/** A colour out of 256, or by red, green and blue, as the nearest that the window has, and the parameters that it took. */
function extendedColour(rest: readonly string[]): {
  readonly colour: string
  readonly taken: number
} {
  const [kind, ...numbers] = rest
  if (kind === '5') return { colour: indexedColour(Number(numbers[0])), taken: 2 }
  if (kind !== '2') return { colour: '', taken: rest.length === 0 ? 0 : 1 }
  // With colons there may be a colour space before the numbers.
  const [red = 0, green = 0, blue = 0] = numbers.slice(-3).map(Number)
  return { colour: nearestColour(red, green, blue), taken: 4 }
}

/** xterm's 256 colours: sixteen by name, a cube of 6 × 6 × 6, and 24 greys. */
function indexedColour(index: number): string {
  if (!(index >= 0 && index <= 255)) return ''
  if (index < 16) return colourNames[index % 8] ?? ''
  if (index >= 232) return ''
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  const cube = index - 16
  return nearestColour(
    level(Math.floor(cube / 36)),
    level(Math.floor(cube / 6) % 6),
    level(cube % 6),
  )
}

/** The six hues, each over a sixth of the circle, from red on. */
const hues = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta'] as const

/** The hue of a colour: its brightness is the window's, so that no text is as dark as what it is on. Greys have none. */
function nearestColour(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue)
  const spread = most - Math.min(red, green, blue)
  if (!(spread > 48)) return ''
  const sixth =
    most === red
      ? (green - blue) / spread
      : most === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread
  return hues[Math.round(sixth + 6) % 6] ?? ''
}

function classesOf({ ink, ground, marks }: Style): string {
  const isInverted = (marks & inverted) !== 0
  const on = isInverted ? ink || 'plain' : ground
  const classes = markNames
    .filter((_, bit) => (marks & (1 << bit)) !== 0)
    .map((name) => `ansi-${name}`)
  // On a ground text has the window's own colour: any other might not be read there.
  if (on !== '') classes.push(`ansi-on-${on}`)
  else if (ink !== '') classes.push(`ansi-${ink}`)
  return classes.join(' ')
}
