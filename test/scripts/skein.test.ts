import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { newPerson } from '../../scripts/electron/environment.mjs'
import { tempFolder } from './support/temp-folder'

const script = path.resolve(import.meta.dirname, '../../scripts/skein.mjs')

/** Runs the command line as somebody whose home is empty. */
function skein(...args: readonly string[]) {
  const person = newPerson(process.env)
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      env: person.env,
      encoding: 'utf8',
      input: '',
    })
    return { status, stdout, stderr, left: fs.readdirSync(person.folder) }
  } finally {
    person.remove()
  }
}

it('prints nothing but the data, and leaves nothing behind', () => {
  const home = tempFolder()
  const { status, stdout, left } = skein('list', '--home', home, '--json')

  expect(JSON.parse(stdout)).toEqual({ conversations: [] })
  expect(status).toBe(0)
  expect(left).toEqual(['run'])
  expect(fs.readdirSync(home)).toEqual([])
})

it('passes the exit code on, and words go to stderr', () => {
  const { status, stdout, stderr } = skein('no-such-command')

  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain('no-such-command')
})
