import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundled } from '../support/bundled'
import { tempFolders } from '../support/temp-folder'
import { fixtures } from './run'
import { skeinHere } from './skein-here'

const folder = tempFolders()
const program = bundled('src/cli/index.ts')
const cycod = ['--root', `cycod=${path.join(fixtures, 'readers/cycod/input')}`]

/** Runs `skein` as a process of its own. */
function skein(argv: readonly string[], out: 'pipe' | number = 'pipe') {
  const env = { ...process.env, XDG_CACHE_HOME: folder(), HOME: folder() }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(), ...argv], {
    stdio: ['ignore', out, 'pipe'],
    env,
    encoding: 'utf8',
  })
  return { status, out: stdout, words: stderr }
}

describe.skipIf(!fs.existsSync('/dev/full'))('a full disk behind standard output', () => {
  it.each([
    ['list', ['list', '--json', ...cycod]],
    ['export', ['export', 'chat-history-1754437000000', ...cycod]],
    ['read', ['read', '--json', ...cycod]],
    ['help', ['--help']],
  ])('is a failure of %s, in words', (_, argv) => {
    const full = fs.openSync('/dev/full', 'w')
    try {
      const { status, words } = skein(argv, full)
      expect(words).toContain('Standard output takes no more: the disk is full.\n')
      expect(words).not.toContain('    at ')
      expect(status).toBe(1)
    } finally {
      fs.closeSync(full)
    }
  })
})

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
  'takes %s for a word like any other',
  async (word) => {
    const here = (argv: readonly string[]) =>
      skeinHere(argv, { ...process.env, XDG_CACHE_HOME: folder(), HOME: folder() })
    expect(skein([word])).toMatchObject({ status: 2 })
    const shown = await here(['show', word, ...cycod])
    expect(shown).toMatchObject({ code: 1, words: `There is no conversation "${word}".\n` })
    for (const argv of [[`--${word}`], ['list', `--${word}`, ...cycod], ['help', word]]) {
      const { words } = await here(argv)
      expect(words).not.toContain('    at ')
    }
  },
)

it('fails a search as grep does, where its exit codes are asked for', () => {
  const nowhere = ['--home', path.join(folder(), 'nowhere')]
  expect(skein(['search', 'x', ...nowhere])).toMatchObject({ status: 1 })
  expect(skein(['search', 'x', '--exit-code', ...nowhere])).toMatchObject({ status: 2 })
})

it('says what a person named without what a terminal obeys', () => {
  const { status, words } = skein(['show', 'a\u001b[31mred\u009b', ...cycod])
  expect(status).toBe(1)
  expect(words).toBe('There is no conversation "a␛[31mred⟨U+009B⟩".\n')
})

it('prints names of files without what a terminal obeys', () => {
  const root = folder()
  fs.mkdirSync(path.join(root, 'history'))
  const name = 'chat-history-1754437000000\u001b[2J\nforged  9 lines.jsonl'
  fs.writeFileSync(path.join(root, 'history', name), '{"role":"user","content":"hello"}\n')
  const { status, out, words } = skein(['read', '--root', `cycod=${root}`])
  expect(status).toBe(0)
  expect(`${out}${words}`).not.toContain('\u001b')
  expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(1)
})

it('says what the disk said in a sentence', () => {
  const target = path.join(folder(), 'none', 'out.md')
  const argv = ['export', 'chat-history-1754437000000', ...cycod, '-o', target]
  const { status, words } = skein(argv)
  expect(status).toBe(1)
  expect(words).toContain(`${path.dirname(target)}`)
  expect(words).not.toContain('    at ')
})
