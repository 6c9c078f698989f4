import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportCommand } from '../../src/cli/commands/export'
import { listCommand } from '../../src/cli/commands/list'
import { readCommand } from '../../src/cli/commands/read'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { sourcesCommand } from '../../src/cli/commands/sources'
import { backupCommand } from '../../src/cli/commands/sources/backup'
import { resumeCommand } from '../../src/cli/commands/sources/resume'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders(memoryFolder)
const session = '5f0c1f4e-2a6b-4c3d-9e8f-7a6b5c4d3e2f'

/** Claude Code's folder, and a person's folders. */
function ground() {
  const folder = temp()
  const claude = path.join(folder, 'claude')
  fs.cpSync(path.join(fixtures, 'readers/claude-code/input'), claude, { recursive: true })
  const argv = ['--root', `claude-code=${claude}`]
  const more = { config: path.join(folder, 'config'), cache: path.join(folder, 'cache') }
  return {
    claude,
    file: path.join(claude, `projects/-home-ann-garden/${session}.jsonl`),
    settings: path.join(more.config, 'Skein/settings.json'),
    archive: path.join(more.config, 'Skein/backups'),
    run: (command: Parameters<typeof run>[0], ...words: readonly string[]) =>
      run(command, [...words, ...argv], more),
  }
}

/** The program deletes what it has of a session. */
function deleteSession(claude: string): void {
  fs.rmSync(path.join(claude, 'projects'), { recursive: true })
}

describe('skein backup', () => {
  it('offers what is known to delete, and copies nothing before it is turned on', async () => {
    const { run, archive } = ground()
    const { out } = await run(backupCommand)
    expect(out).toMatch(/^Claude Code +off +0 files +0 bytes /)
    expect(out).toContain(
      'Claude Code deletes conversations after 30 days (cleanupPeriodDays): "skein backup on claude-code" keeps them.',
    )
    expect((await run(backupCommand, 'now')).words).toBe(
      'Nothing is backed up. "skein backup on SOURCE" begins.\n',
    )
    expect(fs.existsSync(archive)).toBe(false)
  })

  it('copies at once when it is turned on, and what is new when it is asked to', async () => {
    const { run, claude, file, settings } = ground()
    const on = await run(backupCommand, 'on', 'claude-code')
    expect(on).toMatchObject({ code: 0, words: '' })
    expect(on.out).toContain('3 new, 0 changed since the last time.')
    const { sources } = JSON.parse(fs.readFileSync(settings, 'utf8'))
    expect(sources).toEqual({ backedUp: [{ source: 'claude-code', path: claude }] })
    fs.appendFileSync(file, '{"type":"summary","summary":"Pears"}\n')
    const { out } = await run(backupCommand, 'now', '--json')
    expect(JSON.parse(out)).toEqual({
      backups: [
        {
          source: 'claude-code',
          label: 'Claude Code',
          path: claude,
          isOn: true,
          deletesAfterDays: 30,
          files: 3,
          bytes: expect.any(Number),
          sharedBytes: expect.any(Number),
          earlier: 0,
          copied: 0,
          changed: 1,
          gone: 0,
          failed: [],
        },
      ],
    })
  })

  it('keeps what it has when it is turned off', async () => {
    const { run, claude, settings } = ground()
    await run(backupCommand, 'on', 'claude-code')
    expect((await run(backupCommand, 'off', 'claude-code')).out).toMatch(
      /^Claude Code +off +3 files/,
    )
    expect(JSON.parse(fs.readFileSync(settings, 'utf8')).sources).toEqual({})
    deleteSession(claude)
    expect((await run(listCommand)).out).toContain('(gone from Claude Code, in the backup)')
  })

  it('finds broken seals, and exits 1', async () => {
    const { run, archive } = ground()
    await run(backupCommand, 'on', 'claude-code')
    expect(await run(backupCommand, 'check')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Claude Code +3 files, every seal holds/),
    })
    const [place = ''] = fs.readdirSync(archive)
    const copy = path.join(archive, place, `now/projects/-home-ann-garden/${session}.jsonl`)
    fs.writeFileSync(copy, 'x'.repeat(fs.statSync(copy).size))
    const broken = await run(backupCommand, 'check')
    expect(broken.code).toBe(1)
    expect(broken.out).toContain('1 seal broken')
    expect(broken.out).toContain(`CHANGED  ${copy}`)
  })

  it('deletes nothing without a terminal to ask at', async () => {
    const { run, archive } = ground()
    await run(backupCommand, 'on', 'claude-code')
    await expect(run(backupCommand, 'delete', 'claude-code')).rejects.toThrow(
      'There is no terminal to ask at. Nothing was deleted.',
    )
    expect(fs.readdirSync(archive)).toHaveLength(1)
  })

  it.each([
    [['on'], '"skein backup on" needs a SOURCE.'],
    [['now', 'claude-code'], '"skein backup now" takes nothing.'],
    [['twice'], '"skein backup" takes on, off, now, check, delete, or nothing.'],
    [['on', 'tape'], '"tape" is not a source'],
    [['on', 'opencode'], 'OpenCode cannot be backed up: its conversations lie in a database'],
  ])('%j: %s', async (words, message) => {
    const { run } = ground()
    await expect(run(backupCommand, ...words)).rejects.toThrow(message)
  })
})

