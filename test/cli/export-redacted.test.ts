import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportCommand } from '../../src/cli/commands/export'
import { exporterOf } from '../../src/main/exporters/index'
import type { ExportFormat } from '../../src/shared/model/export'
import { claudeRecords } from '../support/claude-sessions'
import { triesAll } from '../support/drawn'
import { unprintedFormats } from '../support/exported'
import { plantedSecrets, plantedTexts } from '../support/secrets'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders()
const session = '11111111-2222-4333-8444-555555555555'

/**
 * Writes a session with a secret of each kind in words, arguments, results, names, paths, members that no format knows, and in
 * a line that is cut off; or the same with the words that are to replace them.
 */
function writeSession(of: 'plain' | 'redacted'): string {
  const root = fs.mkdtempSync(path.join(memoryFolder, 'skein-redacted-'))
  const records = claudeRecords(session)
  const user = plantedTexts(plantedSecrets.find(({ kind }) => kind === 'user') ?? never())[of]
  const home = user.replace('/orchard/a.txt', '')
  let n = 1
  const first = { ...records.user(1, null, 'Plums and pears'), cwd: `${home}/plums` }
  const all = plantedSecrets.flatMap((planted, at) => {
    const text = plantedTexts(planted)[of]
    const parent = n
    const id = `toolu_${at}`
    n += 3
    const more = { cwd: `${home}/plums`, gitBranch: 'main' }
    return [
      { ...records.user(n - 2, parent, `Look at\n${text}\nplease, not at it.`), ...more },
      {
        ...records.call(n - 1, n - 2, 'Bash', id, {
          command: `echo '${text}'\nls`,
          [`k ${text}`]: [text],
        }),
        ...more,
      },
      {
        ...records.result(n, n - 1, id, `out:\n\t${text}\nend`, {
          toolUseResult: { stdout: text },
        }),
        ...more,
      },
    ]
  })
  const coded = of === 'plain' ? '-home-mallory-plums' : '-home-[redacted: user #1]-plums'
  const folder = path.join(root, 'projects', coded)
  fs.mkdirSync(folder, { recursive: true })
  const torn = JSON.stringify({
    type: 'user',
    text: plantedTexts(plantedSecrets[8] ?? never())[of],
  })
  const lines = [first, ...all].map((one) => JSON.stringify(one)).concat(torn.slice(0, -2))
  fs.writeFileSync(path.join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`)
  return root
}

function never(): never {
  throw new Error('it is planted')
}

const exported = (root: string, format: string, ...argv: readonly string[]) =>
  run(exportCommand, [session, '--root', `claude-code=${root}`, '--format', format, ...argv], {
    config: temp(),
  })

/** The same, made once for all tests that compare with it. */
const made = new Map<string, ReturnType<typeof exported>>()
function unredacted(root: string, format: string): ReturnType<typeof exported> {
  const one = made.get(`${root} ${format}`) ?? exported(root, format)
  made.set(`${root} ${format}`, one)
  return one
}

/** Where a line lies is another place when it is longer. */
const withoutPlaces = (text: string) =>
  text
    .replace(/"(offset|length)":\d+/g, '"$1":0')
    .replace(',"redacted":true', '')
    .replace(/\d+ bytes at offset \d+\.(?: The first \d+ of them:)?/g, 'bytes')

const formats = unprintedFormats.filter((format) => format !== 'original')

let plain = ''
let words = ''

beforeAll(() => {
  plain = writeSession('plain')
  words = writeSession('redacted')
})

afterAll(() => {
  for (const root of [plain, words]) fs.rmSync(root, { recursive: true, force: true })
})

describe.each(formats)('a redacted export as %s', (format) => {
  it('has no secret of any kind, in no escape, and in no damaged line; and nothing else is changed', async () => {
    const { code, out, words: said } = await exported(plain, format, '--redact')
    expect(code).toBe(0)
    expect(said).toMatch(/Redacted in \d+ places: /)
    const decoded = out.replace(/"bytes":"([^"]*)"/g, (_, bytes) =>
      Buffer.from(bytes, 'base64').toString(),
    )
    for (const { kind, secret } of plantedSecrets)
      for (const line of secret.split('\n').filter((one) => !one.startsWith('-----')))
        expect([kind, decoded.includes(line)]).toEqual([kind, false])
    // A session has a new id each time.
    if (!isSession(format))
      expect(withoutPlaces(out)).toBe(withoutPlaces((await unredacted(words, format)).out))
  })
})

/** Of names that records have, and of all that is text: with few tests, a name and all. */
const ownPatterns = ['tim', '/[a-z]/i', ...(triesAll ? ['content', 'user', 'role', 'usage'] : [])]

describe.each(formats)('own patterns in an export as %s', (format) => {
  it.each(ownPatterns)('that match %s leave it whole, with its times', async (pattern) => {
    const { code, out } = await exported(plain, format, '--redact-pattern', pattern)
    expect(code).toBe(0)
    // A clock in a document, or in a time as data has it.
    const clocks = (text: string) => text.match(/\d\d:\d\d/g)?.length
    expect(clocks(out)).toBe(clocks((await unredacted(plain, format)).out))
  })
})

it('keeps members, speakers, times and links of entries whatever an own pattern matches', async () => {
  const structure = (out: string) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((line) => 'entry_type' in line)
      .map(({ id, parent, timestamp, role, entry_type, tool_call_id, offset, ...others }) => [
        { id, parent, timestamp, role, entry_type, tool_call_id, offset },
        Object.keys(others).sort(),
      ])
  const { out } = await exported(plain, 'jsonl')
  const redacted = await exported(plain, 'jsonl', '--redact-pattern', '/[a-z]+/i')
  expect(structure(redacted.out)).toEqual(structure(out))
})

function isSession(format: ExportFormat): boolean {
  return exporterOf(format).isSession === true
}

it('counts by kind what is redacted, in words and as JSON', async () => {
  const root = plain
  const { words } = await exported(root, 'txt', '--redact=emails')
  expect(words).toMatch(/^Redacted in \d+ places: e-mail address \d+\.$/m)
  const folder = temp()
  const { out } = await run(
    exportCommand,
    ['--all', '--json', '--redact=emails,homes', '-o', folder, '--root', `claude-code=${root}`],
    { config: temp() },
  )
  const { files, redacted } = JSON.parse(out)
  expect(redacted.kinds.map((one: { kind: string }) => one.kind).sort()).toEqual([
    'e-mail address',
    'user',
  ])
  expect(files[0].redacted).toEqual(redacted)
  expect(redacted.places).toBeGreaterThan(0)
})

it('replaces own patterns alone where nothing else is asked for', async () => {
  const { out, words } = await exported(plain, 'txt', '--redact-pattern', '/PLEASE, not/i')
  expect(out).toContain('[redacted: own pattern #1] at it.')
  expect(out).toContain('mallory.plum@orchard.example')
  expect(words).toMatch(/^Redacted in \d+ places: own pattern \d+\.$/m)
})

it.each([
  [['--redact', '--format', 'original'], 'The original is copied byte for byte'],
  [['--redact', '--format', 'pi', '--to-program'], '--to-program is not redacted'],
  [['--redact=nothing'], '--redact takes keys, emails, homes, own, not "nothing".'],
  [['--redact-pattern', ''], '--redact-pattern takes a text'],
])('is refused for %s', async (argv, message) => {
  await expect(run(exportCommand, ['KEY', ...argv], { config: temp() })).rejects.toThrow(message)
})
