import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sourcesCommand } from '../../src/cli/commands/sources'
import { type Disk, DiskError } from '../../src/main/disk/interface/disk'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { event, head, jsonLines, message, rolloutOf, threadIds } from '../support/codex-rollouts'
import { tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders()
const [id] = threadIds

/** Codex's folder with a thread, and a home without conversations. */
function folders(...lines: readonly object[]) {
  const root = temp()
  const file = path.join(root, rolloutOf(id))
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, jsonLines(head(id), message('user', 'Prune the pear'), ...lines))
  fs.utimesSync(file, 1_789_000_000, 1_789_000_000)
  const home = path.join(temp(), 'home')
  return { file, root, argv: ['--home', home, '--root', `codex=${root}`], cache: temp() }
}

it('lists what is there without reading it, and with --check what is new in it', async () => {
  const { file, argv, cache } = folders({ ...event({ type: 'nap_began' }), glow: 1 })
  const listed = await run(sourcesCommand, argv, { cache })
  expect(listed).toMatchObject({ code: 0, words: '' })
  expect(listed.out).toMatch(/^Codex CLI +1 {2}2026-09-1\d {2}/m)
  expect(listed.out).toContain('Not checked yet for new types and fields.')

  const place = `line 3 of ${file} (skein show codex:${id} --branches all)`
  const checked = await run(sourcesCommand, [...argv, '--check'], { cache })
  expect(checked.out).toContain(
    [
      '    1 new type and 1 new field in 1 conversation, nothing lost.',
      `      type event_msg.payload/nap_began: ${place}`,
      `      field glow: ${place}`,
      '',
    ].join('\n'),
  )
  // What was checked is kept, and printed without reading it again.
  expect((await run(sourcesCommand, argv, { cache })).out).toBe(checked.out)
})

it('prints the same for scripts', async () => {
  const { root, file, argv } = folders({ ...event({ type: 'token_count' }), glow: 1 })
  const { out } = await run(sourcesCommand, [...argv, '--check', '--json'])
  const codex = JSON.parse(out).sources.find((one: { id: string }) => one.id === 'codex')
  const where = { key: id, file, line: 3, unit: 'line' }
  expect(codex).toEqual({
    id: 'codex',
    label: 'Codex CLI',
    roots: [
      {
        path: root,
        state: 'ok',
        conversations: 1,
        bytes: fs.statSync(file).size,
        newest: new Date(1_789_000_000_000).toISOString(),
      },
    ],
    drift: {
      proved: '0.154',
      checked: 1,
      unchecked: 0,
      changed: 1,
      names: [{ what: 'field', name: 'glow', lines: 1, conversations: 1, ...where }],
      isCut: false,
      newer: null,
    },
  })
})

it('names from files begin no line of their own, and have nothing that a terminal obeys', async () => {
  const name = 'a\u001b[2Jb\nCodex CLI  99\r\u202e'
  const { argv } = folders({ ...event({ type: 'token_count' }), [name]: 1 })
  const { out } = await run(sourcesCommand, [...argv, '--check'])
  expect(out).toContain('field a\u241b[2Jb Codex CLI 99 ⟨U+202E⟩: line 3 of ')
  expect(out).not.toContain('\u001b')
})

it('says what version is newer than the newest that was proved', async () => {
  const { argv } = folders(head(id, { cli_version: '0.200.0' }))
  const { out } = await run(sourcesCommand, [...argv, '--check'])
  expect(out).toContain(
    'Nothing new. Version 0.200.0 in 1 conversation is newer than 0.154, the newest that Skein was tested with.\n      version 0.200.0: line 3 of ',
  )
})

it('names a conversation that --check cannot read, lists the rest, and ends with 1', async () => {
  const { argv } = folders()
  const cycod = temp()
  const file = path.join(cycod, 'chat-history-1754437000000.jsonl')
  fs.writeFileSync(file, jsonLines({ role: 'user', content: 'Soup?' }))
  const disk: Disk = {
    ...nodeDisk,
    async open(at, ...how) {
      if (at === file) throw new DiskError('denied', at, `${at} is locked away`)
      return nodeDisk.open(at, ...how)
    },
  }
  const roots = [...argv, '--root', `cycod=${cycod}`, '--check']
  const { code, out, words } = await run(sourcesCommand, roots, { disk })
  expect(words).toContain('cycod:chat-history-1754437000000 was not checked: ')
  expect(words).toContain('is locked away')
  expect(out).toContain('Nothing new.')
  expect(code).toBe(1)
})

it('what is new in several homes is one list, each name with the first line that has it', async () => {
  const home = (fields: object) => {
    const folder = path.join(temp(), 'home')
    const file = path.join(folder, 'contexts/garden/transcript/active.jsonl')
    const entry = { id: 'a', timestamp: 1, from: 'ann', to: 'garden', content: 'hi' }
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, jsonLines({ ...entry, entry_type: 'message', ...fields }))
    return { folder, file }
  }
  const [one, other] = [home({ glow: 1 }), home({ glow: 1, aura: 1 })]
  const argv = ['--home', one.folder, '--root', `chibi=${other.folder}`, '--check']
  const { out } = await run(sourcesCommand, argv)
  expect(out).toContain('2 new fields in 2 conversations, nothing lost.')
  expect(out).toContain(`field glow: in 2 conversations, first line 1 of ${one.file} (`)
  expect(out).toContain(`field aura: line 1 of ${other.file} (`)
})
