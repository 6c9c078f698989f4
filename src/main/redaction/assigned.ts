import { isLikelySecret, isPlaceholder } from './placeholders'
import type { SecretPlace } from './secret-place'

const passwordWords = 'password|passwd|passphrase|pwd'
const words = `${passwordWords}|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|auth[_-]?key|secret[_-]?key|service[_-]?key|credentials?`

/** The end of a name that is a word for a secret, and what assigns a value to it. */
export const assignment = new RegExp(
  `(?:${words})[0-9]{0,2}["'\\]]{0,2}[ \\t]{0,3}(?::=|=>|[:=])(?![:=>])[ \\t]{0,3}`,
  'giu',
)
/** Characters of a name before that word. */
const longestName = 60
const secretName = new RegExp(`(?:${words})[0-9]{0,2}$`, 'iu')
const passwordName = new RegExp(
  `(?:${passwordWords})[0-9]{0,2}["'\\]]{0,2}[ \\t]{0,3}(?::=|=>|[:=])`,
  'iu',
)
/** As shells and files of their environment write it. */
const environment = /^[A-Z][A-Z0-9_]*=$/

const unquoted = /[^\s"'`,;<>(){}[\]|&\\]{1,500}/uy
/** A chain of names, as programs write it. */
const chain = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/
const longest = 4000

/** Finds values that are assigned to a name for a secret, in files of any kind. `lower` is the text in lower case. */
export function* findAssigned(text: string, lower: string): Generator<SecretPlace> {
  if (!/pass|pwd|secret|token|key|credential/.test(lower)) return
  for (const { 0: match, index } of text.matchAll(assignment)) {
    const at = index + match.length
    const name = /[A-Za-z0-9_.-]*$/.exec(text.slice(Math.max(0, index - longestName), index))
    const lead = `${name?.[0] ?? ''}${match}`
    const quote = text.charAt(at)
    const isQuoted = quote === '"' || quote === "'" || quote === '`'
    const start = isQuoted ? at + 1 : at
    const end = isQuoted ? endOfQuoted(text, start, quote) : endOfUnquoted(text, start)
    const secret = text.slice(start, end)
    const isPassword = passwordName.test(lead)
    const isSecret = isQuoted
      ? isQuotedSecret(secret, isPassword)
      : environment.test(lead)
        ? isEnvironmentSecret(secret, isPassword)
        : isBareSecret(secret, isPassword, text.charAt(end))
    if (isSecret)
      yield { group: 'keys', kind: 'assigned secret', start, end, secret, isByContext: true }
  }
}

/** Tells whether a member of this name with this text as its value is a secret. */
export function isSecretMember(name: string, value: string): boolean {
  return secretName.test(name) && isQuotedSecret(value, /pass|pwd/i.test(name))
}

function isQuotedSecret(secret: string, isPassword: boolean): boolean {
  if (isPlaceholder(secret) || /\s/.test(secret)) return false
  if (/^\d+$/.test(secret)) return isPassword && secret.length >= 4
  return secret.length >= (isPassword ? 4 : 8) && isLikelySecret(secret) && !chain.test(secret)
}

function isEnvironmentSecret(secret: string, isPassword: boolean): boolean {
  if (isPlaceholder(secret) || secret.startsWith('/') || secret.startsWith('~')) return false
  if (/^\d+$/.test(secret)) return isPassword && secret.length >= 4
  return secret.length >= 6
}

function isBareSecret(secret: string, isPassword: boolean, next: string): boolean {
  if (next === '(' || next === '[' || next === '{' || isPlaceholder(secret)) return false
  if (/^\d+$/.test(secret) || chain.test(secret)) return false
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
  return from + (unquoted.exec(text)?.[0].replace(/[.:!?]+$/, '').length ?? 0)
}
