import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { terminalStyles } from '../../../src/main/redaction/ansi'
import { assignment } from '../../../src/main/redaction/assigned'
import { contextPatterns } from '../../../src/main/redaction/contexts'
import { packedUri, unpackedCharacter } from '../../../src/main/redaction/packed'
import { emailDomain, emailUser, homePatterns } from '../../../src/main/redaction/people'
import { keyBeginning, keyEnd } from '../../../src/main/redaction/private-keys'
import { createRedactor } from '../../../src/main/redaction/redactor'
import { tokenPatterns } from '../../../src/main/redaction/tokens'
import { patternCost } from '../../../src/main/search/conditions/pattern-cost'
import { type Redaction, RedactionGroup } from '../../../src/shared/model/redaction'
import { drawnCharacters, plantedSecrets, plantedTexts } from '../../support/secrets'

const all: Redaction = { groups: RedactionGroup.options, patterns: [], kept: [] }
const redact = (text: string, more: Partial<Redaction> = {}) =>
  createRedactor({ ...all, ...more }).text(text)

const [anthropic = plantedSecrets[0]] = plantedSecrets
const secretOf = (kind: string) =>
  plantedSecrets.find((one) => one.kind === kind)?.secret ?? never(kind)
function never(kind: string): never {
  throw new Error(`no ${kind} is planted`)
}

describe.each(plantedSecrets)('$kind', (planted) => {
  const { plain, redacted } = plantedTexts(planted)

  it('is replaced in words, and the words stay', () => {
    expect(redact(`Plums, then\n${plain}\nand pears.`)).toBe(`Plums, then\n${redacted}\nand pears.`)
  })

  it('is replaced inside of JSON, and of JSON inside of that', () => {
    const inside = (text: string) => JSON.stringify({ command: `first\n${text}\nlast`, n: 1.0 })
    expect(redact(inside(plain))).toBe(inside(redacted))
    const deeper = (text: string) => JSON.stringify({ arguments: inside(text) })
    expect(redact(deeper(plain))).toBe(deeper(redacted))
  })

  it('is replaced in members, lists and names of a value', () => {
    const value = (text: string) => ({ list: [1, text, null], [`at ${text}`]: { more: text } })
    expect(createRedactor(all).value(value(plain))).toEqual(value(redacted))
  })

  it('is not found a second time in what replaced it', () => {
    expect(redact(redact(`a ${plain} b`))).toBe(redact(`a ${plain} b`))
  })
})

describe('the words that replace', () => {
  it('have the same number for the same secret, and the next for another', () => {
    const [one, two] = [secretOf('GitHub token'), `gh${'p'}_${drawnCharacters(36, 99)}`]
    expect(redact(`${one} ${two} ${one}`)).toBe(
      '[redacted: GitHub token #1] [redacted: GitHub token #2] [redacted: GitHub token #1]',
    )
  })

  it('keep their numbers in a further reading, also of what comes earlier there', () => {
    const redactor = createRedactor(all)
    redactor.text('a@plum.example b@plum.example')
    redactor.restart()
    expect(redactor.text('b@plum.example')).toBe('[redacted: e-mail address #2]')
    expect(redactor.report()).toMatchObject({ places: 1, found: 1 })
  })

  it('stay away from a finding that is kept', () => {
    const { findings } = (() => {
      const redactor = createRedactor(all)
      redactor.text('a@plum.example b@plum.example')
      return redactor.report()
    })()
    const kept = findings.slice(0, 1).map(({ id }) => id)
    const redactor = createRedactor({ ...all, kept })
    expect(redactor.text('a@plum.example b@plum.example')).toBe(
      'a@plum.example [redacted: e-mail address #2]',
    )
    expect(redactor.report()).toMatchObject({ places: 1, found: 2 })
  })

  it('are of the groups alone that are looked for', () => {
    const text = `a@plum.example ${secretOf('GitHub token')} /home/ann/x`
    expect(redact(text, { groups: ['homes'] })).toBe(
      `a@plum.example ${secretOf('GitHub token')} /home/[redacted: user #1]/x`,
    )
  })
})

