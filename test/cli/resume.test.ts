import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { exportCommand } from '../../src/cli/commands/export'
import { resumeCommand } from '../../src/cli/commands/sources/resume'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders()
const cycod = path.join(fixtures, 'readers/cycod/input')
const key = 'chat-history-1754437000000'

/** The files below a folder, relative to it. */
function filesIn(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
}

it.each([
  ['pi', 'sessions', /^sessions\/--.+--\/[\dTZ-]+_[0-9a-f-]{36}\.jsonl$/],
  ['claude-code', 'projects', /^projects\/[A-Za-z0-9-]+\/[0-9a-f-]{36}\.jsonl$/],
  [
    'codex',
    'sessions',
    /^sessions\/(\d{4})\/(\d\d)\/(\d\d)\/rollout-\1-\2-\3T[\d-]+-[0-9a-f-]{36}\.jsonl$/,
  ],
] as const)(
  'a new session of %s lies where the program looks for it, and is continued by the command that was printed',
  async (format, folder, place) => {
    const root = temp()
    fs.mkdirSync(path.join(root, folder))
    const roots = ['--root', `cycod=${cycod}`, '--root', `${format}=${root}`]
    const argv = [key, '--format', format, '--to-program', ...roots]
    const { code, out, words } = await run(exportCommand, argv)
    const [file = '', ...more] = filesIn(root)
    expect(code).toBe(0)
    expect(more).toEqual([])
    expect(file).toMatch(place)
    expect(words).toContain(`bytes in ${path.join(root, file)}.`)

    const id = /[0-9a-f-]{36}(?=\.jsonl$)/.exec(file)?.[0] ?? ''
    const resumed = await run(resumeCommand, [`${format}:${id}`, ...roots])
    expect(resumed).toMatchObject({ code: 0, out })
    const { command } = JSON.parse(
      (await run(resumeCommand, [`${format}:${id}`, '--json', ...roots])).out,
    )
    expect(`${command}\n`).toBe(out)

    await run(exportCommand, argv)
    expect(filesIn(root).length).toBe(2)
  },
)

it('nothing is written where the program has no sessions, and OpenCode takes files by its import alone', async () => {
  const root = temp()
  const roots = ['--root', `cycod=${cycod}`, '--root', `pi=${root}`]
  const to = (format: string) =>
    run(exportCommand, [key, '--format', format, '--to-program', ...roots])
  await expect(to('pi')).rejects.toThrow('pi has no folder of sessions among the sources.')
  await expect(to('opencode')).rejects.toThrow('OpenCode has no folder that takes new files.')
  await expect(to('md')).rejects.toThrow('has no folder that takes new files.')
  expect(filesIn(root)).toEqual([])
})

it("says that a conversation of another system has no program's command, and that one KEY is needed", async () => {
  const roots = ['--root', `cycod=${cycod}`]
  await expect(run(resumeCommand, [key, ...roots])).rejects.toThrow(
    'No command goes on with a conversation of cycod.',
  )
  await expect(run(resumeCommand, roots)).rejects.toThrow('needs one KEY')
  await expect(
    run(exportCommand, [key, '--format', 'pi', '--to-program', '-o', 'x', ...roots]),
  ).rejects.toThrow('--to-program takes one KEY, and no --output.')
})
