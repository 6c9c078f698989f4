import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { snapshotCommand } from '../../src/cli/commands/sources/snapshot'
import { terminalPerson } from '../../src/cli/terminal/person'
import { terminalSecret } from '../../src/cli/terminal/secret'
import { bundled } from '../support/bundled'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders()
const program = bundled('src/cli/index.ts')
const passphrase = 'gärten und äpfel'
let kept = ''
let encrypted = ''

beforeAll(async () => {
  kept = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-'))
  const home = path.join(kept, 'home')
  fs.mkdirSync(home)
  const typed = [passphrase, passphrase]
  await run(snapshotCommand, ['take', kept, '--encrypt', '--home', home], { typed })
  encrypted = path.join(kept, fs.readdirSync(kept).find((one) => one !== 'home') ?? '')
})

afterAll(() => fs.rmSync(kept, { recursive: true, force: true }))

function check(file: string, words: readonly string[], more: Parameters<typeof run>[2] = {}) {
  return run(snapshotCommand, ['check', file, ...words], more)
}

describe('a passphrase in a file', () => {
  it('is UTF-8, and what is not is refused in words and not replaced', async () => {
    const file = path.join(temp(), 'words')
    const checked = (bytes: Uint8Array) => {
      fs.writeFileSync(file, bytes)
      return check(encrypted, ['--passphrase-file', file])
    }
    const marked = Buffer.from(`\ufeff${passphrase}\n`)
    for (const bytes of [Buffer.from(passphrase), marked])
      expect((await checked(bytes)).out).toContain('each is as it was')
    for (const [bytes, why] of [
      [Buffer.from(passphrase, 'latin1'), 'is not UTF-8'],
      [Buffer.from(`\ufeff${passphrase}`, 'utf16le'), 'is UTF-16'],
      [Buffer.from(`\ufeff${passphrase}`, 'utf16le').swap16(), 'is UTF-16'],
      [Buffer.from(passphrase, 'utf16le'), 'is UTF-16'],
    ] as const)
      await expect(checked(bytes)).rejects.toMatchObject({
        code: 'passphrase',
        message: expect.stringContaining(`${file} ${why}`),
      })
    await expect(checked(Buffer.alloc(5000, 'a'))).rejects.toMatchObject({ code: 'too-large' })
  })

  it('may be standard input, which is read no further than a passphrase goes', async () => {
    const input = Buffer.from(`${passphrase}\r\n`)
    for (const name of ['-', '/dev/stdin', '/dev/fd/0']) {
      const words = ['--passphrase-file', name]
      expect((await check(encrypted, words, { input })).out).toContain('each is as it was')
    }
    const dash = ['--passphrase-file', '-']
    await expect(check(encrypted, dash)).rejects.toThrow('Standard input is a terminal')
    await expect(check(encrypted, dash, { input: Buffer.alloc(5000, 'a') })).rejects.toMatchObject({
      code: 'too-large',
    })
  })

  it.skipIf(process.platform === 'win32')('may be a pipe', async () => {
    const pipe = path.join(temp(), 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const [text, outcome] of [
      [`${passphrase}\n`, 'read'],
      ['a'.repeat(5000), 'too-large'],
    ] as const) {
      // By a process: where nothing reads, a thread that waits to write would never end.
      const writer = spawn('sh', ['-c', 'printf %s "$0" > "$1"', text, pipe])
      const done = check(encrypted, ['--passphrase-file', pipe]).then(
        () => 'read',
        (error: { code: string }) => error.code,
      )
      try {
        expect(await done).toBe(outcome)
      } finally {
        writer.kill()
      }
    }
  })

  it('is read from the standard input of the program', () => {
    const words = ['snapshot', 'check', encrypted, '--passphrase-file', '-']
    const out = execFileSync(process.execPath, [program(), ...words], {
      input: `${passphrase}\n`,
      env: { ...process.env, HOME: kept, XDG_CONFIG_HOME: kept, XDG_CACHE_HOME: kept },
    })
    expect(out.toString()).toContain('each is as it was')
  })

  it('is refused for a snapshot that is not encrypted', async () => {
    const folder = temp()
    const home = path.join(folder, 'home')
    fs.mkdirSync(home)
    await run(snapshotCommand, ['take', folder, '--home', home])
    const plain = path.join(folder, fs.readdirSync(folder).find((one) => one !== 'home') ?? '')
    expect((await check(plain, [])).code).toBe(0)
    const dash = ['--passphrase-file', '-']
    await expect(check(plain, dash, { input: Buffer.from(passphrase) })).rejects.toMatchObject({
      code: 'unreadable',
    })
    fs.renameSync(plain, `${plain}.age`)
    await expect(check(`${plain}.age`, [], { typed: [passphrase] })).rejects.toMatchObject({
      code: 'unreadable',
    })
  })
})

describe('a passphrase that is typed', () => {
  it('is not asked for where the snapshot is for a key, and refused before it is typed again where it has blanks alone', async () => {
    const forKey = path.join(fixtures, 'snapshots/for-a-key.zip.age')
    // Nothing would be typed: that is another error.
    await expect(check(forKey, [], { typed: [] })).rejects.toMatchObject({ code: 'unreadable' })
    const folder = temp()
    await expect(
      run(snapshotCommand, ['take', folder, '--encrypt', '--home', folder], { typed: ['  '] }),
    ).rejects.toMatchObject({ code: 'passphrase', message: expect.stringContaining('blanks') })
  })

  it('is not asked for after a stop', async () => {
    const { stdin, stderr } = process
    const streams = [stdin, stderr].map((stream) => ({ stream, was: stream.isTTY }))
    const written = vi.spyOn(stderr, 'write').mockReturnValue(true)
    // What is asked in spite of it would wait for a person.
    const asked = vi.spyOn(readline, 'createInterface').mockImplementation(() => {
      throw new Error('it asks')
    })
    try {
      for (const { stream } of streams) stream.isTTY = true
      for (const ask of [terminalSecret(() => undefined), terminalPerson()])
        expect(await ask?.('Passphrase: ', AbortSignal.abort())).toBeUndefined()
      expect(written).not.toHaveBeenCalled()
    } finally {
      for (const { stream, was } of streams) stream.isTTY = was
      written.mockRestore()
      asked.mockRestore()
    }
  })
})
