import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { impersonalEnvironment, newPerson } from '../../scripts/electron/environment.mjs'

it("leaves out whatever leads to the person's own homes, models and keys", () => {
  const env = {
    PATH: '/usr/bin',
    DISPLAY: ':1',
    CHIBI_HOME: '/home/ann/.chibi',
    CHIBI_API_KEY: 'secret',
    OPENROUTER_API_KEY: 'secret',
    OPENAI_BASE_URL: 'http://127.0.0.1:1',
    XDG_CONFIG_HOME: '/home/ann/.config',
    ELECTRON_RUN_AS_NODE: '1',
  }
  expect(impersonalEnvironment(env)).toEqual({ PATH: '/usr/bin', DISPLAY: ':1' })
})

it('gives a new person an empty home, and takes it away again', () => {
  const person = newPerson({ PATH: '/usr/bin' })
  fs.writeFileSync(path.join(person.folder, 'note'), '')
  const inside = Object.entries(person.env)
    .filter(([name]) => name !== 'PATH')
    .every(([, value]) => value.startsWith(person.folder))
  person.remove()

  expect(inside).toBe(true)
  expect(fs.existsSync(person.folder)).toBe(false)
})
