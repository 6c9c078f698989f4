import type { SecretPlace } from './secret-place'
import { withoutTrailing } from './trailing'
import type { TextView } from './views'

/** Pattern of the part of an e-mail address before its at sign, up to it. */
export const emailUser = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_][\p{L}\p{N}._%+-]{0,63}$/u
/** Pattern of the rest of it; domains in other scripts too. */
export const emailDomain = /@[\p{L}\p{N}][\p{L}\p{N}.-]{0,250}\.\p{L}{2,24}(?![\p{L}\p{N}])/uy
const longestUser = 66
/** Endings of files that are named like addresses, and of the units of systemd: no domain ends so. */
const fileEnding =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|scss|mjs|cjs|jsx?|tsx?|json|ya?ml|toml|html?|tgz|gz|pdf|lock|wasm|map|service|socket|timer|target|mount|slice|scope|swap)$/iu
/** What follows the at sign is a version or the scale of an image: no domain begins so. */
const versionDomain = /^@(?:\d+x\.|v?\d+\.\d+(?:[.-]|$))/iu
/** What is no person, but a program's name in an address of a repository. */
const repositoryUser = /^(?:git|hg|svn)@/iu

/** A home folder up to the user's name, the name, and what may follow it. */
export const homePatterns: readonly RegExp[] = [
  /((?<![\w.~-])(?:\/(?:home|Users|var\/home|export\/home|usr\/home)|\/(?:mnt|cygdrive)\/[a-z]\/Users|\/[a-z]\/Users|\/System\/Volumes\/Data\/(?:Users|home)|\/Volumes\/[^/\r\n"'`]{1,60}\/Users)\/{1,2})([^\s/\\"'`<>|:;,(){}[\]*?$&=!#%]{1,64})/gu,
  /((?<![A-Za-z0-9])[A-Za-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4})([^\s\\/:*?"<>|$%]{1,64}(?: [A-Z][^\s\\/:*?"<>|$%]{0,30})?(?: [A-Z][^\s\\/:*?"<>|$%]{0,30})?)(?=[\\/])/gu,
  /((?<![A-Za-z0-9])[A-Za-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4})([^\s\\/:*?"'`<>|,;(){}[\]$%&=!#]{1,64})(?![^\s:*?"'`<>|,;(){}[\]$%&=!#])/gu,
  // After the short option of a compiler, and in the names of files that a diff compares.
  /((?<![\w.~/-])(?:-[A-Za-z]{1,20}|[abciow])\/(?:home|Users)\/{1,2})([^\s/\\"'`<>|:;,(){}[\]*?$&=!#%]{1,64})/gu,
  /((?<![\\/])[\\/]{2,16}wsl(?:\$|\.localhost)[\\/]{1,8}[^\s\\/]{1,60}[\\/]{1,8}home[\\/]{1,8})([^\s/\\"'`<>|:;,(){}[\]*?$&=!#%]{1,64})/gu,
  // Folders that programs name after a path.
  /((?:^|[/\\\s"'`])-(?:home|Users)-)([A-Za-z0-9_]{1,64})(?=[-/\\\s"'`]|$)/gu,
  /((?<![A-Za-z0-9])[A-Za-z]--Users-)([A-Za-z0-9_]{1,64})(?=[-/\\\s"'`]|$)/gu,
]
/** Folders beside homes that are nobody's. */
const nobody: ReadonlySet<string> = new Set([
  'shared',
  'public',
  'default',
  'all users',
  '.',
  '..',
  '...',
])

/** Finds e-mail addresses in a view. */
export function findEmails({ words: text }: TextView): readonly SecretPlace[] {
  const found: SecretPlace[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const user = emailUser.exec(text.slice(Math.max(0, at - longestUser), at))?.[0]
    if (user === undefined) continue
    emailDomain.lastIndex = at
    const domain = emailDomain.exec(text)?.[0]
    if (domain === undefined) continue
    const secret = `${user}${domain}`
    if (fileEnding.test(secret) || versionDomain.test(domain) || repositoryUser.test(secret))
      continue
    const start = at - user.length
    const end = at + domain.length
    found.push({ group: 'emails', kind: 'e-mail address', start, end, secret })
  }
  return found
}

/** Finds the names of users in paths of their homes. */
export function findHomes({ text }: TextView): readonly SecretPlace[] {
  if (!/home|users|documents and settings/i.test(text)) return []
  const found: SecretPlace[] = []
  for (const pattern of homePatterns)
    for (const { 1: lead = '', 2: name = '', index } of text.matchAll(pattern)) {
      // The end of a sentence is none of a name.
      const secret = withoutTrailing(name, '.')
      if (secret === '' || nobody.has(secret.toLowerCase()) || /^[<{[~@+.]/.test(secret)) continue
      const start = index + lead.length
      found.push({ group: 'homes', kind: 'user', start, end: start + secret.length, secret })
    }
  return found
}