describe('what a program deleted', () => {
  it('is listed under its key, read, found and exported as before, and marked', async () => {
    const { run, claude } = ground()
    await run(backupCommand, 'on', 'claude-code')
    const all = async () => ({
      show: (await run(showCommand, session)).out,
      read: JSON.parse((await run(readCommand, '--json')).out).conversations,
      found: JSON.parse((await run(searchCommand, 'the', '--json')).out).hits,
      exported: (await run(exportCommand, session, '--format', 'md')).out,
      original: (await run(exportCommand, session, '--format', 'original')).out,
      listed: JSON.parse((await run(listCommand, '--json')).out).conversations,
    })
    const before = await all()
    deleteSession(claude)
    const after = await all()
    const { listed, ...others } = before
    expect(after).toMatchObject(others)
    expect(after.listed).toEqual(listed.map((one: object) => ({ ...one, backup: 'gone' })))
    const shown = await run(showCommand, session)
    expect(shown).toMatchObject({
      code: 0,
      words: expect.stringContaining(
        'Claude Code no longer has this conversation. This is the backup.',
      ),
    })
  })

  it('is there with its relatives where the program left those', async () => {
    const { run, file } = ground()
    await run(backupCommand, 'on', 'claude-code')
    const before = JSON.parse((await run(listCommand, '--json')).out).conversations
    // The session goes, and its folder with subagents stays.
    fs.rmSync(file)
    const after = JSON.parse((await run(listCommand, '--json')).out).conversations
    expect(after).toEqual(
      before.map((one: { key: string }) =>
        one.key === session ? { ...one, backup: 'gone' } : one,
      ),
    )
  })

  it('is read though nothing is left of the folder', async () => {
    const { run, claude } = ground()
    await run(backupCommand, 'on', 'claude-code')
    fs.rmSync(claude, { recursive: true })
    expect((await run(showCommand, session)).code).toBe(0)
    await expect(run(resumeCommand, session)).rejects.toThrow(
      "Claude Code does not have this conversation: it is in Skein's backup alone.",
    )
    expect((await run(sourcesCommand)).out).toMatch(/Claude Code +0 .*missing/)
  })

  it('is no second conversation while the program has it', async () => {
    const { run } = ground()
    const before = await run(listCommand, '--json')
    await run(backupCommand, 'on', 'claude-code')
    expect((await run(listCommand, '--json')).out).toBe(before.out)
    expect((await run(sourcesCommand)).out).not.toContain('backups')
  })

  it('in part, by rewriting a session, is there as an earlier version', async () => {
    const { run, file } = ground()
    await run(backupCommand, 'on', 'claude-code')
    const text = fs.readFileSync(file, 'utf8')
    fs.writeFileSync(file, text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1))
    await run(backupCommand, 'now')
    const { conversations } = JSON.parse((await run(listCommand, '--json')).out)
    const found = conversations.filter(
      ({ key }: { key: string }) => key.startsWith(session) && !key.includes('/'),
    )
    expect(
      found.map(({ key, backup }: { key: string; backup?: string }) => [key, backup]).sort(),
    ).toEqual([
      [session, undefined],
      [`${session}@2`, 'earlier'],
    ])
    const earlier = await run(showCommand, `${session}@2`)
    expect(earlier.words).toContain('This is an earlier version, from the backup.')
  })
})
