import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignment } from '../../../src/main/redaction/assigned'
import { contextPatterns } from '../../../src/main/redaction/contexts'
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
    ...[assignment, emailUser, emailDomain, keyBeginning, keyEnd, ...homePatterns].map(
      (one) => ['people', one] as const,
    ),
  ]
  for (const [kind, pattern] of patterns)
    expect([kind, pattern.source, patternCost(pattern.source)?.degree]).toEqual([
      kind,
      pattern.source,
      1,
    ])
})
