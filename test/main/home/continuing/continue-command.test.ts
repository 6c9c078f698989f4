import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { continueCommand } from '../../../../src/main/home/continuing/continue-command'
import { inFolder, shellWord } from '../../../../src/main/home/continuing/shell-words'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import type { SourceId } from '../../../../src/shared/model/conversation/sources'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const disk = historyDisk(appDisk)
const signal = new AbortController().signal
const id = '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000'

/** The commands of all conversations of a source below a root, or why there is none. */
async function commandsIn(
  source: SourceId,
  root: string,
  platform: NodeJS.Platform = 'linux',
): Promise<readonly string[]> {
  const reader = readers.find((one) => one.id === source)
  if (reader === undefined) throw new Error(`no reader of ${source}`)
  const commands: string[] = []
  for await (const ref of reader.list(root, disk, signal))
    commands.push(
      await continueCommand({ reader, ref }, disk, platform, signal).catch(
        (error: Error) => `none: ${error.message}`,
      ),
    )
  return commands
}

function put(file: string, lines: readonly object[]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function claudeRoot(cwd: string | undefined, name = id): string {
  const root = temp()
  const message = { role: 'user', content: 'Soup?' }
  const said = { type: 'user', uuid: 'u1', parentUuid: null, sessionId: id, message, cwd }
  put(path.join(root, 'projects/-garden', `${name}.jsonl`), [said])
  return root
}

function piRoot(cwd: string): { readonly root: string; readonly file: string } {
  const root = temp()
  const file = path.join(root, `sessions/--garden--/2026-11-29T10-00-00-000Z_${id}.jsonl`)
  const timestamp = '2026-11-29T10:00:00.000Z'
  const message = { role: 'user', content: [{ type: 'text', text: 'Soup?' }] }
  put(file, [
    { type: 'session', version: 3, id, timestamp, cwd },
    { type: 'message', id: '00000001', parentId: null, timestamp, message },
  ])
  return { root, file }
}

it('names the program, its option and the session, in the folder of the project', async () => {
  expect(await commandsIn('claude-code', claudeRoot('/srv/garden'))).toEqual([
    `cd /srv/garden && claude --resume ${id}`,
  ])
  const { root, file } = piRoot('/srv/garden')
  expect(await commandsIn('pi', root)).toEqual([`cd /srv/garden && pi --session ${file}`])
  const codex = temp()
  const timestamp = '2026-11-29T10:00:00.000Z'
  const content = [{ type: 'input_text', text: 'Soup?' }]
  put(path.join(codex, `sessions/2026/11/29/rollout-2026-11-29T10-00-00-${id}.jsonl`), [
    { timestamp, type: 'session_meta', payload: { id, timestamp, cwd: '/srv/garden' } },
    { timestamp, type: 'response_item', payload: { type: 'message', role: 'user', content } },
  ])
  expect(await commandsIn('codex', codex)).toEqual([`cd /srv/garden && codex resume ${id}`])
  const openCode = temp()
  const time = { created: 1_780_000_000_000, updated: 1_780_000_000_000 }
  put(path.join(openCode, 'storage/session/global/ses_1.json'), [
    { id: 'ses_1', directory: '/srv/garden', title: 'Soup', time },
  ])
  expect(await commandsIn('opencode', openCode)).toEqual(['cd /srv/garden && opencode -s ses_1'])
})

it('says why there is no command', async () => {
  expect(await commandsIn('claude-code', claudeRoot(undefined))).toEqual([
    'none: The conversation does not say in which folder it was.',
  ])
  expect(await commandsIn('claude-code', claudeRoot('/srv/garden', '--help'))).toEqual([
    'none: "--help" is no id that Claude Code gives.',
  ])
  expect(await commandsIn('claude-code', claudeRoot('/srv/a\u001b[201~\nid'))).toEqual([
    'none: There is no safe command: a name on the way has control characters in it.',
  ])
  // A right-to-left override, which a terminal shows in another order.
  expect(await commandsIn('claude-code', claudeRoot('/srv/a\u202ebc'))).toEqual([
    'none: There is no safe command: a name on the way has control characters in it.',
  ])
})

/** Names of folders that try to be more than names. */
const hostile = [
  "it's; touch pwned",
  '$(touch pwned) `touch pwned`',
  '"quoted" \\ $HOME !! * ? [a] {b,c} ~',
  "'; touch pwned; '",
  '& touch pwned | # > pwned',
  '-rf --help',
  'Gärten ‘2’ 漢字',
]

it.runIf(process.platform !== 'win32')(
  'runs in the folder whatever it is called, and runs nothing else',
  async () => {
    const bin = temp()
    const claude = path.join(bin, 'claude')
    fs.writeFileSync(claude, '#!/bin/sh\npwd -P\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
    for (const name of hostile) {
      const folder = path.join(fs.realpathSync(temp()), name)
      fs.mkdirSync(folder)
      const [command = ''] = await commandsIn('claude-code', claudeRoot(folder))
      const out = execFileSync('/bin/sh', ['-c', command], {
        cwd: bin,
        env: { PATH: `${bin}:/usr/bin:/bin` },
        encoding: 'utf8',
      })
      expect(out).toBe(`${folder}\n--resume\n${id}\n`)
      expect(fs.readdirSync(folder)).toEqual([])
      expect(fs.readdirSync(bin)).toEqual(['claude'])
    }
  },
)

it('quotes for PowerShell on Windows, where typographic quotes are quotes as well', () => {
  expect(shellWord('C:\\it’s $(x)', 'win32')).toBe("'C:\\it’’s $(x)'")
  expect(inFolder("C:\\it's", 'codex resume x', 'win32')).toBe(
    "Set-Location -LiteralPath 'C:\\it''s' -ErrorAction Stop; codex resume x",
  )
})
