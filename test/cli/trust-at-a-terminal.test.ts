import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundled } from '../support/bundled'
import { tempFolders } from '../support/temp-folder'
import { askEnvironment, askPlace, hasTerminal } from './ask-process'
import { openTerminal } from './terminal'

const temp = tempFolders()
const program = bundled('src/cli/index.ts')

describe.skipIf(!hasTerminal())('at a terminal', () => {
  it('a person sees what a plugin is, and only "yes" in full trusts it', async () => {
    const place = askPlace(temp())
    fs.mkdirSync(path.join(place.home, 'plugins'))
    fs.writeFileSync(path.join(place.home, 'plugins/rain'), '#!/bin/sh\necho rain\n', {
      mode: 0o755,
    })
    const trust = async (word: string) => {
      const line = [process.execPath, program(), 'plugins', '--home', place.home, 'trust', 'rain']
      const terminal = openTerminal(line, askEnvironment(place, 'http://127.0.0.1:9/v1'))
      await terminal.shows('Trust? Type yes in full: ')
      terminal.type(`${word}\r`)
      return { code: await terminal.ended(), out: terminal.out() }
    }
    const refused = await trust('y')
    expect(refused.code).toBe(1)
    expect(refused.out).toContain('"rain" was not trusted.')
    const trusted = await trust('yes')
    expect(trusted.code).toBe(0)
    expect(trusted.out).toMatch(/SHA-256 {4}[0-9a-f]{64}/)
    expect(trusted.out).toContain('It runs with your rights')
    expect(trusted.out).toContain('"rain" is trusted with its current content.')
  })
})