describe('a secret that is split', () => {
  it('over two lines is replaced, and the words on the next line stay', () => {
    const { secret } = anthropic ?? never('Anthropic key')
    const broken = `${secret.slice(0, 70)}\n  ${secret.slice(70)}`
    expect(redact(`Use\n${broken} for it\nNext line`)).toBe(
      'Use\n[redacted: Anthropic key #1] for it\nNext line',
    )
    const token = secretOf('GitHub token')
    expect(redact(`${token.slice(0, 12)}\r\n${token.slice(12)}\r\nNext1 line`)).toBe(
      '[redacted: GitHub token #1]\r\nNext1 line',
    )
    expect(redact(JSON.stringify(`${token.slice(0, 12)}\n${token.slice(12)} x`))).toBe(
      '"[redacted: GitHub token #1] x"',
    )
  })

  it('by the end of a cut text is replaced as far as it is there', () => {
    const token = secretOf('GitHub token').slice(0, 20)
    expect(createRedactor(all).text(`{"content":"use ${token}`, true)).toBe(
      '{"content":"use [redacted: GitHub token #1]',
    )
    const key = secretOf('private key').slice(0, 120)
    expect(redact(`see ${JSON.stringify(key).slice(0, -1)}`)).toBe(
      'see "[redacted: private key #1]',
    )
  })
})

it('finds a secret that its surroundings told also where it stands alone, before and after', () => {
  const secret = drawnCharacters(16, 60)
  const redactor = createRedactor(all)
  const texts = [`Is ${secret} right?`, `password: "${secret}"`, `No, ${secret}.`]
  for (const text of texts) redactor.text(text)
  redactor.restart()
  expect(texts.map((text) => redactor.text(text)).join('|')).toBe(
    'Is [redacted: assigned secret #1] right?|password: "[redacted: assigned secret #1]"|No, [redacted: assigned secret #1].',
  )
})

it('finds what the name of a member tells', () => {
  expect(createRedactor(all).value({ db: { password: 'plum-7-pear' } })).toEqual({
    db: { password: '[redacted: assigned secret #1]' },
  })
})

it.each([
  ['/Users/ann/x', '/Users/[redacted: user #1]/x'],
  ['C:\\Users\\ann\\x', 'C:\\Users\\[redacted: user #1]\\x'],
  ['"C:\\\\Users\\\\nora\\\\x"', '"C:\\\\Users\\\\[redacted: user #1]\\\\x"'],
  ['C:\\Users\\Ann Plum\\x', 'C:\\Users\\[redacted: user #1]\\x'],
  ['/mnt/c/Users/ann/x', '/mnt/c/Users/[redacted: user #1]/x'],
  ['file:///home/ann.', 'file:///home/[redacted: user #1].'],
  ['projects/-home-ann-plums/a.jsonl', 'projects/-home-[redacted: user #1]-plums/a.jsonl'],
  ['C--Users-ann-plums', 'C--Users-[redacted: user #1]-plums'],
  ['ann%40plum.example', '[redacted: e-mail address #1]'],
])('replaces the name in %s', (text, redacted) => {
  expect(redact(text)).toBe(redacted)
})

