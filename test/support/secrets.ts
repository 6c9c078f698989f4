/**
 * Secrets of known forms, made up: one of each kind, with the text around it that tells what it is. Written in pieces, so that
 * nobody who scans this repository takes them for real ones.
 */
export interface PlantedSecret {
  /** As the redaction names it. */
  readonly kind: string
  /** May not be left anywhere. */
  readonly secret: string
  readonly before?: string
  readonly after?: string
}

const alphabet = 'aZ3kQ9vB7xLm2RtY5cWp8NdH4gJs6FuE1yKqTz0'

/** Draws characters of an alphabet, the same for the same numbers. */
export function drawnCharacters(count: number, seed: number, from = alphabet): string {
  let state = seed * 2654435761 + 12345
  let text = ''
  for (let n = 0; n < count; n++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += from.charAt((state >>> 16) % from.length)
  }
  return text
}

const drawn = drawnCharacters
const hex = (count: number, seed: number) => drawn(count, seed, '0123456789abcdef')
const caps = (count: number, seed: number) => drawn(count, seed, 'ABCDEFGHJKLMNPQRSTUVWXYZ234567')
const base64Line = (seed: number) => drawn(64, seed, `${alphabet}+/`)

const key = (name: string, seed: number) =>
  [
    `-----BEGIN ${name}-----`,
    base64Line(seed),
    base64Line(seed + 1),
    `${drawn(30, seed)}==`,
    `-----END ${name}-----`,
  ].join('\n')

/** One secret of each kind. */
export const plantedSecrets: readonly PlantedSecret[] = [
  { kind: 'Anthropic key', secret: `sk-${'ant'}-api03-${drawn(80, 1)}-${drawn(8, 2)}AA` },
  { kind: 'OpenAI key', secret: `sk-${'proj'}-${drawn(40, 3)}_${drawn(30, 4)}` },
  { kind: 'OpenRouter key', secret: `sk-${'or'}-v1-${hex(64, 5)}` },
  { kind: 'Google API key', secret: `AI${'za'}Sy${drawn(33, 6)}` },
  { kind: 'Google OAuth token', secret: `ya${'29'}.${drawn(60, 7)}` },
  { kind: 'Google OAuth secret', secret: `GOC${'SPX'}-${drawn(28, 8)}` },
  { kind: 'AWS access key', secret: `AK${'IA'}${caps(16, 9)}` },
  { kind: 'AWS secret key', before: 'aws_secret_access_key = ', secret: drawn(40, 10) },
  { kind: 'GitHub token', secret: `gh${'p'}_${drawn(36, 11)}` },
  { kind: 'GitLab token', secret: `gl${'pat'}-${drawn(20, 12)}` },
  { kind: 'Slack token', secret: `xo${'xb'}-${drawn(11, 13, '123456789')}-${drawn(24, 14)}` },
  {
    kind: 'Slack webhook',
    before: 'https://hooks.slack.com/services/',
    secret: `T${caps(8, 15)}/B${caps(8, 16)}/${drawn(24, 17)}`,
  },
  {
    kind: 'Discord webhook',
    before: 'https://discord.com/api/webhooks/',
    secret: `${drawn(18, 18, '123456789')}/${drawn(60, 19)}`,
  },
  { kind: 'Telegram token', secret: `${drawn(9, 20, '123456789')}:A${'A'}${drawn(33, 21)}` },
  { kind: 'Stripe key', secret: `sk_${'live'}_${drawn(32, 22)}` },
  { kind: 'Twilio key', secret: `S${'K'}${hex(32, 23)}` },
  { kind: 'SendGrid key', secret: `S${'G'}.${drawn(22, 24)}.${drawn(43, 25)}` },
  { kind: 'Mailgun key', secret: `k${'ey'}-${hex(32, 26)}` },
  { kind: 'npm token', secret: `np${'m'}_${drawn(36, 27)}` },
  { kind: 'PyPI token', secret: `py${'pi'}-AgEI${drawn(120, 28)}` },
  { kind: 'Docker token', secret: `dckr_${'pat'}_${drawn(27, 29)}` },
  { kind: 'Hugging Face token', secret: `h${'f'}_${drawn(34, 30)}` },
  { kind: 'Groq key', secret: `gs${'k'}_${drawn(52, 31)}` },
  { kind: 'JWT', secret: `ey${'J'}hbGciOiJIUzI1NiJ9.eyJ${drawn(40, 32)}.${drawn(43, 33)}` },
  { kind: 'Vault token', secret: `hv${'s'}.${drawn(90, 34)}` },
  { kind: 'DigitalOcean token', secret: `do${'p'}_v1_${hex(64, 35)}` },
  { kind: 'Shopify token', secret: `shp${'at'}_${hex(32, 36)}` },
  { kind: 'Databricks token', secret: `da${'pi'}${hex(32, 37)}` },
  { kind: 'Linear key', secret: `lin_${'api'}_${drawn(40, 38)}` },
  { kind: 'Notion token', secret: `nt${'n'}_${drawn(46, 39)}` },
  {
    kind: 'Azure key',
    before: 'AccountName=plums;AccountKey=',
    secret: `${drawn(86, 40)}==`,
    after: ';EndpointSuffix=core.windows.net',
  },
  { kind: 'private key', secret: key(`RSA ${'PRIVATE'} KEY`, 41) },
  { kind: 'authorization header', before: 'Authorization: Basic ', secret: `${drawn(30, 45)}==` },
  { kind: 'bearer token', before: 'they sent Bearer ', secret: drawn(40, 46) },
  { kind: 'cookie', before: 'Cookie: ', secret: `session=${drawn(24, 47)}; theme=dark` },
  {
    kind: 'database password',
    before: 'postgres://plum:',
    secret: drawn(14, 48),
    after: '@db.orchard.test:5432/fruit',
  },
  {
    kind: 'password in a URL',
    before: 'https://plum:',
    secret: drawn(14, 49),
    after: '@orchard.test/a.git',
  },
  {
    kind: 'signature in a URL',
    before: 'https://orchard.test/a?sv=2024&sig=',
    secret: drawn(43, 50),
  },
  { kind: 'assigned secret', before: 'ORCHARD_API_TOKEN=', secret: drawn(22, 51) },
  { kind: 'password of a command', before: 'mysql --password ', secret: drawn(13, 52) },
  { kind: 'e-mail address', secret: 'mallory.plum@orchard.example' },
  { kind: 'user', before: '/home/', secret: 'mallory', after: '/orchard/a.txt' },
]

/** The text of a secret with what is around it, and what is to become of that. */
export function plantedTexts({ kind, secret, before = '', after = '' }: PlantedSecret): {
  readonly plain: string
  readonly redacted: string
} {
  return {
    plain: `${before}${secret}${after}`,
    redacted: `${before}[redacted: ${kind} #1]${after}`,
  }
}
