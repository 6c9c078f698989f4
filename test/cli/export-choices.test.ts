import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportCommand } from '../../src/cli/commands/export'
import { skeinFolder } from '../../src/main/settings/user-folders'
import { claudeRecords, writeClaudeSession } from '../support/claude-sessions'
import { tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders()
const session = '11111111-2222-4333-8444-555555555556'
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

function writeSession(): string {
  const root = temp()
  const { user, call, result } = claudeRecords(session)
  writeClaudeSession(root, `projects/-a/${session}.jsonl`, [
    user(1, null, 'first'),
    call(2, 1, 'Bash', 'c1', { command: 'ls' }),
    result(3, 2, 'c1', 'plums'),
    user(4, 3, 'second'),
    user(5, 4, 'third'),
  ])
  return root
}

const exported = (root: string, ...argv: readonly string[]) =>
  run(exportCommand, [session, '--root', `claude-code=${root}`, ...argv], { config: temp() })

async function contents(...argv: readonly string[]): Promise<readonly string[]> {
  const { out } = await exported(writeSession(), '--format', 'jsonl', ...argv)
  return out
    .trim()
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line).content)
}

describe('an export of a part', () => {
  it.each([
    [[], ['first', '{"command":"ls"}', 'plums', 'second', 'third']],
    [
      ['--tools', 'calls'],
      ['first', '{"command":"ls"}', 'second', 'third'],
    ],
    [
      ['--tools', 'none'],
      ['first', 'second', 'third'],
    ],
    [
      ['--from', id(4)],
      ['second', 'third'],
    ],
    [
      ['--to', id(3)],
      ['first', '{"command":"ls"}', 'plums'],
    ],
    [['--from', id(2), '--to', id(4), '--tools', 'none'], ['second']],
  ])('by %s has these entries', async (argv, expected) => {
    expect(await contents(...argv)).toEqual(expected)
  })

  it('says what is left out, and what goes on from it goes on from the entry before', async () => {
    const { out, words } = await exported(writeSession(), '--format', 'json', '--tools', 'none')
    expect(words).toContain('2 entries are left out as chosen.')
    const [{ entries, active }] = JSON.parse(out).conversations
    expect(entries.map((one: { parent: string | null }) => one.parent)).toEqual([
      null,
      id(1),
      id(4),
    ])
    expect(active).toEqual([id(1), id(4), id(5)])
  })

  it('has no times where none are wanted', async () => {
    const { out } = await exported(writeSession(), '--times', 'none')
    expect(out).toContain('## You\n')
    expect(out).not.toContain('2026-09-10')
  })

  it('is none of the original, and no range is of several', async () => {
    await expect(
      exported(writeSession(), '--format', 'original', '--tools', 'none'),
    ).rejects.toThrow('The original is copied byte for byte, and whole.')
    await expect(
      exported(writeSession(), session, '--from', id(1), '-o', path.join(temp(), 'x')),
    ).rejects.toThrow('--from and --to are of one conversation.')
  })
})

it('leaves the file alone', async () => {
  const root = writeSession()
  const file = path.join(root, `projects/-a/${session}.jsonl`)
  const before = fs.readFileSync(file)
  await exported(root, '--tools', 'none', '--redact')
  expect(fs.readFileSync(file).equals(before)).toBe(true)
})

describe('the own patterns that are kept in Settings', () => {
  const withKept = (redactPatterns: unknown) => {
    const config = temp()
    const folder = skeinFolder({ XDG_CONFIG_HOME: config })
    fs.mkdirSync(folder)
    const settings = JSON.stringify({ preferences: { redactPatterns } })
    fs.writeFileSync(path.join(folder, 'settings.json'), settings)
    return async (...argv: readonly string[]) => {
      const of = [session, '--root', `claude-code=${writeSession()}`, '--format', 'txt']
      return (await run(exportCommand, [...of, ...argv], { config })).out
    }
  }

  it('belong to --redact with the group own, and to --redact alone', async () => {
    const text = withKept(['plums', '/^sec/'])
    for (const flag of ['--redact', '--redact=own', '--redact=emails,own']) {
      const out = await text(flag, '--redact-pattern', 'third')
      expect(out).toMatch(/\[redacted: own pattern #\d\]ond/)
      expect(out).not.toMatch(/plums|third/)
    }
    for (const argv of [[], ['--redact=emails'], ['--redact-pattern', 'third']])
      expect(await text(...argv)).toMatch(/plums[\s\S]*second/)
  })

  it('that cannot be read stop an export that is to hide them', async () => {
    const text = withKept('plums')
    await expect(text('--redact')).rejects.toMatchObject({ code: 'unreadable' })
    expect(await text('--redact=keys')).toContain('plums')
  })
})
