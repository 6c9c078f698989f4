import { findAssigned } from './assigned'
import { isLikelySecret, isPlaceholder } from './placeholders'
import type { SecretPlace } from './secret-place'
import { withoutTrailing } from './trailing'
import type { TextView } from './views'

/** Secret that what stands before it tells: the first group stays, the second is the secret. */
interface ContextRule {
  readonly kind: string
  readonly pattern: RegExp
  /** Where the text has none of these, nothing is looked for; in lower case. */
  readonly signs: readonly string[]
  /** Where it has not this either. */
  readonly needs?: string
  readonly isSecret?: (secret: string) => boolean
  /** Further parts of the secret, as often as they follow. */
  readonly more?: RegExp
}

/** Value of a cookie in quotes, and what follows it. */
const quotedCookie = /(?<==)"[^"\r\n]{0,4096}"[^\r\n"']{0,8192}/uy

const databases =
  'postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|clickhouse|cockroachdb|oracle'

const isDrawn = (secret: string) => /\d/.test(secret) && /[A-Za-z]/.test(secret)

const rules: readonly ContextRule[] = [
  {
    kind: 'authorization header',
    pattern:
      /(authorization["']{0,2}\s{0,3}[:=,]\s{0,3}["']{0,2}(?:bearer|basic|token|digest|apikey|negotiate)\s{1,3})([^\s"'`\\,;]{4,8192})/giu,
    signs: ['authorization'],
  },
  {
    kind: 'authorization header',
    pattern:
      /((?<!=[A-Za-z0-9_.~+/-]{0,40})authorization["']{0,2}\s{0,3}[:=]\s{0,3}["']{0,2})([A-Za-z0-9_.~+/=-]{16,8192})(?![A-Za-z0-9_.~+/=( -])/giu,
    signs: ['authorization'],
    isSecret: isDrawn,
  },
  {
    kind: 'bearer token',
    pattern: /((?<![A-Za-z])bearer\s{1,3})([A-Za-z0-9_.~+/=-]{16,8192})/giu,
    signs: ['bearer'],
    isSecret: isDrawn,
  },
  {
    kind: 'cookie',
    pattern:
      /((?<![A-Za-z-])(?:set-)?cookie["']{0,2}\s{0,3}:\s{0,3}["']{0,2})([^\s"'=;:]{1,200}=[^\r\n"']{0,8192})/giu,
    more: quotedCookie,
    isSecret: (secret) => !/^[^=]*=$/u.test(secret),
    signs: ['cookie'],
  },
  {
    kind: 'cookie',
    pattern: /(\s(?:-b|--cookie)\s{1,3}["'])([^\s"'=;]{1,200}=[^\r\n"']{0,8192})/giu,
    more: quotedCookie,
    isSecret: (secret) => !/^[^=]*=$/u.test(secret),
    signs: ['curl'],
  },
  {
    kind: 'database password',
    pattern: new RegExp(
      `((?<![A-Za-z0-9])(?:${databases})(?:\\+[a-z0-9]{1,20})?://[^\\s/:@"'<>\`]{0,100}:)([^\\s/"'<>\`]{1,256})(?=@)`,
      'giu',
    ),
    signs: ['://'],
    needs: '@',
  },
  {
    kind: 'password in a URL',
    pattern:
      /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>`]{0,100}:)([^\s/"'<>`]{1,256})(?=@)/giu,
    signs: ['://'],
    needs: '@',
  },
  {
    kind: 'Slack webhook',
    pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)([A-Za-z0-9/_-]{8,200})/giu,
    signs: ['hooks.slack.com'],
  },
  {
    kind: 'Discord webhook',
    pattern: /(discord(?:app)?\.com\/api\/webhooks\/)(\d{5,30}\/[A-Za-z0-9_-]{20,200})/giu,
    signs: ['/webhooks/'],
  },
  {
    kind: 'Teams webhook',
    pattern: /(\.webhook\.office\.com\/webhookb2\/)([A-Za-z0-9@/_-]{30,400})/giu,
    signs: ['webhook.office.com'],
  },
  {
    kind: 'Discord token',
    pattern:
      /()([MNO](?<![A-Za-z0-9_.-].)[A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,80})(?![A-Za-z0-9_.-])/gu,
    signs: ['.'],
  },
  {
    kind: 'Azure key',
    pattern:
      /((?:AccountKey|SharedAccessKey|SharedSecretValue)\s{0,3}=\s{0,3})([A-Za-z0-9+/=]{20,200})/giu,
    signs: ['accountkey', 'sharedaccesskey', 'sharedsecretvalue'],
  },
  {
    kind: 'Azure secret',
    pattern: /()((?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34})/gu,
    signs: ['q~'],
  },
  {
    kind: 'signature in a URL',
    pattern:
      /([?&;](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token)=)([A-Za-z0-9%+/=_.-]{16,4096})/giu,
    signs: ['sig=', 'signature=', 'security-token='],
  },
  {
    kind: 'AWS secret key',
    pattern:
      /(secret[ _-]?access[ _-]?key["']{0,2}\s{0,3}(?:[:=]|=>|\s)\s{0,3}["']{0,2})([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/giu,
    signs: ['secret'],
  },
  {
    kind: 'AWS session token',
    pattern: /(session[ _-]?token["']{0,2}\s{0,3}[:=]\s{0,3}["']{0,2})([A-Za-z0-9/+=]{60,4096})/giu,
    signs: ['session'],
  },
  {
    kind: 'password of a command',
    pattern:
      /((?<![A-Za-z0-9-])--?(?:password|passwd|passphrase|token|api-?key|secret|auth-token|access-token|client-secret)(?:=|\s{1,3})["']?)([^\s"'`<>$-][^\s"'`<>]{3,500})/giu,
    signs: ['-pass', '-token', '-api', '-secret', '-auth-', '-access-', '-client-'],
    isSecret: isLikelySecret,
  },
  {
    kind: 'password of a command',
    pattern:
      /((?:curl|wget)[^\r\n]{0,300}?\s(?:-u|--user)\s{1,3}["']?[^\s:"']{1,64}:)([^\s"']{3,200})/giu,
    signs: ['curl', 'wget'],
  },
  {
    kind: 'password of a command',
    pattern: /((?<![A-Za-z])login\s{1,3}\S{1,100}\s{1,10}password\s{1,3})(\S{4,200})/giu,
    signs: ['login'],
  },
]

function endOfParts(text: string, from: number, part: RegExp): number {
  let end = from
  for (;;) {
    part.lastIndex = end
    const length = part.exec(text)?.[0].length ?? 0
    if (length === 0) return end
    end += length
  }
}

/** Lists the patterns of all rules, by their kinds: a test looks at what they cost. */
export function contextPatterns(): readonly (readonly [kind: string, pattern: RegExp])[] {
  return rules.flatMap(({ kind, pattern, more }) =>
    [pattern, more ?? pattern].map((one) => [kind, one] as const),
  )
}

/** Finds secrets that what stands around them tells: headers, URLs, options of commands, and what is assigned to a name. */
export function findInContext({ words: text }: TextView): readonly SecretPlace[] {
  const lower = text.toLowerCase()
  const found: SecretPlace[] = []
  for (const { kind, pattern, signs, needs = '', isSecret, more } of rules) {
    if (!lower.includes(needs) || !signs.some((sign) => lower.includes(sign))) continue
    let done = 0
    for (const { 1: lead = '', 2: match = '', index } of text.matchAll(pattern)) {
      // What further parts had is looked at once.
      if (index < done) continue
      // Before a quote that JSON escapes.
      const from = index + lead.length
      const whole =
        more === undefined ? match : text.slice(from, endOfParts(text, from + match.length, more))
      done = from + whole.length
      const secret = withoutTrailing(whole, '\\')
      if (isPlaceholder(secret) || isSecret?.(secret) === false) continue
      const end = from + secret.length
      found.push({ group: 'keys', kind, start: from, end, secret, isByContext: true })
    }
  }
  for (const place of findAssigned(text, lower)) found.push(place)
  return found
}
