import { isLikelySecret, isPlaceholder } from './placeholders'
import type { SecretPlace } from './secret-place'
import { withoutTrailing } from './trailing'

const passwordWords = 'password|passwd|passphrase|pwd'
const words = `${passwordWords}|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|auth[_-]?key|secret[_-]?key|service[_-]?key|credentials?`

/** The end of a name that is a word for a secret, and what assigns a value to it. */
export const assignment = new RegExp(
  `(?:${words})[0-9]{0,2}(?:["'\\]]{0,2}[ \\t]{0,64}(?::=|=>|[:=])(?![:=>])|[ \\t]{1,8}string[ \\t]{1,8}=|["'][ \\t]{0,8},(?=[ \\t]{0,8}["'])|["'][ \\t]{1,8}value=|>)[ \\t]{0,64}`,
  'giu',
)
/** Characters of a name before that word. */
const longestName = 60
const secretName = new RegExp(`(?:${words})[0-9]{0,2}$`, 'iu')
const passwordName = new RegExp(`(?:${passwordWords})[0-9]{0,2}$`, 'iu')
/** The type of what is assigned, from after its colon to the quote. */
const annotation = /[&*']?[A-Za-z][\w.<>[\]|?& ',]{0,60}=[ \t]{0,64}(?=["'`])/uy
const call = /[A-Za-z_]\([ \t]{0,8}["'][A-Za-z0-9_.-]{0,60}$/u
/** As shells and files of their environment write it. */
const environment = /^[A-Z][A-Z0-9_]*=$/

const unquoted = /[^\s"'`,;<>(){}[\]|&\\]{1,500}/uy
/** A chain of names, as programs write it. */
const chain = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/
const longest = 4000
/** Text of an element, up to the end of it. */
const element = /[^\s<>]{1,500}(?=\s{0,8}<\/)/uy
/** What stands between the values of a list. */
const gap = /[\s,]{0,64}/uy
const mostListed = 50
/** Labels of fields for passwords. */
const passwordField = /pass|pwd|secret|^(?:hidden|invalid|missing|forgot|mot_de_passe|kennwort)$/iu
/** Words with dashes and at most a number at their end, and paths: what programs name things by, and where keys lie. */
const nameOrPath =
  /^(?:[a-z]{2,}(?:[-_.:/][a-z]{2,}){1,10}(?:[-_.:/]?\d{1,4})?|(?:\.{1,2}|~)[\\/].*|\/[a-z._-]+\/[\w./-]+|[A-Za-z]:[\\/].*|[\w./-]+\.(?:pem|key|p12|pfx|crt|txt|json|ya?ml))$/u

/** Finds values that are assigned to a name for a secret, in files of any kind. `lower` is the text in lower case. */
export function* findAssigned(text: string, lower: string): Generator<SecretPlace> {
  if (!/pass|pwd|secret|token|key|credential/.test(lower)) return
  for (const { 0: match, index } of text.matchAll(assignment)) {
    const before = text.slice(Math.max(0, index - longestName - 12), index)
    const name = /[A-Za-z0-9_.-]{0,60}$/.exec(before)?.[0] ?? ''
    const lead = `${name}${match}`
    const sign = match.trimEnd().slice(-1)
    // A list of words is no call with a name and its value.
    if (sign === ',' && !call.test(before)) continue
    const isPassword = passwordName.test(/^[A-Za-z0-9_.-]*/.exec(lead)?.[0] ?? '')
    const at =
      index + match.length + (sign === ':' ? annotationLength(text, index + match.length) : 0)
    for (const [start, end] of valuesAt(text, at, sign)) {
      const secret = text.slice(start, end)
      const isQuoted = sign === '>' || /["'`]/.test(text.charAt(start - 1))
      const isSecret = isQuoted
        ? isQuotedSecret(secret, isPassword)
        : environment.test(lead)
          ? isEnvironmentSecret(secret, isPassword)
          : isBareSecret(secret, isPassword, text.charAt(end))
      if (isSecret)
        yield { group: 'keys', kind: 'assigned secret', start, end, secret, isByContext: true }
    }
  }
}

function annotationLength(text: string, at: number): number {
  annotation.lastIndex = at
  return annotation.exec(text)?.[0].length ?? 0
}

/** Lists from where to where there are values: one, or those of a list of quoted ones. */
function* valuesAt(text: string, at: number, sign: string): Generator<readonly [number, number]> {
  if (sign === '>') {
    element.lastIndex = at
    const value = element.exec(text)?.[0]
    if (value !== undefined) yield [at, at + value.length]
    return
  }
  if (text.charAt(at) !== '[') {
    yield valueAt(text, at)
    return
  }
  let from = at + 1
  for (let n = 0; n < mostListed; n++) {
    gap.lastIndex = from
    from += gap.exec(text)?.[0].length ?? 0
    if (!/["'`]/.test(text.charAt(from))) return
    const value = valueAt(text, from)
    yield value
    from = value[1] + 1
  }
}

function valueAt(text: string, at: number): readonly [number, number] {
  const quote = text.charAt(at)
  return quote === '"' || quote === "'" || quote === '`'
    ? [at + 1, endOfQuoted(text, at + 1, quote)]
    : [at, endOfUnquoted(text, at)]
}

/** Tells whether a member of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/** Tells whether a member of this name with this text as its value is a secret. */
export function isSecretMember(name: string, value: string): boolean {
  return secretName.test(name) && isQuotedSecret(value, /pass|pwd/i.test(name))
}

function isQuotedSecret(secret: string, isPassword: boolean): boolean {
  if (isPlaceholder(secret) || /\s/.test(secret)) return false
  if (/^\d+$/.test(secret)) return isPassword && secret.length >= 4
  if (chain.test(secret)) return false
  if (isPassword)
    return isLikelySecret(secret)
      ? secret.length >= 4
      : secret.length >= 6 && /^[\p{L}_.-]+$/u.test(secret) && !passwordField.test(secret)
  return secret.length >= 8 && isLikelySecret(secret) && !nameOrPath.test(secret)
}

function isEnvironmentSecret(secret: string, isPassword: boolean): boolean {
  if (isPlaceholder(secret) || secret.startsWith('/') || secret.startsWith('~')) return false
  if (/^\d+$/.test(secret)) return isPassword && secret.length >= 4
  return secret.length >= 6
}

function isBareSecret(secret: string, isPassword: boolean, next: string): boolean {
  if (next === '(' || next === '[' || next === '{' || isPlaceholder(secret)) return false
  if (/^\d+$/.test(secret)) return isPassword && secret.length >= 4
  if (chain.test(secret) || (!isPassword && nameOrPath.test(secret))) return false
  return secret.length >= (isPassword ? 6 : 12) && /\d/.test(secret) && isLikelySecret(secret)
}

function endOfQuoted(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length && at - from < longest; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === quote) return at
    else if (character === '\n') return from
  }
  return from
}

function endOfUnquoted(text: string, from: number): number {
  unquoted.lastIndex = from
  return from + withoutTrailing(unquoted.exec(text)?.[0] ?? '', '.:!?').length
}