it.each([
  `sha256:${drawnCharacters(64, 70, '0123456789abcdef')}`,
  `commit ${drawnCharacters(40, 71, '0123456789abcdef')}`,
  `data:image/png;base64,${drawnCharacters(4000, 72)}`,
  '6f1d1b1e-8a53-4c5c-9d2a-0d4d9f0a7b11',
  'sk-learn-estimators-checks-and-more-of-them',
  'const token = getToken(); let password: string; max_tokens: 4096; tokenCount = 12',
  'API_KEY=$API_KEY PASSWORD=${PASSWORD} TOKEN=<token> SECRET=your_secret_here',
  '"password": "Enter your password", secret: z.string().min(8), token: options.token',
  'Authorization: Bearer $TOKEN and Authorization: Bearer <token>',
  'https://orchard.test/home/ann /usr/local/home $HOME ~/plums ../home/ann',
  'git@github.com:plum/pear.git and icon@2x.png and react@18.2.0 and @scope/name',
  'A -----BEGIN PRIVATE KEY----- line and an -----END PRIVATE KEY----- line.',
  'postgres://localhost:5432/fruit and http://[::1]:8080/ and user:pass',
  'the --token option and --password is asked for',
  '/Users/Shared/x C:\\Users\\Public\\x',
  'Cookie: the best of them',
])('leaves %s as it is', (text) => {
  expect(redact(text)).toBe(text)
})

it('changes nothing in texts without secrets, whatever they hold', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'ab1 .-_/\\"\'\n\r\t{}[]:=,%u0', 'é', '漢', '\ud83d'),
  })
  fc.assert(fc.property(text, (one) => redact(one) === one))
})

describe('a secret beside the styles of a terminal', () => {
  const token = secretOf('GitHub token')
  const words = '[redacted: GitHub token #1]'

  it.each(['\u001b', '\\e', '\\033', '\\x1b', '\\u001b', '^['])(
    'spelled %j is replaced',
    (mark) => {
      expect(redact(`${mark}[32m${token}${mark}[0m`)).toBe(`${mark}[32m${words}${mark}[0m`)
      expect(redact(`${mark}[1;35m/home/nora/k.pem`)).toBe(
        `${mark}[1;35m/home/[redacted: user #1]/k.pem`,
      )
      expect(redact(JSON.stringify(`${mark}[32m${token}`))).toBe(
        JSON.stringify(`${mark}[32m${words}`),
      )
    },
  )

  it('within which a style changes is replaced', () => {
    const marked = `\u001b[01;31m\u001b[K${token.slice(0, 4)}\u001b[m\u001b[K${token.slice(4)}`
    expect(redact(`a ${marked} b`)).not.toContain(token.slice(4))
  })

  it('is known there too', () => {
    const secret = drawnCharacters(16, 61)
    const redactor = createRedactor(all)
    redactor.text(`password: "${secret}"`)
    expect(redactor.text(`\u001b[32m${secret}\u001b[0m`)).toBe(
      '\u001b[32m[redacted: assigned secret #1]\u001b[0m',
    )
  })
})

it('finds what stands in long lists of words, of folders, and of keys, and skips bytes alone', () => {
  const folders = '/home/nora/plums\n'.repeat(200)
  expect(redact(folders)).not.toContain('nora')
  const keys = `${secretOf('AWS access key')}\n`.repeat(200)
  expect(redact(keys)).not.toContain(secretOf('AWS access key'))
  const words = `${'plum pear '.repeat(300)}${secretOf('AWS access key')}`
  expect(redact(words)).toBe(`${'plum pear '.repeat(300)}[redacted: AWS access key #1]`)
})

it.each([
  ['gcc -I/home/nora/inc', '/inc'],
  ['gcc -isystem/home/nora/inc', '/inc'],
  ['/System/Volumes/Data/Users/nora/x', '/x'],
  ['/Volumes/Fruit Disk/Users/nora/x', '/x'],
  ['/cygdrive/c/Users/nora/x', '/x'],
  ['\\\\wsl$\\Ubuntu\\home\\nora\\x', '\\x'],
  ['\\\\wsl.localhost\\Ubuntu\\home\\nora\\x', '\\x'],
  ['--- a/home/nora/x', '/x'],
  ['diff --git a/home/nora/x b/home/nora/x', '/x'],
])('replaces the name in the path %s', (text, after) => {
  const redacted = text.replaceAll('nora', '[redacted: user #1]')
  expect(redact(text)).toBe(redacted)
  expect(redacted.endsWith(after)).toBe(true)
  expect(redact(JSON.stringify(text))).toBe(JSON.stringify(redacted))
})

