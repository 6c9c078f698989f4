import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { snapshotCommand } from '../../src/cli/commands/sources/snapshot'
import { bundled } from '../support/bundled'
import { tempFolders } from '../support/temp-folder'
import { askEnvironment, askPlace, hasTerminal } from './ask-process'
import { run } from './run'
import { openTerminal } from './terminal'

const temp = tempFolders()
const program = bundled('src/cli/index.ts')

describe.skipIf(!hasTerminal())('at a terminal', () => {
  it('a passphrase that is typed is not shown, and Ctrl+C ends it', async () => {
    const place = askPlace(temp())
    fs.mkdirSync(place.home, { recursive: true })
    fs.writeFileSync(path.join(place.home, 'config.toml'), 'model = "m"\n')
    const kept = temp()
    const typed = ['gärten und äpfel', 'gärten und äpfel']
    await run(snapshotCommand, ['take', kept, '--encrypt', '--home', place.home], { typed })
    const file = path.join(kept, fs.readdirSync(kept)[0] ?? '')
    const line = [process.execPath, program(), 'snapshot', 'check', file]
    const asked = async (words: string) => {
      const terminal = openTerminal(line, askEnvironment(place, 'http://127.0.0.1:9/v1'))
      await terminal.shows('Passphrase: ')
      terminal.type(words)
      return { code: await terminal.ended(), out: terminal.out() }
    }
    const right = await asked('gärten und äpfelx\u007f\r')
    expect(right.out).toContain('1 file, 12 bytes: each is as it was.')
    expect(right.out).not.toMatch(/rten|pfel/)
    expect(right.code).toBe(0)
    const stopped = await asked('tulips\u0003')
    expect(stopped.code).toBe(130)
    expect(stopped.out).not.toContain('tulips')
  })
})
