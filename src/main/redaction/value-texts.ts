import { isSecretName } from './assigned'
import { keyBeginning, keyEnd } from './private-keys'

/** A text in a value. */
export interface ValueText {
  readonly text: string
  /** The name of the member of which it is the value, or in whose list it is. */
  readonly member?: string | undefined
  /** The private key of which it is a line, in a list of lines. */
  readonly ofKey?: string | undefined
}

/**
 * Lists the texts of a value in order: what members and lists hold, and before it the names of members. Numbers with the name of a
 * secret are among them.
 */
export function textsOf(value: unknown): readonly ValueText[] {
  const found: ValueText[] = []
  collect(value, found)
  return found
}

/** Builds a value anew, with the texts in the order in which `textsOf` has them. */
export function withTexts(value: unknown, texts: readonly string[]): unknown {
  let next = 0
  const take = () => texts[next++] ?? ''
  return rebuilt(value, take)
}

function collect(value: unknown, into: ValueText[], member?: string): void {
  if (typeof value === 'string') into.push({ text: value, member })
  else if (isSecretNumber(value, member)) into.push({ text: String(value), member })
  else if (Array.isArray(value)) {
    const keys = keysInLines(value)
    for (const [n, one] of value.entries())
      if (typeof one === 'string') into.push({ text: one, member, ofKey: keys.get(n) })
      else collect(one, into, member)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, held] of Object.entries(value)) {
      into.push({ text: name })
      collect(held, into, name)
    }
}

function rebuilt(value: unknown, take: () => string, member?: string): unknown {
  if (typeof value === 'string') return take()
  if (isSecretNumber(value, member)) {
    const given = take()
    return given === String(value) ? value : given
  }
  if (Array.isArray(value)) return value.map((one) => rebuilt(one, take, member))
  if (typeof value !== 'object' || value === null) return value
  const members = new Map<string, unknown>()
  for (const [name, held] of Object.entries(value)) {
    let given = take()
    // Two names that differ stay two.
    while (members.has(given)) given += ' '
    members.set(given, rebuilt(held, take, name))
  }
  return Object.fromEntries(members)
}

function isSecretNumber(value: unknown, member: string | undefined): value is number {
  return typeof value === 'number' && member !== undefined && isSecretName(member)
}

const hasBeginning = (text: string) => text.search(keyBeginning) !== -1
const hasEnd = (text: string) => text.search(keyEnd) !== -1

/** Finds the elements that are lines between the first and the last line of a private key: the key, by their indices. */
function keysInLines(list: readonly unknown[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (let n = 0; n < list.length; n++) {
    const first = list[n]
    if (typeof first !== 'string' || !hasBeginning(first) || hasEnd(first)) continue
    const lines: string[] = []
    for (let at = n + 1; at < list.length; at++) {
      const line = list[at]
      if (typeof line !== 'string' || hasEnd(line) || hasBeginning(line) || !isKeyLine(line)) break
      lines.push(line)
    }
    const key = lines.map((line) => line.trim()).join('')
    for (const [at, line] of lines.entries()) if (line.trim() !== '') found.set(n + 1 + at, key)
    n += lines.length
  }
  return found
}

function isKeyLine(line: string): boolean {
  return /^\s{0,40}(?:[A-Za-z0-9+/=]{0,20000}|[A-Z][A-Za-z-]{1,20}: [^\n]{0,200})\s{0,8}$/.test(
    line,
  )
}