const drawnPassword = drawnCharacters(12, 62)
it.each([
  ['Cookie: session="', `${drawnPassword}"; theme=dark`],
  ['Cookie: theme=dark; session="', `${drawnPassword}"; a=1`],
  ['Cookie: my_session=', drawnPassword],
  ['Set-Cookie: my-own=', `${drawnPassword}; Path=/`],
  ['password: "', '$ecret123!"'],
  ['DB_PASSWORD=', 'TrueNorth#2024'],
  ['PASSWORD="', 'nullPointer7!"'],
  ['password: "', 'Example#2024"'],
  [`password${' '.repeat(40)}= "`, `${drawnPassword}"`],
  ['const password: string = "', `${drawnPassword}"`],
  ['let password: Option<&str> = "', `${drawnPassword}"`],
  ['var password string = "', `${drawnPassword}"`],
  ["define('DB_PASSWORD', '", `${drawnPassword}'`],
  ['setenv("API_TOKEN", "', `${drawnPassword}"`],
  ['<password>', `${drawnPassword}</password>`],
  ['<add key="Password" value="', `${drawnPassword}"/>`],
  ['"password": "', 'correcthorse"'],
  ['password: ', '81726354'],
  ['"passwords": 1, "password": ["', `${drawnPassword}", "x"]`],
])('replaces what follows %s', (before, after) => {
  const secret = /^[^"';<]*/.exec(after)?.[0] ?? ''
  const redacted = redact(`a\n${before}${after}\nb`)
  expect(redacted).not.toContain(secret)
  expect(redacted).toContain('[redacted: ')
  expect(redact(JSON.stringify(`${before}${after}`))).not.toContain(secret)
})

it('replaces the whole value of a member with the name of a secret, also numbers and lists', () => {
  const value = {
    password: 'plum at ann@plum.example-7!',
    token: secretOf('GitHub token'),
    pwd: 81726354,
    max_token: 5,
    secret: [drawnPassword, `${drawnPassword}9`],
  }
  expect(createRedactor(all).value({ ...value, password: 'x7-ann@plum.example-7' })).toEqual({
    password: '[redacted: assigned secret #1]',
    token: '[redacted: GitHub token #1]',
    pwd: '[redacted: assigned secret #2]',
    max_token: 5,
    secret: ['[redacted: assigned secret #3]', '[redacted: assigned secret #4]'],
  })
})

it('knows more than a thousand secrets again, in every escape', () => {
  const secrets = Array.from({ length: 1200 }, (_, n) => `plum"${drawnCharacters(10, n + 500)}7`)
  const redactor = createRedactor({ ...all, groups: ['keys'] })
  for (const secret of secrets) redactor.value({ password: secret })
  const left = secrets.filter((secret) =>
    redactor.text(JSON.stringify({ note: [`so ${secret} it is`] })).includes(secret.slice(5)),
  )
  expect(left).toEqual([])
})

it('reads every escape of a URL, also inside of another', () => {
  const token = secretOf('GitHub token')
  const escaped = [...token].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
  expect(redact(`https://orchard.test/?a=${escaped}`)).toBe(
    'https://orchard.test/?a=[redacted: GitHub token #1]',
  )
  expect(redact('u=ann%2540plum.example')).toBe('u=[redacted: e-mail address #1]')
})

describe('tokens of segments', () => {
  const jwt = secretOf('JWT')
  it('end where their last segment ends', () => {
    expect(redact(`${jwt}.And.so.on.they.went.`)).toBe('[redacted: JWT #1].And.so.on.they.went.')
    expect(redact(`${secretOf('SendGrid key')}.txt.gz`)).toBe('[redacted: SendGrid key #1].txt.gz')
  })

  it.each([24, 40, 64, 76])('wrapped at %i characters are replaced whole', (width) => {
    const wrapped = jwt.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
    expect(redact(`${wrapped} is it`)).toBe('[redacted: JWT #1] is it')
  })
})

describe('private keys', () => {
  const lines = secretOf('private key').split('\n')
  const body = lines.slice(1, -1)
  const isGone = (text: string) => body.filter((line) => text.includes(line))

  it.each([
    (n: number) => `${n}\t`,
    (n: number) => `     ${n}\u2192`,
    (n: number) => `${n}: `,
    (n: number) => `${n} | `,
  ])('with numbers of lines, cut or whole, are replaced', (margin) => {
    const numbered = lines.map((line, n) => `${margin(n + 1)}${line}`)
    expect(isGone(redact(numbered.join('\n')))).toEqual([])
    expect(isGone(redact(numbered.slice(0, -1).join('\n')))).toEqual([])
  })

  it('with headers, cut, are replaced', () => {
    const head = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n'
    const text = [lines[0], head, ...body].join('\n')
    expect(isGone(redact(text))).toEqual([])
    expect(isGone(redact(JSON.stringify(text)))).toEqual([])
  })

  it('in a list of lines are replaced', () => {
    expect(
      isGone(JSON.stringify(createRedactor(all).value({ key: ['so:', ...lines, 'and'] }))),
    ).toEqual([])
    expect(createRedactor(all).value(['a', ...lines, 'and'])).toEqual([
      'a',
      lines[0],
      ...body.map(() => '[redacted: private key #1]'),
      lines.at(-1),
      'and',
    ])
  })
})

it.each([
  'user@1000.service and getty@tty1.service',
  'react@19.0.0-rc.x and next@15.1.0-canary.zip',
  `cache-key-${drawnCharacters(32, 63, '0123456789abcdef')}`,
  '{"token":"color-primary-500"}',
  '{"private_key":"./keys/x"} private_key: ~/keys/id_rsa2',
  'secrets = ["token", "abc12345"]',
  '{"password":"current-password"}',
])('leaves alone %s', (text) => {
  expect(redact(text)).toBe(text)
})

it.each(['ann@plum.md', 'ann@orchard.zip'])('replaces the address %s', (text) => {
  expect(redact(`Ask ${text}.`)).toBe('Ask [redacted: e-mail address #1].')
})

it('keeps own patterns from names that link', () => {
  const redactor = createRedactor({ ...all, patterns: ['id'] })
  expect(redactor.link('id-7')).toBe('id-7')
  expect(redactor.link(`id ${secretOf('GitHub token')}`)).toBe('id [redacted: GitHub token #1]')
  expect(redactor.report().places).toBe(0)
})

describe('own patterns', () => {
  it('are texts in any case, or regular expressions between slashes', () => {
    expect(
      redact('Station-1234 at Orchard (North)', {
        patterns: ['/station-\\d{4}/i', 'orchard (north)'],
      }),
    ).toBe('[redacted: own pattern #1] at [redacted: own pattern #2]')
  })

  it('that cannot be used, or compute without end, are refused with their text', () => {
    expect(() => redact('a', { patterns: ['/(/'] })).toThrow('The pattern /(/ cannot be used')
    expect(() => redact(`${'a'.repeat(40)}!`, { patterns: ['/(a+)+$/'] })).toThrow(
      'Nothing was written: the pattern /(a+)+$/ takes too long',
    )
  })
})

it('looks for nothing in more steps than in proportion to the text', () => {
  const patterns = [
    ...tokenPatterns(),
    ...contextPatterns(),
    ...[
      assignment,
      emailUser,
      emailDomain,
      keyBeginning,
      keyEnd,
      ...homePatterns,
      unpackedCharacter,
      packedUri,
      terminalStyles,
    ].map((one) => ['people', one] as const),
  ]
  for (const [kind, pattern] of patterns)
    expect([kind, pattern.source, patternCost(pattern.source)?.degree]).toEqual([
      kind,
      pattern.source,
      1,
    ])
})
